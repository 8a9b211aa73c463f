"""Checks that every command marks the old sentence of a rule that a pack drops or replaces, with the name of the pack."""

from __future__ import annotations

import pytest

HEAD = "house: gentle\nfor: oware\n"
REPLACED_STEP = '"capture: if n == left(next(player))"'
OLD_SENTENCE = "A move that would capture all the seeds on your opponent’s side is a grand slam. It captures nothing."
NEW_STEP_WITH_CLAUSE = "if n == left(next(player)) and n > 5: stop  @OWA-TAKE-03"
WHOLE_PROCEDURE = """replace: |
  proc capture(player, last: Cell) @OWA-TAKE:
      let taken = caught(next(player), last)
      let n = sum(house in taken: seeds[house])
      if n == 0: stop
      tell captured(player, n)
      for house in taken: move everything from seeds[house] to store[player]    @01
      for owner in Player: seen[owner] = {}
"""
PACKS = {
    "dropped": ("Removed by", f"steps: [{{drop: {REPLACED_STEP}}}]\n"),
    "replaced": ("Removed by", f"steps: [{{instead: {REPLACED_STEP}, rules: 'if n == left(next(player)) and n > 5: stop'}}]\n"),
    "replaced and cited": ("Changed by", f"steps: [{{instead: {REPLACED_STEP}, rules: '{NEW_STEP_WITH_CLAUSE}'}}]\n"),
    "whole rule": ("Removed by", WHOLE_PROCEDURE),
}


@pytest.fixture(params=[pytest.param(name, marks=[] if name == "replaced and cited" else pytest.mark.long) for name in PACKS])
def pack_and_note(request, tmp_path):
    """Returns the path of a pack, and the beginning of the note about its struck sentence."""
    note, text = PACKS[request.param]
    (tmp_path / "gentle.yaml").write_text(HEAD + text, encoding="utf-8")
    return tmp_path / "gentle.yaml", f"{note} the house rules gentle"


def test_a_clause_of_a_changed_rule_is_explained_with_its_old_sentence(ludoglot, pack_and_note):
    said = " ".join(ludoglot("explain", "OWA-TAKE-03", "--pack", pack_and_note[0]).out.split())
    assert f"“{OLD_SENTENCE}”" in said and "“gentle”" in said


def test_changes_of_a_pack_name_the_sentences_that_no_longer_hold(ludoglot, pack_and_note):
    said = " ".join(ludoglot("packs", "diff", "oware", pack_and_note[0]).out.split())
    assert f"OWA-TAKE-03: {pack_and_note[1]}" in said and f"“{OLD_SENTENCE}”" in said


def test_the_rulebook_strikes_the_sentence_at_its_place(ludoglot, pack_and_note, tmp_path):
    said = ludoglot("rulebook", "oware", "--pack", pack_and_note[0])
    line = next(line for line in said.out.splitlines() if "`OWA-TAKE-03`" in line)
    assert line.startswith(f"- {pack_and_note[1]}") and f"“~~{OLD_SENTENCE}~~”" in line
    assert said.out.index("`OWA-TAKE-02`") < said.out.index("`OWA-TAKE-03`") < said.out.index("`OWA-END-01`")
    ludoglot("rulebook", "oware", "--pack", pack_and_note[0], "--out", tmp_path / "book.html")
    assert f"<del>{OLD_SENTENCE}</del>" in (tmp_path / "book.html").read_text(encoding="utf-8")


def test_the_rulebook_in_play_strikes_the_sentence_at_its_place(ludoglot, pack_and_note):
    said = ludoglot("play", "oware", "--pack", pack_and_note[0], "--seats", "human,human", "--plain", typed="rules 3\n")
    assert f"{pack_and_note[1]}" in " ".join(said.out.split()) and f"“{OLD_SENTENCE}” [OWA-TAKE-03]" in " ".join(said.out.split())


EFFECT_PACK = "house: gentle\nfor: orchard\nreplace: |\n  proc effect[harvest](player): apples[player] += 1\n"


@pytest.fixture
def gentle_pack(translated_orchard):
    """Creates a pack that changes the rule of a card, but not its text."""
    path = translated_orchard.parent / "gentle.yaml"
    path.write_text(EFFECT_PACK, encoding="utf-8")
    return path


def test_the_old_text_of_a_card_is_struck_in_the_rulebook(ludoglot, translated_orchard, gentle_pack):
    said = ludoglot("rulebook", translated_orchard, "--pack", gentle_pack).out
    assert "Changed by the house rules gentle. This sentence no longer applies: “~~Take 3 apples.~~”" in said
    assert "Take 3 apples." not in said.replace("~~Take 3 apples.~~", "") and "Do nothing." in said
    ludoglot("rulebook", translated_orchard, "--pack", gentle_pack, "--lang", "it", "--out", gentle_pack.parent / "book.html")
    assert "<del>Prendi 3 mele.</del>" in (gentle_pack.parent / "book.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["show", "diff", "play"])
def test_the_old_text_of_a_card_is_quoted_as_obsolete(ludoglot, translated_orchard, gentle_pack, command):
    said = {
        "show": lambda: ludoglot("show", translated_orchard, "harvest", "--pack", gentle_pack),
        "diff": lambda: ludoglot("packs", "diff", translated_orchard, gentle_pack),
        "play": lambda: ludoglot("play", translated_orchard, "--pack", gentle_pack, "--seats", "human,human", "--plain", typed="look 1\n"),
    }[command]()
    assert "gentle" in said.out and "This sentence no longer applies: “Take 3 apples.”" in " ".join(said.out.split())


def test_a_card_text_that_a_pack_replaces_is_not_struck(ludoglot, translated_orchard, gentle_pack):
    gentle_pack.write_text(EFFECT_PACK + "set: {Card.harvest.text: Take one apple.}\n", encoding="utf-8")
    said = ludoglot("show", translated_orchard, "harvest", "--pack", gentle_pack)
    assert "Take one apple." in said.out and "no longer applies" not in said.out


@pytest.mark.parametrize(("change", "note"), [
    ("steps: [{drop: 'effect[harvest]: apples[player] += 3'}]", "[ORC-EAT-02] “gentle” removes this rule"),
    ("remove: ORC-EAT-02", "[ORC-EAT-02] Removed by “gentle”"),
])
def test_show_names_the_clauses_that_a_pack_removes(ludoglot, orchard, change, note):
    rules = orchard / "orchard.rules"
    old = "proc effect[harvest](player): apples[player] += harvest.apples"
    new = "proc effect[harvest](player):\n    apples[player] += 0 @ORC-EAT-01\n    apples[player] += 3 @ORC-EAT-02"
    rules.write_text(rules.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    (orchard / "clauses.yaml").write_text("ORC-EAT-01: Eat nothing.\nORC-EAT-02: Eat three.\n", encoding="utf-8")
    pack = orchard.parent / "gentle.yaml"
    pack.write_text(f"house: gentle\nfor: orchard\n{change}\n", encoding="utf-8")
    said = " ".join(ludoglot("show", orchard, "harvest", "--pack", pack).out.split())
    assert "[ORC-EAT-01] Eat nothing." in said and note in said

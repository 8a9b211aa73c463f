"""Checks that every command marks the old sentence of a rule that a pack drops or replaces, with the name of the pack."""

from __future__ import annotations

import pytest

HEAD = "house: gentle\nfor: oware\n"
TARGET = '"capture: if n == left(next(player))"'
OLD = "A move that would capture all the seeds on your opponent’s side is a grand slam. It captures nothing."
CITED = "if n == left(next(player)) and n > 5: stop  @OWA-TAKE-03"
WHOLE = """replace: |
  proc capture(player, last: Cell) @OWA-TAKE:
      let taken = caught(next(player), last)
      let n = sum(house in taken: seeds[house])
      if n == 0: stop
      tell captured(player, n)
      for house in taken: move everything from seeds[house] to store[player]    @01
      for owner in Player: seen[owner] = {}
"""
PACKS = {
    "dropped": ("Removed by", f"steps: [{{drop: {TARGET}}}]\n"),
    "replaced": ("Removed by", f"steps: [{{instead: {TARGET}, rules: 'if n == left(next(player)) and n > 5: stop'}}]\n"),
    "replaced and cited": ("Changed by", f"steps: [{{instead: {TARGET}, rules: '{CITED}'}}]\n"),
    "whole rule": ("Removed by", WHOLE),
}


@pytest.fixture(params=[pytest.param(name, marks=[] if name == "replaced and cited" else pytest.mark.long) for name in PACKS])
def struck(request, tmp_path):
    """Returns the path of a pack, and the beginning of the note about its struck sentence."""
    note, text = PACKS[request.param]
    (tmp_path / "gentle.yaml").write_text(HEAD + text, encoding="utf-8")
    return tmp_path / "gentle.yaml", f"{note} the house rules gentle"


def test_a_clause_of_a_changed_rule_is_explained_with_its_old_sentence(ludoglot, struck):
    said = " ".join(ludoglot("explain", "OWA-TAKE-03", "--pack", struck[0]).out.split())
    assert f"“{OLD}”" in said and "“gentle”" in said


def test_changes_of_a_pack_name_the_sentences_that_no_longer_hold(ludoglot, struck):
    said = " ".join(ludoglot("packs", "diff", "oware", struck[0]).out.split())
    assert f"OWA-TAKE-03: {struck[1]}" in said and f"“{OLD}”" in said


def test_the_rulebook_strikes_the_sentence_where_it_was(ludoglot, struck, tmp_path):
    said = ludoglot("rulebook", "oware", "--pack", struck[0])
    line = next(line for line in said.out.splitlines() if "`OWA-TAKE-03`" in line)
    assert line.startswith(f"- {struck[1]}") and f"“~~{OLD}~~”" in line
    assert said.out.index("`OWA-TAKE-02`") < said.out.index("`OWA-TAKE-03`") < said.out.index("`OWA-END-01`")
    ludoglot("rulebook", "oware", "--pack", struck[0], "--out", tmp_path / "book.html")
    assert f"<del>{OLD}</del>" in (tmp_path / "book.html").read_text(encoding="utf-8")


def test_the_rulebook_in_play_strikes_the_sentence_where_it_was(ludoglot, struck):
    said = ludoglot("play", "oware", "--pack", struck[0], "--seats", "human,human", "--plain", typed="rules 3\n")
    assert f"{struck[1]}" in " ".join(said.out.split()) and f"“{OLD}” [OWA-TAKE-03]" in " ".join(said.out.split())


EFFECT = "house: gentle\nfor: orchard\nreplace: |\n  proc effect[harvest](player): apples[player] += 1\n"


@pytest.fixture
def gentle(translated):
    """Creates a pack that changes the rule of a card, but not its text."""
    path = translated.parent / "gentle.yaml"
    path.write_text(EFFECT, encoding="utf-8")
    return path


def test_the_old_text_of_a_card_is_struck_in_the_rulebook(ludoglot, translated, gentle):
    said = ludoglot("rulebook", translated, "--pack", gentle).out
    assert "Changed by the house rules gentle. This sentence no longer applies: “~~Take 3 apples.~~”" in said
    assert "Take 3 apples." not in said.replace("~~Take 3 apples.~~", "") and "Do nothing." in said
    ludoglot("rulebook", translated, "--pack", gentle, "--lang", "it", "--out", gentle.parent / "book.html")
    assert "<del>Prendi 3 mele.</del>" in (gentle.parent / "book.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["show", "diff", "play"])
def test_the_old_text_of_a_card_is_quoted_as_one_that_no_longer_applies(ludoglot, translated, gentle, command):
    said = {
        "show": lambda: ludoglot("show", translated, "harvest", "--pack", gentle),
        "diff": lambda: ludoglot("packs", "diff", translated, gentle),
        "play": lambda: ludoglot("play", translated, "--pack", gentle, "--seats", "human,human", "--plain", typed="look 1\n"),
    }[command]()
    assert "gentle" in said.out and "This sentence no longer applies: “Take 3 apples.”" in " ".join(said.out.split())


def test_the_text_of_a_card_that_a_pack_writes_again_holds(ludoglot, translated, gentle):
    gentle.write_text(EFFECT + "set: {Card.harvest.text: Take one apple.}\n", encoding="utf-8")
    said = ludoglot("show", translated, "harvest", "--pack", gentle)
    assert "Take one apple." in said.out and "no longer applies" not in said.out

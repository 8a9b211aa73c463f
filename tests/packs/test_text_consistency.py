"""Checks that texts follow the rules. A pack must reword the texts that it affects, or declare that they fit. Otherwise the game hides
them."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.yaml.clause_index import read_clause_index
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.library.loaded_game import LoadedGame
from ludoglot.engine.narration.narrator import Narrator

from .conftest import load_game, make_pack, try_load_game

CLAUSES = """
KI-DAY-01: Everybody buys once a day.
KI-BUY-01: Choose an open cake.
KI-BUY-02: It does what it does.
KI-BUY-03: After three cakes each brings a coin more.
KI-BUY-04: You may wait.
KI-BUY-05: Who has no coins buys nothing.
KI-BUY-06: "You begin with {purse} coins."
"""


@pytest.fixture
def kiosk_with_clauses(kiosk):
    (kiosk / "clauses.yaml").write_text(CLAUSES, encoding="utf-8")
    return kiosk


def find_text_findings(folder, text: str) -> list[tuple[str, str]]:
    """Returns the findings about the texts of a pack: codes, with the names in them."""
    _, found = try_load_game(folder, make_pack(text))
    return [(one.code, one.args["name"]) for one in found if one.code in ("H013", "W401")]


def render_clause(folder, text: str, clause: str, lang: str = "en") -> str | None:
    game = load_game(folder, make_pack(text))
    return Narrator(game, LoadedGame(find_game_location(str(folder)), game, [], []).localizer(lang)).clause_text(clause)


@pytest.mark.long
@pytest.mark.parametrize(("text", "struck"), [
    ("steps: [{instead: KI-BUY-02, rules: 'coins[player] = 9 @02'}]", "KI-BUY-02"),
    ("steps: [{instead: KI-BUY-02, rules: 'if true: effect[cake](player) @02'}]", "KI-BUY-02"),
    ("steps: [{head: KI-BUY-03, rules: 'if sold >= 0 @03:'}]", "KI-BUY-03"),
    ("steps: [{drop: 'buy: sold += 1'}]", "KI-BUY-03"),                        # a line in the block of the clause
    ("steps: [{drop: 'buy: wait'}]", "KI-BUY-04"),
    ("steps: [{instead: 'game: for player', rules: 'for player in Player: buy(player) @KI-DAY-01'}]", None),     # the same lines again
    ("steps: [{before: KI-BUY-02, rules: 'coins[player] += 1'}]", None),
    ("steps: [{drop: KI-BUY-02}]", None),                                      # no rule cites it, so it is left out
    ("replace: |\n  def open(cake, player) where:\n      coins[player] > 1   @KI-BUY-05\n      cake != bun or sold >= 0", "KI-BUY-05"),
    ("replace: |\n  def open(cake, player) where:\n      coins[player] > 0 @KI-BUY-05   # as it was\n      cake != bun", None),
])
def test_clause_of_a_changed_rule_is_marked_as_outdated(kiosk_with_clauses, text, struck):
    names = find_text_findings(kiosk_with_clauses, text)
    if struck is None:
        assert names == []
        return
    assert names == [("W401", struck)]
    line = 4 if "replace" in text else 3
    head = f"“one” changes this rule (one.yaml:{line}). This sentence no longer applies: “"
    former = (render_clause(kiosk_with_clauses, text, struck) or "").removeprefix(head).removesuffix("”")
    assert former.endswith(".") and former in CLAUSES
    for other in ("KI-DAY-01", "KI-BUY-01"):
        assert render_clause(kiosk_with_clauses, text, other) in CLAUSES
    assert find_text_findings(kiosk_with_clauses, f"{text}\nfits: {struck}") == []
    assert render_clause(kiosk_with_clauses, f"{text}\nfits: {struck}", struck) in CLAUSES
    said = f"{text}\nclauses: {{{struck}: {{en: Something new., it: Qualcosa di nuovo.}}}}"
    assert find_text_findings(kiosk_with_clauses, said) == []
    assert render_clause(kiosk_with_clauses, said, struck, "it") == "Qualcosa di nuovo."


@pytest.mark.parametrize(("text", "lies"), [
    ("clauses: {KI-BUY-05: Who has two coins buys.}\nset: {Cake.defaults.price: 1}", True),
    ("clauses: {KI-BUY-05: Who has no coins buys nothing at all.}\nfits: KI-BUY-05\nset: {purse: 6}", False),
    ("clauses: {KI-BUY-05: Who has two coins buys.}\nsteps: [{instead: KI-BUY-05, rules: 'coins[player] > 1'}]", False),
    ("clauses: {KI-BUY-05: Coins or a coupon.}\nsteps: [{after: KI-BUY-05, rules: 'sold < 9'}]", False),
    ("clauses: {KI-BUY-09: Something else.}\nset: {purse: 6}", False),         # new to the game
    ("clauses: {KI-BUY-06: 'Each begins with {purse} coins.'}\nset: {purse: 6}", False),
])
def test_new_clause_text_without_a_rule_change_is_rejected(kiosk_with_clauses, text, lies):
    assert [code for code, _ in find_text_findings(kiosk_with_clauses, text)] == (["H013"] if lies else [])


def test_outdated_clause_hint_suggests_fits(kiosk_with_clauses):
    _, found = try_load_game(kiosk_with_clauses, make_pack("steps: [{instead: KI-BUY-02, rules: 'coins[player] = 9'}]"))
    assert [one.hint_text() for one in found if one.code == "W401"] == []      # no rule cites it
    _, found = try_load_game(kiosk_with_clauses, make_pack("steps: [{instead: KI-BUY-02, rules: 'coins[player] = 9 @02'}]"))
    hints = [one.hint_text() for one in found if one.code == "W401"]
    assert hints == ["if the old text is still correct, add `fits: [KI-BUY-02]` to the pack"]


def test_reworded_clause_keeps_its_other_attributes(kiosk_with_clauses):
    """A pack that only rewords a clause keeps its numbers of players."""
    at = kiosk_with_clauses / "clauses.yaml"
    at.write_text(CLAUSES.replace("KI-BUY-04: You may wait.", "KI-BUY-04: {text: You may wait., players: 3..4}"), encoding="utf-8")
    game = load_game(kiosk_with_clauses, make_pack("fits: KI-BUY-04\nclauses: {KI-BUY-04: You can also wait.}"))
    clause = game.ruleset.source.overlay.merge_clauses(read_clause_index(kiosk_with_clauses, DiagnosticList())).clauses["KI-BUY-04"]
    assert clause.text == "You can also wait." and clause.players == (3, 4)

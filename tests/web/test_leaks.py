"""Checks that the page of a seat depends on nothing that the seat may not know.

For pairs of positions that look the same to a seat, every byte of its page is the same: table, question, options, previews, log, and
the answer to a question."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.library.loaded_game import LoadedGame
from ludoglot.engine.match.setup import HUMAN, MatchSetup
from ludoglot.engine.match.table import HistoryEntry
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.options import Option
from ludoglot.engine.position.position import Game, Position
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.web import replay_page, table_page
from ludoglot.engine.web.live_match import LiveMatch
from ludoglot.engine.web.people_page import PeopleView
from ludoglot.engine.web.rendering import render_template
from ludoglot.engine.web.storage import SeatRecord, TableRecord

TESTS = Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "hidden"))
from indistinguishable_positions import (  # noqa: E402
    LANGUAGES,
    RANDOM_SLOT,
    LeakError,
    TwinComparison,
    list_games,
    list_hidden_games,
    load_game,
)

pytestmark = pytest.mark.usefixtures("shared_rules")
MAX_DECISIONS = 1500                        # of a random game
LAST_DECISIONS = 2                          # that are compared with other positions
ENDLESS = ("dominant-species", "gin-rummy")             # random moves hardly ever end them
QUICK = [("parry", 3), ("masquerade", 3)]
FOLDERS = {folder.name: folder for folder in list_games()}
GAMES = [one if one in QUICK else pytest.param(*one, marks=pytest.mark.long) for one in dict.fromkeys([*QUICK, *list_hidden_games()])]


class PageWatch(TwinComparison):
    """Compares the pages of both positions of a pair. `pairs` counts them."""

    def __init__(self, game: Game, name: str) -> None:
        super().__init__(game, bots=False)
        setup = MatchSetup(game.ruleset.id, game.players, 0, dict(game.ruleset.settings), names=[""] * game.players,
                           seats=[HUMAN] * game.players, langs=[""] * game.players)
        seats = [SeatRecord(n, HUMAN, taken=True) for n in range(game.players)]
        record = TableRecord("t", setup, game.fingerprint, "", False, 1, False, seats)
        self.table.setup = setup
        self.table.opening = ()                                    # the set-up of both happened before they became a pair
        self.live = LiveMatch(record, LoadedGame(find_game_location(str(FOLDERS[name])), game, [], []), self.table)
        self.last: dict[int, HistoryEntry] = {}                    # the last decision of a position
        self.pairs = self.asked = self.finished = 0
        self.rng = random.Random(name)

    def step(self, position: Position, option: Option) -> HistoryEntry | None:
        step = super().step(position, option)
        if step is not None:
            self.last[id(position)] = step
        return step

    def continue_both(self, one: Position, two: Position, seat: int, ahead: int, rng: random.Random) -> None:
        self.last.clear()
        super().continue_both(one, two, seat, ahead, rng)

    def compare_views(self, one: Position, two: Position, seat: int) -> None:
        if one.over and two.over:
            self.compare_ends(one, two, seat)
        if one.over or two.over:
            return
        self.pairs += 1
        lang = LANGUAGES[self.pairs % len(LANGUAGES)]
        decision = one.decision
        mine = decision is not None and decision.seat == seat
        self.asked += mine
        asks_for_option = decision is not None and (mine or not decision.kind.secret and self.pairs % 2)
        query = self.rng.choice(decision.options).spelling if decision is not None and asks_for_option else "score"
        self.assert_same(seat, "the page", *(self.page(position, seat, lang, None if self.pairs % 3 else query) for position in (one, two)))
        if self.pairs % 3 == 0:
            self.compare_replays(one, two, seat, lang)

    def compare_replays(self, one: Position, two: Position, seat: int, lang: str) -> None:
        """Compares the pages of the step to these positions, and of the step before it."""
        for at in (0, 1):
            self.assert_same(seat, f"step {at} of the replay", *(self.replay(position, seat, lang, at) for position in (one, two)))

    def replay(self, position: Position, seat: int, lang: str, at: int) -> str:
        """Returns the page of a step for a match of at most one step."""
        self.show(position)
        page = replay_page.build_replay_page(self.live, seat, lang, at)
        return render_template("replay.html", page.words, page=page, base=f"/table/t/{seat + 1}")

    def show(self, position: Position) -> None:
        """Makes a position that of the match."""
        self.table.position = position
        self.table.steps[:] = [self.last[id(position)]] if id(position) in self.last else []
        self.live.pages.clear()
        self.live.earlier.found.clear()

    def compare_ends(self, one: Position, two: Position, seat: int) -> None:
        """Compares finished matches with the same result. A result may depend on hidden things: the rules reveal them by it."""
        lang = LANGUAGES[self.finished % len(LANGUAGES)]
        results = [(self.page(position, seat, lang, None), self.live.match.position.standing()) for position in (one, two)]
        if results[0][1] == results[1][1]:
            self.finished += 1
            self.assert_same(seat, "the page", *(text for text, _ in results))

    def play_the_end(self, seed: int) -> None:
        """Plays a random game to its end, and compares the last positions of every seat."""
        rng, position, moves = random.Random(seed), self.game.start(seed), list[str]()
        while (decision := position.decision) is not None and len(moves) < MAX_DECISIONS:
            moves.append(rng.choice(decision.options).spelling)
            position.play(decision.seat, moves[-1])
        if not position.over:
            return
        self.path = [f"{self.game.ruleset.id}, {self.game.players} players, seed {seed}"]
        position = self.game.start(seed)
        for n, spelling in enumerate([*moves, ""]):
            decision = position.decision
            if n >= len(moves) - LAST_DECISIONS:
                for seat in range(self.game.players):
                    if decision is None or decision.seat == seat or not decision.kind.secret:
                        twin = determinize_position(position, seat, random.Random(rng.random()))
                        twin.s[RANDOM_SLOT] = position.s[RANDOM_SLOT]
                        self.continue_both(position.copy(), twin, seat, LAST_DECISIONS, rng)
            if decision is not None:
                position.play(decision.seat, spelling)

    def page(self, position: Position, seat: int, lang: str, query: str | None) -> str:
        self.show(position)
        look = None
        if query is None and self.pairs % 2:                       # the same thing for both positions
            enums = [enum for enum in self.live.loaded.game.model.enums.values() if enum.kind != "open" and enum.members]
            enum = enums[self.pairs % len(enums)]
            look = f"{enum.name}.{enum.kind_or_name(self.pairs % len(enum.members))}"
        page = table_page.build_table_page(self.live, seat, lang, query, look=look)
        return render_template("table.html", page.words, page=page, base=f"/table/t/{seat + 1}", can_save=self.live.is_save_public,
                               device="", notice="", form="", people=PeopleView())


@pytest.fixture(autouse=True)
def no_breakdown(monkeypatch):
    """Leaves out the breakdown of the scores: it replays the match, which a pair does not have."""
    monkeypatch.setattr(table_page, "build_breakdown", lambda *_: None)


@pytest.mark.parametrize("name, players", GAMES)
def test_page_is_independent_of_hidden_values(name, players, pytestconfig, record_property):
    """`--samples N` compares N times as many pairs. `--junit-xml FILE` records how many they were."""
    game = load_game(name, players)
    watch = PageWatch(game, name)
    for seed in range(2 * pytestconfig.getoption("samples")):
        watch.play(seed, 6, ahead=1)
    record_property("pairs", watch.pairs)
    assert watch.asked or game.start(0).decision is None


@pytest.mark.long
def test_menu_of_another_player_is_not_listed():
    """An entry of the menu in Trias names the card in the hand of its player."""
    game, rng = load_game("trias", 2), random.Random(1)
    watch, position, menus = PageWatch(game, "trias"), game.start(6), 0
    while menus < 3 and (decision := position.decision) is not None:
        if decision.kind.choices[0].name:
            menus += 1
            assert "Choose" not in watch.page(position, 1 - decision.seat, "en", "score").partition('id="answer"')[2].partition("</div>")[0]
        position.play(decision.seat, rng.choice(decision.options).spelling)
    assert menus


@pytest.mark.parametrize("name, players", GAMES)
def test_page_of_a_finished_match_is_independent_of_hidden_values(name, players):
    game = load_game(name, players)
    watch = PageWatch(game, name)
    for seed in range(2):
        watch.play_the_end(seed)
    assert watch.finished or name in ENDLESS or game.start(0).decision is None


@pytest.mark.parametrize("spoilt", ["panels", "log", "options", "replay"])
def test_leaks_are_detected(monkeypatch, spoilt):
    """Spoils one part of the page, so that it shows the view of another seat."""
    watch = PageWatch(load_game("masquerade", 3), "masquerade")
    if spoilt == "panels":
        build = table_page.build_panels
        monkeypatch.setattr(table_page, "build_panels", lambda position, narrator, seat: build(position, narrator, (seat + 1) % 3))
    elif spoilt == "replay":
        monkeypatch.setattr(replay_page, "build_panels", lambda position, narrator, seat: build_panels(position, narrator, (seat + 1) % 3))
    elif spoilt == "log":
        monkeypatch.setattr(table_page, "log_lines", lambda live, narrator, seat, start: [
            table_page.LogLine(str(step.option)) for step in live.match.steps])
    else:
        view = table_page.view_options
        monkeypatch.setattr(table_page, "view_options", lambda live, decision, narrator: (
            view(live, decision, narrator)[0], [decision.position.digest()]))
    with pytest.raises(LeakError, match="replay of seat" if spoilt == "replay" else "the page of seat"):
        for seed in range(40):
            watch.play(seed, 10, ahead=2)


def test_leaks_at_the_end_are_detected(monkeypatch):
    """Spoils the page of a finished match only, so that it shows the view of another seat."""
    build = table_page.build_panels
    monkeypatch.setattr(table_page, "build_panels", lambda position, narrator, seat: build(
        position, narrator, (seat + 1) % 3 if position.over else seat))
    watch = PageWatch(load_game("masquerade", 3), "masquerade")
    with pytest.raises(LeakError, match="the page of seat"):
        for seed in range(20):
            watch.play_the_end(seed)

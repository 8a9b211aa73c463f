"""Fuzzes the public interface of each game: Hypothesis calls everything in any order, with valid and invalid arguments.

Every call keeps its promise or raises ApiError with a sentence. Nothing changes without a move, and a saved match resumes unchanged.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test
from ludoglot.api import ApiError, Game, load, resume
from ludoglot.engine.position import position

pytestmark = pytest.mark.usefixtures("shared_rules")
ROOT = Path(__file__).parent.parent.parent
GAMES = sorted(path.parent.name for path in ROOT.glob("rules/*/game.yaml"))
HEAVY = ("dominant-species", "evolution", "trias")
LANGUAGES = st.sampled_from(["en", "it", "es", "hu", None, "xx", "", "tlh", "en_GB", "\x1b[2J", "İ"])
SEATS = st.one_of(st.none(), st.integers(-3, 12))
TEXTS = st.one_of(st.text(max_size=30), st.sampled_from(["", "1", "²", "a1", "pass", "\0", "\ud800", "9" * 5000, "cell=", "x" * 3000,
                                                                "a1 " * 500]))


def make_machine(name: str, place: Path) -> type[RuleBasedStateMachine]:
    """Returns a state machine for one game."""
    class Program(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.game: Game = load(name)
            self.match = self.game.start(seed=1)
            self.played = 0

        @initialize(seed=st.integers(0, 1 << 64), names=st.lists(st.text(max_size=10), max_size=3))
        def begin(self, seed, names):
            self.match = self.game.start(seed=seed, names=names)

        # ------------------------------------------------ play

        @precondition(lambda self: not self.match.over)
        @rule(number=st.integers(0, 10_000))
        def play(self, number):
            options = self.match.options
            option = options[number % len(options)]
            twin, before = self.match.copy(), self.match.digest()
            self.match.play(option if number % 2 else option.spelling)
            assert twin.digest() == before, "a move must not change a copy"
            self.played += 1
            twin.play(option)
            assert twin.digest() == self.match.digest(), "equal moves must give equal positions"

        @rule(what=TEXTS)
        def play_illegal_option(self, what):
            if what in {option.spelling for option in self.match.options}:
                return
            before = self.match.digest()
            with pytest.raises(ApiError, match="."):
                self.match.play(what)
            assert self.match.digest() == before

        # ------------------------------------------------ queries

        @rule(lang=LANGUAGES)
        def ask(self, lang):
            self.check_texts(lambda: [self.match.question(lang), *self.match.seats(lang), self.game.title(lang)])

        @rule(name=st.sampled_from(["random", "bot:random", "Random", "", "random\0"]), seed=st.integers(0, 1 << 64))
        def bot(self, name, seed):
            before = self.match.digest()
            if self.match.over or name not in ("random", "bot:random"):
                with pytest.raises(ApiError, match="."):
                    self.match.bot(name, seed)
            else:
                assert self.match.bot(name, seed) in self.match.options
            assert self.match.digest() == before

        @rule(lang=LANGUAGES, what=TEXTS, number=st.integers(0, 10_000))
        def words(self, lang, what, number):
            options = self.match.options
            self.check_texts(lambda: [self.match.words(options[number % len(options)] if options and number % 3 else what, lang)])

        @rule(lang=LANGUAGES, seat=SEATS)
        def log(self, lang, seat):
            self.check_texts(lambda: self.match.log(lang, seat))

        @rule(lang=LANGUAGES, seat=SEATS)
        def table(self, lang, seat):
            self.check_texts(lambda: [self.match.table(lang, seat)])

        @rule(lang=LANGUAGES, seat=SEATS, what=TEXTS)
        def why(self, lang, seat, what):
            self.check_texts(lambda: [self.match.why(what, lang, seat)])

        @rule(seat=SEATS)
        def view(self, seat):
            try:
                shown = self.match.view(seat)
            except ApiError as error:
                assert str(error) and (seat is not None and not 0 <= seat < self.game.players)
                return
            assert json.loads(json.dumps(shown)) == shown, "a view must be JSON data"

        @rule(seat=st.integers(-2, 9), seed=st.integers(0, 99))
        def sample(self, seat, seed):
            if not 0 <= seat < self.game.players:
                for call in (self.match.view, self.match.sample, lambda seat: self.match.log(seat=seat)):
                    with pytest.raises(ApiError, match="."):
                        call(seat)
                return
            try:
                imagined = self.match.sample(seat, seed)
            except ApiError:
                return
            assert imagined.view(seat) == self.match.view(seat), "a sample must look the same to its seat"
            with pytest.raises(ApiError, match="."):
                imagined.save(place / "imagined")

        # ------------------------------------------------ saves and copies

        @rule()
        def save_and_resume(self):
            path = place / "one.ludoglot"
            path.unlink(missing_ok=True)
            self.match.save(path)
            again = resume(path)
            assert again.digest() == self.match.digest() and again.log("en") == self.match.log("en")
            self.match = again

        @rule(where=st.sampled_from(["", "/", "/dev/full/x", "no/such/\0", "a" * 300]))
        def save_to_invalid_path(self, where):
            (place / "folder").mkdir(exist_ok=True)
            with pytest.raises(ApiError, match="."):
                self.match.save(str(place / "folder" / where) if where[:1] != "/" else where)

        # ------------------------------------------------ invariants

        @invariant()
        def match_is_consistent(self):
            decision, options = self.match.decision, self.match.options
            assert self.match.over == (decision is None) == (self.match.seat is None) == (not options)
            assert len({option.spelling for option in options}) == len(options)
            assert self.match.seat is None or 0 <= self.match.seat < self.game.players
            assert {rank.seat for rank in self.match.standing} == set(range(self.game.players))

        def check_texts(self, call):
            """Returns a text, or the sentence that explains why there is no text."""
            before = self.match.digest()
            try:
                assert all(isinstance(line, str) for line in call())
            except ApiError as error:
                assert str(error)
            assert self.match.digest() == before
    return Program


@pytest.fixture
def compile_once(monkeypatch):
    """Compiles a game once for everything that Hypothesis tries."""
    known = {}
    build = position.Game
    monkeypatch.setattr(position, "Game",
                        lambda made: known[made.id] if made.id in known else known.setdefault(made.id, build(made)))


@pytest.mark.long_cases("tic-tac-toe")
@pytest.mark.parametrize("name", [name if name == "tic-tac-toe" else pytest.param(name, marks=pytest.mark.long) for name in GAMES])
def test_random_calls_keep_the_promises_of_the_api(name, tmp_path, compile_once):
    heavy = name in HEAVY
    run_state_machine_as_test(make_machine(name, tmp_path), settings=settings(
        max_examples=2 if heavy else 4, stateful_step_count=15, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck)))

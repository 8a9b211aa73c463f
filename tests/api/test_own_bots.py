"""Checks bots that users write in Python, at the table and in simulations: they play and resume, and each mistake gives one sentence."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from ludoglot.api import load, resume
from ludoglot.engine.commands import main as entry

pytestmark = pytest.mark.usefixtures("shared_rules")
MODULE = '''
import time


class First:
    def choose(self, view):
        return view.options[0]


class Chance:
    def choose(self, view):
        return view.rng.choice(view.options).spelling


class Spy:
    """Fails if its view is more than its seat may know."""

    def choose(self, view):
        hands = view["states"]["hand"]
        own = f"player_{view.viewer + 1}"
        assert all(isinstance(hand, dict) == (who != own) for who, hand in hands.items()), hands
        world = view.sample(3)
        assert world.view(view.viewer) == view
        return world.bot("random")


class Careful:
    """Plays every option on a sample of its own."""

    def choose(self, view):
        for option in view.options:
            world = view.sample()
            world.play(option)
            world.copy().play(world.options[0])
        return view.options[0]


class Wrong:
    def choose(self, view):
        return "cell=z9"


class Broken:
    def choose(self, view):
        return view["nowhere"]


class Unmade:
    def __init__(self):
        raise RuntimeError("no model here")

    def choose(self, view):
        return view.options[0]


class Slow:
    seconds = 0.3

    def choose(self, view):
        time.sleep(5)


class Patient(First):
    seconds = None


class Odd(First):
    seconds = "soon"


class Exits:
    def choose(self, view):
        raise SystemExit(5)


class Silent:
    pass


NotAClass = 3
'''
FAILING = {"Broken": "return view[\"nowhere\"]", "Unmade": "raise RuntimeError", "Slow": "time.sleep", "Exits": "raise SystemExit"}
FAILING_LINES = {kind: MODULE[:MODULE.index(words)].count("\n") + 1 for kind, words in FAILING.items()}


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Writes a module with bots to the current directory. Its name is new in each test, because Python caches imported modules."""
    name = f"mybots_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "unfinished.py").write_text("class First:\n    def choose(self, view)\n", encoding="utf-8")
    (tmp_path / "needy.py").write_text("import no_such_package_here\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delenv("LUDOGLOT_DEBUG", raising=False)
    return name


def run_command(capsys, *words: str) -> tuple[int, str, str]:
    code = entry.main([*words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize("kind", ["First", "Chance", "Patient"])
def test_your_own_bot_plays_at_the_table(bots: str, kind: str, capsys):
    seats = f"bot:{bots}:{kind},bot:greedy"
    code, out, err = run_command(capsys, "play", "tic-tac-toe", "--seats", seats, "--seed", "3", "--json")
    assert (code, err) == (0, "") and json.loads(out)["finished"]
    assert run_command(capsys, "play", "tic-tac-toe", "--seats", seats, "--seed", "3", "--json")[1] == out


def test_your_own_bot_plays_the_same_in_a_program(bots: str, capsys):
    run_command(capsys, "play", "hex", "--seats", f"bot:{bots}:Chance,bot:random", "--seed", "3", "--save", "match.ludoglot")
    module = sys.modules[bots]
    match, bot = load("hex").start(seed=3), module.Chance()
    while not match.over:
        match.play(match.bot(bot if match.seat == 0 else "random"))
    assert match.digest() == resume("match.ludoglot").digest()


def test_your_own_bot_sees_only_the_view_of_its_seat(bots: str, capsys):
    seats = f"bot:{bots}:Spy,bot:random,bot:{bots}:Spy,bot:random"
    code, _, err = run_command(capsys, "play", "hearts", "--seats", seats, "--seed", "3", "--max-rounds", "1")
    assert (code, err) == (0, "")


def test_people_see_the_name_of_your_own_bot(bots: str, capsys, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(Path.cwd() / "data"))
    code, out, _ = run_command(capsys, "play", "tic-tac-toe", "--seats", f"bot:{bots}:First,human", "--lang", "en")
    assert code == 0 and f"Your own bot plays Cross (bot:{bots}:First)." in out


# ---------------------------------------------------------------- mistakes


MISTAKES = {
    "nowhere_at_all:First": ["There is no Python module “nowhere_at_all”", "nessun modulo", "ningún módulo", "Nincs „nowhere_at_all”"],
    "{bots}:Frist": ["has no class “Frist”. Did you mean “First”?", "non ha una classe", "ninguna clase", "nincs „Frist” nevű osztály"],
    "{bots}:NotAClass": ["has no class “NotAClass”", "non ha una classe", "ninguna clase", "nevű osztály"],
    "{bots}:Silent": ["has no method “choose”", "non ha un metodo", "no tiene un método", "nincs „choose” metódusa"],
    "{bots}:Wrong": ["chose “cell=z9”, which is not legal now", "ha scelto «cell=z9»", "eligió «cell=z9»", "„cell=z9”"],
    "{bots}:Broken": ["at {bots}.py:{lines[Broken]}: KeyError: 'nowhere'", *["{bots}.py:{lines[Broken]}"] * 3],
    "{bots}:Unmade": ["at {bots}.py:{lines[Unmade]}: RuntimeError: no model here", *["{bots}.py:{lines[Unmade]}"] * 3],
    "{bots}:Slow": ["longer than 0.3 s for one decision. It had reached {bots}.py:{lines[Slow]}.", "più di", "más de", "másodpercet"],
    "{bots}:Odd": ["the time limit “soon”", "limite di tempo «soon»", "límite de tiempo «soon»", "időkorlátja „soon”"],
    "{bots}:Exits": ["at {bots}.py:{lines[Exits]}: SystemExit: 5", *["SystemExit: 5"] * 3],
    "unfinished:First": ["at unfinished.py:2: SyntaxError: expected ':'", *["unfinished.py:2"] * 3],
    "needy:First": ["at needy.py:1: ModuleNotFoundError", *["needy.py:1"] * 3],
}


@pytest.mark.parametrize(("n", "lang"), [
    (0, "en"), *(pytest.param(n, lang, marks=pytest.mark.long) for n, lang in ((1, "it"), (2, "es"), (3, "hu")))])
@pytest.mark.parametrize("bot", MISTAKES)
def test_a_mistake_is_one_sentence_without_a_traceback(bots: str, bot: str, n: int, lang: str, capsys):
    seat = "bot:" + bot.format(bots=bots)
    code, _, err = run_command(capsys, "play", "tic-tac-toe", "--seats", f"{seat},bot:random", "--seed", "1", "--lang", lang)
    assert code in (1, 2) and MISTAKES[bot][n].format(bots=bots, lines=FAILING_LINES) in err and "Traceback" not in err
    assert bots in err or bot.partition(":")[0] in err


@pytest.mark.parametrize("seat", [
    "bot:mybots", "bot:mybots:", "bot::First", "bot:my bots:First", "bot:.mybots:First", "bot:a:b:c", "mybots:First"])
def test_an_invalid_name_of_a_bot_is_rejected(seat: str, bots: str, capsys):
    code, _, err = run_command(capsys, "play", "tic-tac-toe", "--seats", f"{seat},bot:random", "--lang", "en")
    assert code == 2 and f"There is no bot called “{seat}”" in err and "bot:module:Class" in err


def test_the_debug_variable_shows_the_traceback(bots: str, capsys, monkeypatch):
    monkeypatch.setenv("LUDOGLOT_DEBUG", "1")
    code, _, err = run_command(capsys, "play", "tic-tac-toe", "--seats", f"bot:{bots}:Broken,bot:random", "--lang", "en")
    assert code == 1 and "Traceback" in err and "stopped with an error" in err


# ---------------------------------------------------------------- saves


def play_until_bot_moved(bots: str, capsys, *more: str, kind: str = "First") -> None:
    """Plays a match with a person who leaves right after the first move of the bot."""
    assert run_command(capsys, "play", "tic-tac-toe", "--seats", f"bot:{bots}:{kind},human", "--seed", "1", *more)[0] == 0


def test_a_save_in_the_default_folder_resumes(bots: str, capsys, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(Path.cwd() / "data"))
    play_until_bot_moved(bots, capsys)
    assert run_command(capsys, "play", "--resume")[0] == 0


def test_a_missing_module_of_a_save_is_named(bots: str, capsys, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(Path.cwd() / "data"))
    play_until_bot_moved(bots, capsys)
    Path(f"{bots}.py").unlink()
    del sys.modules[bots]
    code, _, err = run_command(capsys, "play", "--resume", "--lang", "en")
    assert code == 2 and f"There is no Python module “{bots}”" in err


def test_moves_on_a_sample_are_not_saved(bots: str, capsys):
    play_until_bot_moved(bots, capsys, "--save", "match.ludoglot", kind="Careful")
    assert len(resume("match.ludoglot").decisions()) == 1


def test_a_save_from_elsewhere_runs_code_only_if_trusted(bots: str, capsys):
    play_until_bot_moved(bots, capsys, "--save", "match.ludoglot")
    del sys.modules[bots]
    code, _, err = run_command(capsys, "play", "--resume", "match.ludoglot", "--lang", "en")
    assert code == 1 and bots not in sys.modules
    assert f"--resume match.ludoglot --seats bot:{bots}:First,human" in err and "If you trust that code" in err
    assert run_command(capsys, "play", "--resume", "match.ludoglot", "--seats", f"bot:{bots}:First,human")[0] == 0
    code, _, err = run_command(capsys, "play", "--resume", "match.ludoglot", "--seats", "human,human", "--lang", "en")
    assert code == 2 and "--seats" in err and "cannot change" in err
    assert run_command(capsys, "replay", "match.ludoglot")[0] == 0


def test_a_save_cannot_inject_words_into_the_command(bots: str, capsys):
    play_until_bot_moved(bots, capsys, "--save", "match.ludoglot")
    text = Path("match.ludoglot").read_text(encoding="utf-8").replace(f"bot:{bots}:First", "bot:x:Y; rm -rf .")
    Path("match.ludoglot").write_text(text, encoding="utf-8")
    code, _, err = run_command(capsys, "play", "--resume", "match.ludoglot", "--lang", "en")
    assert code != 0 and "--seats" not in err


# ---------------------------------------------------------------- simulations


def test_your_own_bot_plays_simulations(bots: str, capsys):
    words = ("simulate", "tic-tac-toe", "--bots", f"{bots}:Chance,random", "--games", "6", "--json")
    code, out, err = run_command(capsys, *words)
    assert code == 0, err
    assert json.loads(out)["bots"] == [f"{bots}:Chance", "random"] and run_command(capsys, *words)[1] == out
    first = run_command(capsys, "simulate", "tic-tac-toe", "--bots", f"bot:{bots}:First,random", "--games", "6", "--json")[1]
    assert first != out


@pytest.mark.long
def test_your_own_bot_plays_in_several_processes(bots: str, capsys):
    words = ("simulate", "kalah", "--bots", f"{bots}:Chance,random", "--games", "6", "--json")
    assert run_command(capsys, *words, "--jobs", "2")[1] == run_command(capsys, *words)[1] != ""
    words = ("simulate", "kalah", "--bots", f"{bots}:Broken,random", "--games", "4", "--jobs", "2", "--lang", "en")
    code, _, err = run_command(capsys, *words)
    assert code == 1 and f"{bots}.py:{FAILING_LINES['Broken']}: KeyError: 'nowhere'" in err and "Traceback" not in err


def test_a_mistake_in_a_simulation_is_not_blamed_on_the_rules(bots: str, capsys):
    code, out, err = run_command(capsys, "simulate", "tic-tac-toe", "--bots", f"{bots}:Broken,random", "--games", "2", "--lang", "en")
    assert code == 1 and f"{bots}.py:{FAILING_LINES['Broken']}: KeyError: 'nowhere'" in err and "rules" not in out


@pytest.mark.parametrize(("lang", "said"), [
    ("en", "only on this computer"), ("it", "solo su questo"), ("es", "solo en este"), ("hu", "csak ezen")])
def test_your_own_bot_cannot_play_on_other_machines(bots: str, lang: str, said: str, capsys):
    code, _, err = run_command(capsys, "simulate", "tic-tac-toe", "--bots", f"{bots}:First", "--cluster", "localhost:1", "--lang", lang)
    assert code == 2 and said in err


def test_your_own_bot_sees_only_its_hand_in_a_simulation(bots: str, capsys):
    code, _, err = run_command(capsys, "simulate", "hearts", "--bots", f"{bots}:Spy", "--games", "1", "--limit", "60", "--lang", "en")
    assert "stopped with an error" not in err
    assert code in (0, 1)

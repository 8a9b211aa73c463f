"""Checks a game on the whole screen: its parts at three sizes in four languages, keyboard, mouse, and the end of the game.

`--record` writes the screens again. Look at them afterwards."""

from __future__ import annotations

import io
import re
import threading
import time
from pathlib import Path

import pytest
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.i18n import engine_localizer
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.terminal import full_screen, full_screen_app
from ludoglot.engine.terminal.clicks import split_clickable_parts
from ludoglot.engine.terminal.cursor_details import describe_cell
from ludoglot.engine.terminal.full_screen import FullScreenConsole, FullScreenSession, pane_titles
from ludoglot.engine.terminal.full_screen_app import FullScreen
from ludoglot.engine.terminal.pane_layout import MIN_SCREEN_SIZE, PaneLayout, ScreenContent
from ludoglot.engine.terminal.preview_lines import compute_previews
from ludoglot.engine.terminal.question import DecisionPrompt, PromptOption
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output.vt100 import Vt100_Output
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from .terminal_harness import HUMAN, Desk

GOLDEN_FOLDER = Path(__file__).parent / "full"
SCREENS = [("dominant-species", [HUMAN, HUMAN, HUMAN], "it", 80, 24, ["7", "21"]),
           ("dominant-species", [HUMAN, HUMAN, HUMAN], "hu", 140, 50, ["7"]),
           ("evolution", [HUMAN, "bot:random"], "es", 100, 40, ["1", "1"]), ("trias", [HUMAN, "bot:random"], "en", 100, 40, ["1"]),
           ("tic-tac-toe", [HUMAN, HUMAN], "hu", 80, 24, ["1", "help", "", "2"])]


def plain_text(lines):
    return "\n".join("".join(part.text for part in line).rstrip() for line in lines)


class FakeFullScreen:
    """A simulated whole screen that takes answers from a list and records the visible text at each question."""

    size = (100, 40)
    typing: list[str] = []
    seen: list[str] = []
    small = False

    def __init__(self, panes: PaneLayout, console: LocalizedConsole) -> None:
        self.panes = panes

    def open(self) -> None:
        FakeFullScreen.seen = []

    def close(self) -> None:
        pass

    def request_redraw(self) -> None:
        pass

    def show_busy(self, text: str) -> None:
        pass

    def read_line(self, prompt, fits, bar, person):
        columns, lines = self.size
        shown = self.panes.render_lines(columns, lines - 2)
        assert len(shown) == lines - 2
        assert {sum(cell_len(part.text) for part in line) for line in shown} == {columns}
        FakeFullScreen.seen.append(plain_text(shown))
        return self.typing.pop(0) if self.typing else None


@pytest.fixture
def play_on_full_screen(monkeypatch):
    """`played(desk, columns, lines, typed)`: returns the visible text at each question."""
    def play(desk: Desk, columns: int, lines: int, typed: list[str]) -> list[str]:
        monkeypatch.setattr(full_screen, "FullScreen", FakeFullScreen)
        monkeypatch.setattr(FakeFullScreen, "size", (columns, lines))
        monkeypatch.setattr(FakeFullScreen, "typing", list(typed))
        monkeypatch.setattr(LocalizedConsole, "screen", (columns, lines))
        monkeypatch.setattr(LocalizedConsole, "utf", True)
        monkeypatch.setattr(LocalizedConsole, "colours", None)
        console = LocalizedConsole(desk.lang)
        FullScreenSession(FullScreenConsole(console, PaneLayout(True, pane_titles(console.words))), desk.table, desk.loaded, None).run()
        return FakeFullScreen.seen
    return play


@pytest.mark.long
@pytest.mark.parametrize("game, seats, lang, columns, lines, typed", SCREENS, ids=[f"{one[0]}.{one[2]}.{one[3]}" for one in SCREENS])
def test_screens(game, seats, lang, columns, lines, typed, play_on_full_screen, recorded):
    desk = Desk(game, seats, lang=lang, names=["Anna", "Béla", "Piero"][: seats.count(HUMAN)], seed=4)
    seen = play_on_full_screen(desk, columns, lines, typed)
    recorded(GOLDEN_FOLDER / f"{game}.{lang}.{columns}.txt", f"\n{'=' * columns}\n".join(seen) + "\n")


@pytest.mark.parametrize("columns", [80, 120])
def test_short_answer_after_a_long_one_is_visible(columns):
    panes = PaneLayout(True, {})
    nothing = lambda columns, lines: []  # noqa: E731
    panes.set_question(ScreenContent(nothing, nothing, nothing, lambda columns, lines: [[Segment("Which?")]]))
    for n in range(60):
        panes.append_line(f"A line of a long answer: {n}.")
    panes.note_input()
    panes.append_line("The short answer.")
    assert "The short answer." in plain_text(panes.render_lines(columns, 24))


def test_a_short_form_of_the_options_leaves_its_free_lines_to_the_board(play_on_full_screen):
    first = play_on_full_screen(Desk("corridors", [HUMAN, HUMAN]), 100, 35, [])[0]
    assert re.search(r"^│ +a +b +c +d +e +f +g +h +i ", first, re.M), "the letters of the columns are cut off"
    assert "Place a wall at ..." in first, "the beginning of the hidden options must name what they place"


@pytest.mark.parametrize("lang, hint", [("en", "Enter: back to the table"), ("it", "Invio: torna al tavolo"),
                                        ("es", "Intro: volver a la mesa"), ("hu", "Enter: vissza az asztalhoz")])
def test_an_answer_in_place_of_the_table_says_how_to_return(lang, hint, play_on_full_screen):
    desk = Desk("gin-rummy", [HUMAN, "bot:random"], seed=3, lang=lang)
    before, answer, again = play_on_full_screen(desk, 80, 24, ["1", "?", ""])[-3:]
    assert before.count("♣]") == 3 and hint not in before
    assert "♣]" not in answer and hint in answer
    assert again.count("♣]") == 3 and hint not in again


def test_news_below_a_high_map_end_with_the_newest():
    part = lambda *texts: lambda columns, lines: [[Segment(text)] for text in texts]  # noqa: E731
    panes = PaneLayout(True, {})
    nothing, high = part(), part(*"abcdefghijklmnopqrstuvwxyz")
    panes.set_question(ScreenContent(nothing, high, nothing, part("Which?")))
    panes.append_line("An answer of long ago.")
    panes.note_input()
    for told in ("Four herds of Anna are in the water.", "second", "third", "fourth", "fifth", "sixth"):
        panes.append_line(told)
    panes.set_question(ScreenContent(nothing, high, nothing, part("Which?")))
    shown = plain_text(panes.render_lines(80, 24))
    assert "Four herds of Anna" not in shown and "fourth" in shown and "sixth" in shown and "▲" in shown


def test_short_list_is_followed_by_the_whole_list():
    desk = Desk("trias", [HUMAN, HUMAN], columns=100, lines=30, typed=[])
    question, high = DecisionPrompt(desk.table.position.decision, desk.session.narrator), 5
    lines = plain_text(FullScreenSession.render_prompt(desk.session, question, 80, high)).splitlines()
    first = question.choices[0].list_entry
    assert len(lines) > high and sum(question.choices[0].text in line for line in lines[:high]) <= 1
    assert set(lines[high]) <= {"─", "-"} and lines[high + 1].startswith(first)


def test_wide_board_gets_the_whole_width():
    part = lambda *texts: lambda columns, lines: [[Segment(text)] for text in texts]  # noqa: E731
    panes = PaneLayout(True, {})
    panes.set_question(ScreenContent(part("Round 1"), part(*"abcdefgh"), part("Hands"), part("Which?"), lambda columns: columns > 80))
    assert "Hands" in plain_text(panes.render_lines(100, 28)) and [area.part for area in panes.areas] == ["table", "story", "question"]
    assert panes.render_lines(140, 28) and [area.part for area in panes.areas] == ["boards", "panels", "story", "question"]


def test_commands_are_answered_in_the_transcript(play_on_full_screen):
    seen = play_on_full_screen(Desk("tic-tac-toe", [HUMAN, HUMAN]), 100, 40, ["1", "look b2", "log", "undo", "board", "lang it"])
    assert "b2" in seen[2] and "drops" not in seen[2]
    assert seen[4].count("\n") == 37
    assert "Cronaca" not in seen[5] and "metti" in seen[6]


@pytest.mark.long
def test_cleared_text_is_not_visible_at_a_hand_over(play_on_full_screen, monkeypatch):
    monkeypatch.setattr(full_screen.FullScreenTerminal, "is_interactive", True)
    seen = play_on_full_screen(Desk("masquerade", [HUMAN, HUMAN, HUMAN], names=["Anna", "Béla", "Piero"]), 100, 40, ["", "1", ""])
    handed = [screen for screen in seen if "press Enter" in screen]
    assert handed and all("Your hand" not in screen and "  1  " not in screen for screen in handed)


def test_clearing_during_rendering_is_safe():
    panes, wiping = PaneLayout(True, {}), []
    part = lambda *texts: lambda columns, lines: [[Segment(text)] for text in texts]  # noqa: E731

    def asked(columns, lines):
        wiping.append(threading.Thread(target=panes.clear_panes))         # the game does this for the next person while the screen is drawn
        wiping[-1].start()
        wiping[-1].join(0.2)
        return part("Which?")(columns, lines)

    panes.set_question(ScreenContent(part("Round 1"), part(), part("Hands"), asked))
    assert "Hands" in plain_text(panes.render_lines(100, 28))
    wiping[0].join(5)
    assert "Hands" not in plain_text(panes.render_lines(100, 28))


# ---------------------------------------------------------------- keyboard, mouse, and the end


class PipeScreen:
    """A whole screen on a pipe of a given size. `typed()` sends keys."""

    def __init__(self, monkeypatch, source, columns=80, lines=24):
        self.size, self.source = [lines, columns], source
        monkeypatch.setattr(LocalizedConsole, "colours", None)
        self.output = io.StringIO()
        self.panes = PaneLayout(True, pane_titles(engine_localizer("en")))
        shown = Vt100_Output(self.output, lambda: Size(*self.size), term="xterm", enable_cpr=False)
        self.full = FullScreen(self.panes, LocalizedConsole("en"), source, shown)
        self.full.open()

    def typed(self, keys, seen=""):
        """Returns the result of a question, and presses the keys once the question and `seen` are visible.

        If the question ends without the keys, they are not pressed."""
        over = threading.Event()

        def press():
            while not self.full.waiting or seen not in self.output.getvalue():
                if over.wait(0.001):
                    return
            if keys:
                self.source.send_text(keys)

        hands = threading.Thread(target=press, daemon=True)
        hands.start()
        try:
            return self.full.read_line("> ", lambda typed: [], "bar", 0)
        finally:
            over.set()
            hands.join(10)


@pytest.fixture
def pipe_screen(monkeypatch):
    with create_pipe_input() as source:
        found = PipeScreen(monkeypatch, source)
        yield found, source
        found.full.close()
        assert not found.full.thread.is_alive()


def make_pane(*lines):
    return lambda columns, high: [[Segment(line)] for line in lines]


@pytest.mark.long
def test_line_can_be_typed_or_clicked(pipe_screen):
    screen, _ = pipe_screen
    choices = [PromptOption("1", None, "a1", ()), PromptOption("2", None, "b1", ())]
    asked = [[Segment("Where?")], split_clickable_parts("  1  a1    2  b1", choices)]
    screen.panes.set_question(ScreenContent(make_pane("top"), make_pane(), make_pane(), lambda columns, high: asked))
    assert screen.typed("hello\r") == "hello"
    assert screen.typed("\x1b[<0;14;22M\x1b[<0;14;22m", "b1") == "2"


def test_busy_message_replaces_an_answered_question(pipe_screen):
    screen, _ = pipe_screen
    screen.panes.set_question(ScreenContent(make_pane("top"), make_pane(), make_pane(), make_pane("Where?")))
    assert screen.typed("1\r", "Where?") == "1"
    screen.full.show_busy("Béla is thinking…")
    shown = plain_text(screen.panes.render_lines(80, 22))
    assert "Where?" not in shown and "Béla is thinking…" in shown and screen.full.footer_text() == [("", "Béla is thinking…")]


def test_early_input_is_kept_for_the_next_question(pipe_screen):
    screen, source = pipe_screen
    screen.panes.set_question(ScreenContent(make_pane("top"), make_pane(), make_pane(), make_pane("Where?")))
    assert screen.typed("1\r", "Where?") == "1"
    source.send_text("20\r")
    until = time.time() + 5
    while screen.full.control.buffer.text != "20" and time.time() < until:
        time.sleep(0.01)
    assert screen.typed("\r") == "20"


def test_digits_right_after_escape_are_typed(pipe_screen):
    screen, _ = pipe_screen
    screen.panes.set_question(ScreenContent(make_pane("top"), make_pane(), make_pane(), make_pane("Where?")))
    screen.full.app.ttimeoutlen = 0.01                             # escape sequences are read at once
    source = screen.source

    def press():
        while not screen.full.waiting:
            time.sleep(0.001)
        source.send_text("\x1b")
        time.sleep(0.3)
        source.send_text("20\r")
    threading.Thread(target=press, daemon=True).start()
    assert screen.full.read_line("> ", lambda typed: [], "bar", 0) == "20"


PRESS, RELEASE = "\x1b[<0;14;22M", "\x1b[<0;14;22m"                 # on the second cell
ELSEWHERE = "\x1b[<0;4;22m"


@pytest.mark.parametrize("keys", ["\x1b[<2;14;22M\x1b[<2;14;22m", PRESS + ELSEWHERE, RELEASE, "\x1b[<0;;M\x1b[<0;14m",
                                  "\x1b[<0;40;22M\x1b[<0;40;22m", "\x1b[<0;14;2M\x1b[<0;14;2m"],
                         ids=["right button", "released elsewhere", "never pressed", "incomplete", "behind the cells", "story"])
def test_invalid_clicks_choose_nothing(pipe_screen, keys):
    screen, _ = pipe_screen
    choices = [PromptOption("1", None, "a1", ()), PromptOption("2", None, "b1", ())]
    asked = [[Segment("Where?")], split_clickable_parts("  1  a1    2  b1", choices)]
    screen.panes.set_question(ScreenContent(make_pane("top"), make_pane(), make_pane(), lambda columns, high: asked))
    assert screen.typed(f"{keys}typed\r", "b1") == "typed"


def test_press_and_release_on_different_screens_choose_nothing(pipe_screen):
    screen, source = pipe_screen
    choices = [PromptOption("1", None, "a1", ()), PromptOption("2", None, "b1", ())]
    asked = lambda columns, high: [[Segment("Where?")], split_clickable_parts("  1  a1    2  b1", choices)]  # noqa: E731
    screen.panes.set_question(ScreenContent(make_pane("top"), make_pane(), make_pane(), asked))
    assert screen.typed(f"{PRESS}first\r", "b1") == "first"
    screen.panes.set_question(ScreenContent(make_pane("ZZZ"), make_pane(), make_pane(), asked))
    assert screen.typed(f"{RELEASE}second\r", "Z") == "second"


@pytest.mark.long
def test_control_c_leaves_and_restores_the_terminal(pipe_screen):
    screen, _ = pipe_screen
    assert screen.typed("\x03") is None
    screen.full.close()
    assert screen.output.getvalue().rstrip().endswith("\x1b[?25h") or "\x1b[?1049l" in screen.output.getvalue()


def test_control_c_between_questions_interrupts_the_game(pipe_screen):
    screen, source = pipe_screen
    with pytest.raises(KeyboardInterrupt):
        source.send_text("\x03")
        for _ in range(1000):
            time.sleep(0.01)


def test_lost_interrupt_is_handled_at_the_next_question(pipe_screen, monkeypatch):
    """Python raises no interruption during cleanup, and no interruption wakes a thread that has just begun to wait."""
    screen, _ = pipe_screen
    lost = []
    monkeypatch.setattr(full_screen_app._thread, "interrupt_main", lambda: lost.append(True))
    screen.full.interrupt(None)
    assert screen.full.read_line("> ", lambda typed: [], "bar", 0) is None and lost


def test_closed_terminal_ends_the_game(pipe_screen):
    screen, source = pipe_screen
    source.close()
    assert screen.typed("") is None


def test_too_small_terminal_ends_the_input_line(pipe_screen):
    screen, _ = pipe_screen
    screen.size[:] = [MIN_SCREEN_SIZE[1] - 1, MIN_SCREEN_SIZE[0]]
    screen.full.request_redraw()
    assert screen.typed("") == "" and screen.full.small


def test_undo_after_the_end_returns_to_the_full_screen(play_on_full_screen, monkeypatch):
    monkeypatch.setattr(full_screen.FullScreenTerminal, "is_interactive", True)
    seen = play_on_full_screen(Desk("tic-tac-toe", [HUMAN, HUMAN]), 100, 40, ["1", "4", "2", "5", "3", "look b2", "undo", "6"])
    assert len(seen) == 9 and "Cross wins." in seen[5] and "Cross wins." in seen[6] and "Neighbours" in seen[6]
    assert "Undone: c1." in seen[7] and "  3  c1" in seen[7]


def test_result_is_shown_on_the_full_screen_and_the_terminal(play_on_full_screen, monkeypatch, capsys):
    monkeypatch.setattr(full_screen.FullScreenTerminal, "is_interactive", True)
    typed = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "7", "8", "9", ""]
    seen = play_on_full_screen(Desk("tic-tac-toe", [HUMAN, "bot:random"]), 100, 40, typed)
    assert "Final standings" in seen[-1] and "─ Map ─" in seen[-1] and "Final standings" in capsys.readouterr().out


def test_screen_is_in_the_language_of_the_asked_player(play_on_full_screen):
    seen = play_on_full_screen(Desk("tic-tac-toe", [HUMAN, HUMAN], langs=["es", "it"]), 80, 24, ["1", "4", "lang hu", "6"])
    said = [engine_localizer(lang) for lang in ("es", "it", "es", "hu", "it")]
    assert len(seen) == len(said)
    for screen, words in zip(seen, said):
        assert f"─ {words.text('full.story')} ─" in screen and screen.count(words.text("full.story")) == 1
    puts = {"es": " pone ", "it": " mette ", "hu": " teszi "}      # in the transcript
    for screen, lang in zip(seen, ("es", "it", "es", "hu", "it")):
        assert not [word for other, word in puts.items() if other != lang and word in screen], screen
    assert all(puts[lang] in screen for screen, lang in zip(seen[1:], ("it", "es", "hu", "it")))


@pytest.mark.parametrize("fewer", [(58, 19), (59, 40), (100, 19)])
def test_full_screen_returns_after_the_terminal_grows(fewer, play_on_full_screen, monkeypatch):
    behind, opened = [], []

    def scrolled(terminal, *_):                                    # in the scrolling mode, a new terminal size types an empty line
        behind.append(LocalizedConsole.screen)
        monkeypatch.setattr(LocalizedConsole, "screen", (100, 40))
        return "1" if len(behind) == 2 else ""

    def typed(sheet, *given):
        opened.append(LocalizedConsole.screen)
        if len(opened) == 2:
            sheet.small = True
            monkeypatch.setattr(LocalizedConsole, "screen", fewer)
            return ""
        return FakeFullScreen.read(sheet, *given)

    monkeypatch.setattr(full_screen.Terminal, "read", scrolled)
    monkeypatch.setattr(FakeFullScreen, "read", FakeFullScreen.read_line, raising=False)
    monkeypatch.setattr(FakeFullScreen, "read_line", typed)
    play_on_full_screen(Desk("tic-tac-toe", [HUMAN, HUMAN]), 100, 40, ["1", "2", "3"])
    assert behind == [fewer] and opened == [(100, 40)] * 5


@pytest.mark.long
def test_full_screen_starts_when_a_small_terminal_grows(play_on_full_screen, monkeypatch):
    def scrolled(terminal, *_):
        monkeypatch.setattr(LocalizedConsole, "screen", (100, 40))
        return ""

    monkeypatch.setattr(full_screen.Terminal, "read", scrolled)
    monkeypatch.setattr(FakeFullScreen, "seen", [])
    monkeypatch.setattr(full_screen, "FullScreen", FakeFullScreen)
    for name, value in {"screen": (58, 19), "utf": True, "colours": None}.items():
        monkeypatch.setattr(LocalizedConsole, name, value)
    monkeypatch.setattr(FakeFullScreen, "typing", ["1"])
    desk = Desk("tic-tac-toe", [HUMAN, HUMAN])
    full_screen.create_full_screen_session(LocalizedConsole("en"), desk.table, desk.loaded, None).run()
    assert len(FakeFullScreen.seen) == 2


def test_clear_screen_also_clears_the_full_screen(monkeypatch):
    panes = PaneLayout(True, {})
    panes.append_line("The secret of Anna.")
    console = FullScreenConsole(LocalizedConsole("en"), panes)
    full_screen.FullScreenTerminal(console).clear_screen()
    assert "secret" not in plain_text(panes.render_lines(80, 24))


def test_long_transcript_line_is_wrapped():
    panes = PaneLayout(True, {})
    panes.append_line("    When an animal is eaten, this one may be the one that gets the remains.")
    assert plain_text(panes.render_lines(40, 24)).splitlines()[1:4] == ["    When an animal is eaten, this one",
                                                           "      may be the one that gets the",
                                                           "      remains."]


def test_footer_names_scroll_keys_if_a_pane_overflows(pipe_screen):
    screen, _ = pipe_screen
    below = lambda: "".join(said for _, said in screen.full.footer_text())  # noqa: E731
    for n in range(60):
        screen.panes.append_line(f"A line of a long story: {n}.")
    screen.panes.render_lines(100, 24)
    assert "PgDn" in below()
    screen.panes.render_lines(100, 80)
    assert "PgDn" not in below()


# ---------------------------------------------------------------- the cursor


def show_board_and_list(screen):
    """A map with one option and one place to look at, above a list."""
    choices = [PromptOption("1", None, "a1", ()), PromptOption("2", None, "b1", ())]
    board = [[Segment("[2]", Style(meta={"answer": "2"})), Segment("   "), Segment("c1", Style(meta={"look": "c1"}))]]
    asked = [[Segment("Where?")], split_clickable_parts("  1  a1    2  b1", choices)]
    screen.panes.set_question(ScreenContent(make_pane("top"), lambda columns, high: board, make_pane(), lambda columns, high: asked))
    screen.full.describe = lambda line: [f"All about {line}."]


@pytest.mark.parametrize("keys, line", [("\x1b[B\r", "1"), ("\x1b[B\x1b[C\r", "2"), ("\x1b[B\x1b[A\x1b[C\r", "/look c1"),
                                        ("\x1b[Bxy\r", "xy"), ("\x1bOP", "/help")],
                         ids=["first option", "to the right", "up to the map and right", "typed text counts", "F1"])
def test_cursor_keys_choose_the_reached_cell(pipe_screen, keys, line):
    screen, _ = pipe_screen
    show_board_and_list(screen)
    assert screen.typed(keys, "b1") == line


def test_details_follow_the_cursor_and_the_mouse(pipe_screen):
    screen, _ = pipe_screen
    show_board_and_list(screen)
    screen.full.waiting = True
    screen.full.move_cursor(0, 1, None)
    shown = screen.panes.render_lines(80, 22)
    assert "All about 1." in plain_text(shown)
    assert [part.text for line in shown for part in line if part.style and part.style.reverse] == ["1  a1"]
    screen.full.hover("2")
    shown = screen.panes.render_lines(80, 22)
    assert "All about 2." in plain_text(shown) and "All about 1." not in plain_text(shown)
    assert [part.text for line in shown for part in line if part.style and part.style.reverse] == ["[2]", "2  b1"]
    screen.full.hover("")
    assert "All about" not in plain_text(screen.panes.render_lines(80, 22))
    screen.full.waiting = False


def test_words_of_the_toolbar_can_be_clicked(pipe_screen):
    screen, _ = pipe_screen
    show_board_and_list(screen)
    screen.full.waiting, screen.full.bar = True, "? · help · board"
    lines = []
    screen.full.clicks.pick = lines.append
    for part in screen.full.footer_text():
        for kind in (MouseEventType.MOUSE_DOWN, MouseEventType.MOUSE_UP) if len(part) > 2 else ():
            part[2](MouseEvent(Point(0, 0), kind, MouseButton.LEFT, frozenset()))
    screen.full.waiting = False
    assert lines == ["?", "/help", "/board"]


@pytest.mark.long
def test_details_show_effects_of_options_and_reasons_of_refusals():
    desk = Desk("dominant-species", [HUMAN] * 4, columns=100, lines=35, seed=11)
    list(desk.table.take_automatic())
    question = DecisionPrompt(desk.table.position.decision, desk.session.narrator)
    compute_previews(desk.session, question)
    first = question.choices[0]
    told = "\n".join(describe_cell(desk.session, question, first.token))
    assert told.startswith(first.text) and "[DS-PLN-01]" in told and question.hints[first.option.code].line in told
    assert [line[:3].strip() for line in describe_cell(desk.session, question, "/options 36-38")] == ["36", "37", "38"]
    tic = Desk("tic-tac-toe", [HUMAN, HUMAN])
    tic.table.play(tic.table.position.decision.options[0])
    question = DecisionPrompt(tic.table.position.decision, tic.session.narrator)
    told = describe_cell(tic.session, question, "/look a1")
    assert "[" in "".join(told[:3]) and "a1" in told[0], told


@pytest.mark.long
def test_long_answer_keeps_its_wrapped_width(play_on_full_screen):
    """The table that `board` prints was wrapped for the whole width, and then shown in a narrow column."""
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random"], seed=51)
    question, answer, *_ = play_on_full_screen(desk, 110, 40, ["board", ""])
    assert "─ Action display ─" in question and "─ Earth ─" in question
    assert "\nElements on the earth: grub b3.e, c3.e; water c2.se, d2.se; seed c3.se, c4.se;\n" in answer


@pytest.mark.long
@pytest.mark.parametrize("columns, lines, lang, summed, legend", [
    (100, 35, "it", [True, False], False), (110, 42, "es", [True, True], True), (140, 45, "hu", [True, True], True)])
def test_panels_without_room_are_summed_up_in_a_line(columns, lines, lang, summed, legend, play_on_full_screen):
    """For planning, Ludoglot shows which tiles and cards are face up, and what signs mean, or says how to see them.

    The tiles are in the free corner below the table of animals."""
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random"], lang=lang, seed=51)
    list(desk.table.take_automatic())
    titles = [panel.title for panel in build_panels(desk.table.position, desk.session.narrator, 0) if panel.summary]
    shown = play_on_full_screen(desk, columns, lines, [])[0]
    assert [f"{title}: " in shown for title in titles] == summed
    assert ("tundra" in shown.partition(f"{titles[1]}: ")[2]) == legend
    rule = shown.partition("──")[2].partition("\n╭")[0]
    assert [title in rule for title in titles] == [not drawn for drawn in summed]


@pytest.mark.long
def test_events_between_two_pawns_get_more_than_two_lines(play_on_full_screen):
    """The newest event is in sight, and at least three lines of events are."""
    desk = Desk("dominant-species", [HUMAN, "bot:random", "bot:random"], seed=51)
    first, second, *_ = play_on_full_screen(desk, 110, 40, ["37"])
    told = second.partition("── Events ")[2].partition("\n")[2].partition("\n──")[0].split("\n")
    assert len(told) >= 3 and "Player 2" in told[-1], told


def test_mats_become_rows_if_they_need_more_lines_than_there_are(play_on_full_screen):
    """On a low screen, five animals as mats hid the other players' animals. As rows, all are in sight."""
    desk = Desk("evolution", [HUMAN] * 3, seed=5)
    for _ in range(7):
        list(desk.table.take_automatic())
        desk.table.play(desk.table.position.decision.options[0])
    shown = {lines: play_on_full_screen(desk, 100, lines, [])[0] for lines in (35, 60)}
    assert "Food / needs: 0/1" in shown[60] or "╭─ animal 1 " in shown[60]
    assert "╭─ animal 1 " not in shown[35] and len(re.findall(r"│ animal \d+!? +\d/\d ", shown[35])) > 5, shown[35]


def test_panes_stay_in_place_while_their_contents_fit():
    """The status line, the question and the panels change their sizes from question to question."""
    panes = PaneLayout(True, {})

    def ask(top: int, board: int, panels: int, question: int) -> dict[str, tuple[int, int]]:
        parts = ([lambda columns, lines, n=n: [[Segment("x")]] * n for n in (top, board, panels, question)])
        panes.set_question(ScreenContent(*parts))
        panes.render_lines(100, 33)
        return {area.part: (area.y, area.high) for area in panes.areas}

    first = ask(top=2, board=12, panels=8, question=9)
    assert ask(top=1, board=12, panels=7, question=4) == first == ask(top=2, board=14, panels=6, question=7)
    wide_board = ask(top=1, board=25, panels=7, question=4)
    assert wide_board["boards"] == (1, 27) and wide_board["question"] == (28, 5)
    assert ask(top=1, board=12, panels=7, question=3) == wide_board


def test_short_question_gives_its_lines_to_a_table_that_does_not_fit():
    """Without a board, the panels are the table. They kept half of their lines hidden above empty lines of the question."""
    panes = PaneLayout(True, {})
    seen = []
    for question in (14, 5):
        parts = ([lambda columns, lines, n=n: [[Segment("x")]] * n for n in (1, 0, 30, question)])
        panes.set_question(ScreenContent(*parts))
        panes.render_lines(100, 35)
        seen.append({area.part: area.high for area in panes.areas})
    assert seen[0]["panels"] == 35 - 1 - seen[0]["question"] and seen[1]["question"] == 6 and seen[1]["panels"] == 28


def test_tables_without_a_board_have_summaries_of_panels_without_room(play_on_full_screen):
    """Twelve mines fill the screen. The tokens of the players are in a line below them, and scrolling shows the panels."""
    desk = Desk("splendor", [HUMAN, HUMAN], seed=5)
    desk.table.play(desk.table.position.decision.options[0])
    lines = play_on_full_screen(desk, 100, 35, [])[0].split("\n")
    last = next(n for n, line in enumerate(lines) if "╰" in line)
    assert "Players: " in lines[last + 1] and "d1 s1 e1" in lines[last + 1], lines[last + 1]
    assert "Bank: diamond 3" in lines[last + 2], lines[last + 2]

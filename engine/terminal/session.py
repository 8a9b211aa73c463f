"""The session of a match with people at one screen, each in their own language.

If a game has private states (such as hands), people hand the screen over. It is cleared, including the
scrollback, before the next person is asked to come."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain

from ..bots.greedy import BOTS
from ..cli.console import MAX_SCREEN_COLUMNS, LocalizedConsole, render_findings
from ..cli.notation_io import NotationInput
from ..explain.score_breakdown import has_points
from ..i18n.placeholders import text_placeholders
from ..i18n.text_layout import wrap_cells
from ..i18n.user_input import normalize, parse_int
from ..library.loaded_game import LoadedGame
from ..match.setup import HUMAN
from ..match.table import MatchTable
from ..position.position import Decision, RuleError
from ..project.describe import has_texts
from ..table_view.option_markers import (
    adjacent_places,
    are_all_options_on_boards,
    mark_members,
    mark_subjects,
    mark_targets,
    panels_with_numbers,
    places_of_option,
)
from ..table_view.panel_priority import select_panels
from ..table_view.plain_renderer import render_plain
from ..table_view.view_model import BoardPanel, ListPanel, Panel
from .audience import ScreenAudience, round_of_step
from .completion import CompletionSource, InputCompletion
from .offered import refusal_lines
from .option_layout import OptionLayout, OptionLines
from .preview_lines import compute_previews, is_undoable
from .question import (
    DECLINE_PREFIX,
    DecisionPrompt,
    PromptOption,
    split_answers,
    stable_key,
    tokens_for_decision,
)
from .table_commands import POST_GAME_COMMANDS, TABLE_COMMANDS, command_words, parse_table_command
from .tutorial import mark_explained, tutorial_lines

RESERVED_LINES = 4                             # lines left free below table and question
PROMPT_LINES = 4                             # an empty line, the input line, the toolbar, and the line of the prompt
MIN_OPTION_LINES = 8                            # lines for options, even on a low screen
MAX_CONTINUATION_LINES = 8                             # lines for uncertain previews that would displace a panel
MIN_TRANSCRIPT_LINES = 2                            # transcript lines after the first that a map leaves visible
UNSPACED_NUMBERS = re.compile(r"\d+(,\d+){2,}")     # numbers with commas that are not a place
MIN_MAP_LINES = 9                              # a smaller part of a map is not useful
UNLIMITED_LINES = 10_000                     # if the output is not a terminal
TOOLBAR_COMMANDS = ("help", "board", "cards", "log", "undo", "quit")             # shown below the input line


class Session(ScreenAudience):
    """The session of a match: the person to decide is asked, until the match is over or somebody leaves."""

    def __init__(
        self, console: LocalizedConsole, table: MatchTable, loaded: LoadedGame, max_rounds: int | None, plain: bool = False
    ) -> None:
        super().__init__(console, table, loaded, plain)
        self.max_rounds = max_rounds
        self.question: DecisionPrompt | None = None                      # the last question shown
        self.looked = False                                        # whether the table has been shown
        self.lacking: list[str] = []                               # the hint about panels that do not fit
        self.drawn: dict[str, object] = {}                         # snapshot of each panel when it was last drawn
        self.rest: list[str] = []                                  # unused answers of the typed line
        self.typed_at: DecisionPrompt | None = None                      # the question at which that line was typed
        self.gone: dict[str, str] = {}                             # stable keys of options no longer offered, by token
        self.repeated = 0                                          # how often that line has answered the same question
        self.typed_last = ""                                       # the last answer used from it
        self.unconfirmed: tuple[DecisionPrompt, PromptOption] | None = None         # an answer that must be given twice
        self.noted = NotationInput(table.game)
        self.settled: dict[int, str] = {}                          # rest of a move typed in notation, by step
        for n, step in enumerate(table.steps):                     # restore the state of a resumed game
            asked = step.before.decision if step.before is not None and not step.auto and table.is_human(step.seat) else None
            if asked is not None:
                mark_explained(self, asked)
                self.record_numbers(asked, tokens_for_decision(asked, self.previous_numbers(asked, n), self.narrator), n)

    def previous_numbers(self, decision: Decision, n: int) -> dict[str, str]:
        """Returns the tokens of the previous time that the same question was asked, up to step `n`.

        After an undo these are the tokens of step `n` itself. In games with long rounds, only the current round
        counts."""
        asked = self.numbers.get((decision.seat, decision.key), {})
        last = max((step for step in asked if step <= n), default=n)
        steps = self.table.steps
        if last >= len(steps) or round_of_step(steps[last]) == decision.position.rounds:
            return asked.get(last, {})
        end = max(k for k in range(last, len(steps)) if round_of_step(steps[k]) == round_of_step(steps[last]))
        placed = any(places_of_option(option, decision) for option in decision.options)   # other lists restart
        return asked[last] if placed and not self.is_long_round(end) else {}

    def record_numbers(self, decision: Decision, numbers: Mapping[str, str], n: int) -> None:
        """Records the tokens of the decision at step `n`.

        Options no longer offered keep their tokens until these are reused."""
        asked = self.numbers.setdefault((decision.seat, decision.key), {})
        gone = {spelling: token for spelling, token in self.previous_numbers(decision, n).items() if token not in numbers.values()}
        self.numbers[decision.seat, decision.key] = {step: known for step, known in asked.items() if step < n} | {n: gone | dict(numbers)}

    # ------------------------------------------------------------ the course of the game

    def run(self) -> int:
        """Plays until the match is over or somebody leaves; returns the exit code."""
        if not self.private or not self.terminal.is_interactive:
            self.print_welcome()
        while self.play_to_end():
            self.show_result()
            if not self.table.over or not self.terminal.is_interactive or self.question is None or not self.review_game(self.question):
                return 0
        return self.leave_game()

    def play_to_end(self) -> bool:
        """Plays until the match is over; returns False if somebody leaves before."""
        try:
            while True:
                self.show_thinking()
                for _ in self.table.take_automatic(self.max_rounds):
                    self.show_thinking()
                self.terminal.show_status("")
                if self.table.has_stopped(self.max_rounds):
                    return True
                decision = self.table.position.decision
                assert decision is not None
                if not self.switch_player(decision.seat) or not self.ask_decision(decision):
                    return False
        except KeyboardInterrupt:
            self.console.print_line()
            return False

    def print_welcome(self) -> None:
        """Prints the players and how to get help; for a new match also the description and the events of the set-up."""
        words = self.narrator.words
        who = words.list([self.narrator.player_name(seat) for seat in range(self.table.game.players)])
        self.print_message("play.welcome", game=words.text("game.name"), who=who, help=words.text("command.help"))
        self.print_paragraphs(self.narrator.active_pack_lines)
        for kind in BOTS:
            seats = [seat for seat, sits in enumerate(self.table.setup.seats) if sits == f"bot:{kind}"]
            if seats:
                self.print_message(f"seats.{kind}", who=[self.narrator.seat_value(seat) for seat in seats])
        own = [sits for sits in self.table.setup.seats if sits != HUMAN and sits.removeprefix("bot:") not in BOTS]
        for bot in dict.fromkeys(own):
            seats = [seat for seat, sits in enumerate(self.table.setup.seats) if sits == bot]
            self.print_message("seats.own", who=[self.narrator.seat_value(seat) for seat in seats], bot=bot)
        if self.table.steps:
            return
        if words.has("game.text"):
            self.print_paragraphs([words.text("game.text", **text_placeholders(self.table.game.model))])
        self.print_paragraphs([said for _, said in self.narrator.event_texts(self.table.opening)])

    def show_thinking(self) -> None:
        """Shows which bot is deciding, as long as it does."""
        decision = self.table.position.decision
        if decision is not None and not self.table.is_human(decision.seat) and not self.table.has_stopped(self.max_rounds):
            self.terminal.show_status(self.narrator.words.text("play.thinking", who=self.narrator.seat_value(decision.seat)))

    def switch_player(self, seat: int) -> bool:
        """Makes `seat` the person at the screen and prints what happened; returns False if they do not come."""
        came = seat != self.seat
        if came and self.rest:
            self.discard_rest()
        former, self.seat = self.seat, seat
        if came and self.private and self.terminal.is_interactive:
            if not self.hand_over_screen(former):
                return False
            if former < 0:
                self.print_welcome()
        self.catch_up()
        return True

    def hand_over_screen(self, former: int) -> bool:
        """Shows a public screen until the next person has come; returns False if they do not."""
        self.terminal.clear_screen()
        done = [step for step in self.table.steps if step.seat == former and not step.auto]
        if done:
            self.print_paragraphs([*self.narrator.step_lines(done[-1], None), ""])
        self.print_message("play.pass", who=self.narrator.seat_value(self.seat))
        while typed := self.terminal.read(""):
            if self.split_command(typed)[0] == "quit":
                return False
            self.print_message("play.pass", who=self.narrator.seat_value(self.seat))  # wait for the person
        if typed is None:
            return False
        self.terminal.clear_screen()
        return True

    def show_result(self) -> None:
        """Prints the final table and the result, in each language that the players read."""
        from ..explain.standing_text import breakdown_lines, standing_lines
        if self.private and self.terminal.is_interactive:
            self.terminal.clear_screen()
        start = min(self.heard.values(), default=0)
        if len(self.table.humans) > 1:
            self.seat = -1                                         # the result is for everybody
        spoken = list(dict.fromkeys(self.language_of_seat(seat) for seat in self.table.humans))
        for lang in spoken:
            self.spoken = lang
            self.print_transcript(start if self.private else self.heard.get(self.lang, start))
            self.show_final_table()
            self.print_paragraphs(["", *standing_lines(self.table, self.loaded, self.lang, self.max_rounds)])
            self.print_rows(breakdown_lines(self.table, self.loaded, self.narrator, self.width))

    def show_final_table(self) -> None:
        """Prints the table at the end."""
        self.print_block(self.render_panels(self.build_tables()[1], max_lines=self.console.screen[1] - RESERVED_LINES))

    def review_game(self, question: DecisionPrompt) -> bool:
        """Lets people inspect the finished match and ask questions until somebody leaves.

        Returns True if the last decision was taken back, so that the match continues. `question` was the last
        question."""
        words = command_words(self.narrator.words)
        score = self.narrator.words.text("why.score").partition(",")[0]
        known = [*map(words.get, ("board", "log", "look", "undo")), *([f"{words['why']} {score}"] if has_points(self.table.game) else [])]
        self.print_message("end.stay", words=known)
        while typed := (self.terminal.read(self.narrator.words.text("ask.prompt") + "> ") or "").strip():
            command, behind = self.split_command(typed)
            if command not in POST_GAME_COMMANDS:
                self.print_message("end.stay", words=known)
                continue
            outcome = TABLE_COMMANDS[command](self, question, behind)
            if outcome is not None:
                return outcome
        return False

    def leave_game(self) -> int:
        """Ends the session and prints how to resume; everything is saved already. Returns the exit code."""
        if self.private and self.terminal.is_interactive:
            self.terminal.clear_screen()
        if self.table.save is not None and self.console.in_menu:
            self.print_message("quit.saved.menu", entry=self.console.text("menu.resume"))
        elif self.table.save is not None:
            from ..match.save_index import find_last_save
            last = find_last_save()
            here = last is not None and last.resolve() == self.table.save.path.resolve()
            self.print_message("quit.saved", command="ludoglot play --resume" + ("" if here else f" {self.table.save.path}"))
        else:
            self.print_message("quit.unsaved")
        return 0

    # ------------------------------------------------------------ one decision

    def ask_decision(self, decision: Decision) -> bool:
        """Asks until the question is answered or the position has changed; returns False if the person leaves."""
        before = self.previous_numbers(decision, len(self.table.steps))
        self.question = question = DecisionPrompt(decision, self.narrator, before)
        self.record_numbers(decision, question.tokens_by_key, len(self.table.steps))
        free = {token: known for known, token in before.items() if token not in question.tokens_by_key.values()}
        gone = {
            token: known for token, known in free.items() if known not in question.tokens_by_key and not known.startswith(DECLINE_PREFIX)
        }
        wanted = self.settled.get(len(self.table.steps))
        choice = next((one for one in question.choices if one.option.spelling == wanted), None)
        if choice is not None:
            return self.play_option(choice, 1)
        if self.rest:
            typed, *left = self.rest
            numbered = self.resolve_repeated_answer(typed, question)
            meant = (question.match_answer(typed) or self.match_notation(typed, question)) if numbered is None else numbered
            otherwise = self.was_interrupted() or self.has_chance_intervened()
            fits = len(meant) == 1 and not otherwise and (numbered or not self.needs_confirmation(typed, meant[0], question))
            if fits and self.is_confirmed(meant[0], question):
                self.rest, self.typed_last = left, typed
                self.repeated += question.is_same_question(self.typed_at) if self.typed_at is not None else 0
                return self.play_option(meant[0], 1)
            if fits:
                self.rest = []
            else:
                self.discard_rest(otherwise)
        if self.was_interrupted() or not self.looked:                  # a person who has just come sees the table first
            self.show_prompt(question, self.build_tables()[1])
        else:
            self.show_prompt(question, self.boards_to_redraw(question))
        self.looked = True
        while True:
            line = self.terminal.read(
                self.narrator.words.text("ask.prompt") + "> ", self.make_completion_source(question), self.toolbar_text(), self.seat
            )
            if line is None:
                return False
            typed = line.strip()
            if not typed:                                          # also after a change of the terminal size
                self.show_prompt(question, self.build_tables()[1])
                continue
            command, behind = self.split_command(typed)
            named = question.match_beginning(typed) if command and typed[0] not in "/?" else []
            if named and not behind and not question.is_full_text(typed):     # an option or a command?
                self.print_message("prompt.word", typed=typed, word=f"/{typed}")
                self.print_options(named)
                continue
            if command and not named:
                outcome = TABLE_COMMANDS[command](self, question, behind)
                if outcome is not None:
                    return outcome
                continue
            several = [] if question.match_answer(typed) else self.noted.split_moves(self.table.position, typed, self.narrator.words)
            first, *self.rest = several or split_answers(typed, question)
            self.typed_at, self.typed_last, self.gone, self.repeated = question, first, free, 0
            if first in gone and not question.match_answer(first):
                self.print_refusal(first, question, gone[first])
            elif (choice := self.resolve_answer(first, question)) is not None and self.is_confirmed(choice, question):
                return self.play_option(choice, 0)
            self.rest = []

    def resolve_repeated_answer(self, typed: str, question: DecisionPrompt) -> list[PromptOption] | None:
        """Resolves a number or a repeated answer further on in a typed line, if the same question comes again.

        A number means the option that had it when the line was typed. Returns None if this does not decide it."""
        asked = self.typed_at
        if asked is not None and typed == self.typed_last and not question.is_same_question(asked) and not question.asks_quantity:
            before = asked.find_numbered(typed)
            again = [one for one in question.choices if before is not None and one.text == before.text]     # the same answer again
            return again or ([] if self.repeated else None)        # typed too often
        if asked is None or not question.is_same_question(asked) or question.asks_quantity or parse_int(normalize(typed)) is None:
            return None
        numbered = asked.find_numbered(typed)
        wanted = numbered.option.spelling if numbered is not None else self.gone.get(normalize(typed))
        return [one for one in question.choices if wanted in (one.option.spelling, stable_key(one.option, question.declining))]

    def split_command(self, typed: str) -> tuple[str, str]:
        """Returns the command at the beginning of a line, or "", and the rest of the line."""
        return parse_table_command(typed, self.narrator.words)

    def resolve_answer(self, typed: str, question: DecisionPrompt) -> PromptOption | None:
        """Returns the option that an answer means; if several match, they are printed."""
        meant = question.options_at(adjacent_places(self.table.game.model, self.narrator.words.parse_corner(normalize(typed))))
        if not meant:
            meant = question.match_answer(typed)
            if len(meant) == 1 and self.needs_confirmation(typed, meant[0], question):
                self.print_message("prompt.sure", typed=typed, option=meant[0].text, token=meant[0].token)
                return None
            if len(meant) == 1:
                return meant[0]
        for noted in self.match_notation(typed, question):
            return noted
        if meant:
            self.print_message("prompt.which", typed=typed, n=len(meant))
            self.print_options(meant)
        else:
            self.print_refusal(typed, question)
        return None

    def match_notation(self, typed: str, question: DecisionPrompt) -> list[PromptOption]:
        """Returns the option of a move typed in notation, or nothing. Further decisions of the move are settled with it."""
        first, *rest = self.noted.match_move(self.table.position, typed, self.narrator.words) or [""]
        found = [one for one in question.choices if first and one.option.spelling == first][:1]
        self.settled = dict(enumerate(rest, start=len(self.table.steps) + 1)) if found else self.settled
        return found

    def print_refusal(self, typed: str, question: DecisionPrompt, suggestion: str = "") -> None:
        """Prints why an answer is not an option.

        `suggestion` is the stable key of the option that had this number before."""
        if UNSPACED_NUMBERS.fullmatch(typed):
            self.print_message("prompt.blanks", typed=typed.replace(",", ", "))
        elif suggestion and (lines := refusal_lines(self.table, self.loaded, self.narrator, suggestion, self.width)):
            self.print_rows(lines)
        elif question.is_unknown_number(typed):
            known = {int(one.token) for one in question.choices if one.token}
            gone = known != set(range(1, len(known) + 1))
            self.print_message(
                "prompt.number.gone" if gone else "prompt.number", number=parse_int(normalize(typed)) or 0, last=max(known, default=0)
            )
            if found := question.match_words(typed):
                self.print_message("prompt.number.words", typed=typed, n=len(found))
                self.print_options(found)
        elif lines := refusal_lines(self.table, self.loaded, self.narrator, typed, self.width):
            self.print_rows(lines)
        else:
            self.print_message("prompt.unknown", typed=typed, help=self.narrator.words.text("command.help"))

    def needs_confirmation(self, typed: str, prompt_option: PromptOption, question: DecisionPrompt) -> bool:
        """Whether an answer needs confirmation: it matches only inside the text of the option, which cannot be undone."""
        return question.is_inner_match(typed) and not is_undoable(self, question, prompt_option)

    def is_confirmed(self, prompt_option: PromptOption, question: DecisionPrompt) -> bool:
        """Whether an option may be played at once. If it must be confirmed, it says so, and the same answer confirms it."""
        if not self.confirming or self.unconfirmed == (question, prompt_option) or is_undoable(self, question, prompt_option):
            return True
        self.unconfirmed = question, prompt_option
        self.print_message("prompt.confirm", option=prompt_option.text, token=prompt_option.token)
        return False

    def play_option(self, choice: PromptOption, more: int) -> bool:
        """Plays an option. `more` is nonzero if it comes from the same typed line as the option before."""
        lines = self.lines.setdefault(self.seat, [])
        if more and lines:
            lines[-1] += 1
        else:
            lines.append(1)
        try:
            self.table.play(choice.option)
        except RuleError as error:
            self.console.print_stderr(render_findings(LocalizedConsole(self.lang), [error.diagnostic]))
            self.rest = []
        return True

    def discard_rest(self, otherwise: bool = True) -> None:
        """Discards the remaining answers of a line and says why.

        Either something unexpected has happened (`otherwise`), or the first of them does not answer the question."""
        rest, typed = self.narrator.words.list(list(self.rest)), self.rest[0]
        asked = self.typed_at
        same = asked is not None and self.question is not None and self.question.is_same_question(asked)
        meant = asked.find_numbered(typed) if asked is not None and same else None
        if meant is not None and not otherwise:
            self.print_message("prompt.rest.gone", rest=rest, typed=typed, option=meant.text)
        else:
            self.print_message("prompt.rest" if otherwise else "prompt.rest.unfit", rest=rest, typed=typed)
        self.rest = []

    def has_chance_intervened(self) -> bool:
        """Whether chance was involved since the person's last decision."""
        steps = self.table.steps[max(0, self.step_after_own_decision(self.seat) - 1):]
        return any(told.key == "chance" and not told.secret for step in steps for told in step.events)

    def show_prompt(self, question: DecisionPrompt, table: list[Panel] | None = None) -> None:
        """Prints the question with its options, below as much of the table as fits.

        The tutorial is directly above the question. If required panels would not fit then, it is above the table."""
        top, text = self.status_lines(), wrap_cells(question.text, self.width)
        taught = self.tutorial_block(question)
        high = self.console.screen[1] - self.kept - len(top) + 1
        compute_previews(self, question)
        if table is not None:
            self.drawn |= {panel.key: self.panel_snapshot(panel) for panel in table}
            self.mark_panels(table, question)
        lines, shown = self.lay_out_question(question, table, high - len(taught), len(text))
        if table is not None and taught and any(without := self.missing_panel_flags(question, table, lines)):
            other = self.lay_out_question(question, table, high, len(text))
            if self.missing_panel_flags(question, table, other[0]) < without:
                self.print_rows(taught[:-1])                       # an empty line follows
                (lines, shown), taught = other, []
        if table is not None:
            self.print_block(lines)
        self.print_rows([*top, *taught, *map(self.format_bold, text), *shown.lines])
        if shown.left:
            self.print_message("prompt.more", n=shown.left, all=self.narrator.words.text("command.options"))

    def lay_out_question(self, question: DecisionPrompt, table: list[Panel] | None, high: int, asked: int) -> tuple[list[str], OptionLines]:
        """Returns the lines of the table and of the options for a screen of `high` lines, with a question of `asked` lines."""
        room = max(MIN_OPTION_LINES, high - asked - RESERVED_LINES)
        offer, most = OptionLayout(self, question), room if self.console.terminal else UNLIMITED_LINES
        rows, left, _ = offer.lay_out(max(MIN_OPTION_LINES, room // 2), most)
        if table is None:
            return [], OptionLines(rows, left)
        lines, short = self.table_above_prompt(question, table, len(rows), high - asked - RESERVED_LINES)
        if short is None and (without := self.missing_panel_flags(question, table, lines)):
            placed = list(self.options_on_panels(question, table, high - asked - RESERVED_LINES))
            unsure = (offer.lay_out(1, most, least) for least in (MAX_CONTINUATION_LINES, 1, 0) if offer.unsure)
            for less in chain(placed, unsure, offer.iter_denser()):    # previews give way to required panels
                other = self.table_above_prompt(question, table, len(less.lines), high - asked - RESERVED_LINES)
                drawn = [line for line in other[0] if line not in self.lacking]
                unseen = less in placed and find_missing_panels(panels_with_numbers(table), drawn)
                if not unseen and (fewer := self.missing_panel_flags(question, table, other[0])) < without:
                    lines, short, without = other[0], other[1] or less, fewer
                if not without:
                    break
            alone = self.numbered_list_alone(question, table, high - asked)
            if alone[0] and find_missing_panels(panels_with_numbers(table), [line for line in lines if line not in self.lacking]):
                return alone
        return lines, short or OptionLines(rows, left)

    def numbered_list_alone(self, question: DecisionPrompt, table: list[Panel], room: int) -> tuple[list[str], OptionLines]:
        """Returns the list of places that shows the number of each option, without its legend, and the lines below it.

        On a low screen, news and other panels give way to it. Empty if it does not fit even so."""
        bare = self.on_board_hint(question)
        panels: list[Panel] = [replace(panel, legend={}, whole={}) for panel in panels_with_numbers(table) if isinstance(panel, ListPanel)]
        if self.plain or len(panels) != 1 or not self.has_all_options_on(question, table):
            return [], OptionLines(bare)
        for lines in ([*bare, *OptionLayout(self, question).preview_groups(1).lines], bare):
            if board := self.render_panels(panels, max(1, room + self.kept - len(lines) - PROMPT_LINES)):
                return board, OptionLines(lines, 0, False)
        return [], OptionLines(bare)

    def missing_panel_flags(self, question: DecisionPrompt, table: list[Panel], lines: list[str]) -> list[bool]:
        """Returns for each required panel, the most important first, whether it is missing from these lines.

        Returns an empty list if none is missing."""
        first, _ = select_panels(table, question.decision)
        hidden = find_missing_panels(first, [line for line in lines if line not in self.lacking])
        return [panel in hidden for panel in first] if hidden and not self.plain else []

    def missing_panel_hint(self, panels: list[Panel]) -> list[str]:
        """Returns a hint how to see panels that do not fit."""
        words = self.narrator.words
        titles = list(dict.fromkeys(panel.title for panel in panels))
        return wrap_cells(words.text("board.unseen", titles=titles, example=f"{words.text('command.board')} {titles[0]}"), self.width)

    def mark_panels(self, panels: list[Panel], question: DecisionPrompt) -> None:
        """Marks the options' numbers and the subject of the question on the panels."""
        mark_targets(panels, self.table.game.model, question.targets)
        if not self.plain:
            mark_members(panels, question.targets)
            mark_subjects(panels, question.decision, self.narrator.words.text("table.asked"))

    def tutorial_block(self, question: DecisionPrompt) -> list[str]:
        """Returns the tutorial text for a new kind of question, followed by an empty line, if the tutorial is on."""
        lines = tutorial_lines(self, question) if self.teaching else []
        return [*lines, ""] if lines else []

    def table_above_prompt(
        self, question: DecisionPrompt, table: list[Panel], rows: int, room: int
    ) -> tuple[list[str], OptionLines | None]:
        """Returns the table above a question that has `rows` lines of options.

        If the options would displace a board with their numbers, the second result is a shorter layout to use
        instead."""
        if self.plain:
            return self.render_panels(table, max(1, room - rows)), None
        first, others = select_panels(table, question.decision)
        lines = self.render_panels([*first, *others], max(1, room - rows), len(first))
        unseen: list[str] = []                                     # the hint about required panels that do not fit
        if hidden := find_missing_panels(first, lines):
            unseen = self.missing_panel_hint(hidden)
            lines = self.render_panels([*first, *others], max(1, room - rows - len(unseen)), len(first))
            # may displace others
            unseen = self.missing_panel_hint(hidden) if (hidden := find_missing_panels(first, lines)) else []
            lines += unseen if lines and len(lines) + len(unseen) <= room - rows else []
        self.lacking = unseen
        bare, each = self.on_board_hint(question), self.has_all_options_on(question, table)
        short = bare + OptionLayout(self, question).preview_groups(max(1, min(MIN_OPTION_LINES, room // 3) - len(bare))).lines
        if rows > max(MIN_OPTION_LINES, len(short)) and each and isinstance(first[0], BoardPanel):
            board = self.render_panels(first[:1], room - len(short))
            if len(board) > len(self.render_panels(first[:1], max(1, room - rows))):
                return board, OptionLines(short)
        maps: list[Panel] = [panel for panel in first if isinstance(panel, BoardPanel) and not panel.is_simple
                             and any(spot.target or spot.aimed for spot in panel.spots)]
        told = min(MIN_TRANSCRIPT_LINES, max(0, self.fresh - 1))                  # keep a short transcript visible
        if not maps and not lines and self.console.terminal:         # a part of the map is better than none
            ground: list[Panel] = [panel for panel in first if isinstance(panel, BoardPanel) and not panel.is_simple]
            board = self.render_panels(ground[:1], max(1, room - rows - told), cut=True) if ground else []
            return (board if len(board) >= MIN_MAP_LINES else unseen), None
        maps = maps[:1]
        if not self.console.terminal or not maps or self.render_panels(maps, max(1, room - rows)):
            return lines, None
        few = max(2, min(MIN_OPTION_LINES, room - MIN_MAP_LINES - 1, room // 3)) + 1    # one line is for the number of omitted options
        some = OptionLayout(self, question).lay_out(few, few)
        if each and (some.left * 2 > len(question.choices) or len(some.lines) > len(short)):
            some = OptionLines(short)                                     # the map is more useful
        for form in [some, *([OptionLines(bare)] if each and not lines else [])]:
            board = self.render_panels(maps, max(1, room - told - len(form.lines) - bool(form.left)), cut=True)
            if len(board) >= MIN_MAP_LINES:
                return board, form
        return lines or unseen, None

    def on_board_hint(self, question: DecisionPrompt, width: int = 0) -> list[str]:
        """Returns the lines in place of a list of options whose numbers are on the table."""
        words = self.narrator.words
        bare = wrap_cells(words.text("prompt.on_board", all=words.text("command.options")), width or self.width)
        return bare + OptionLayout(self, question, width).on_demand_hint()

    def has_all_options_on(self, question: DecisionPrompt, table: list[Panel]) -> bool:
        """Whether the table shows the number of each option."""
        return len(question.targets) == len(question.choices) and are_all_options_on_boards(table, question.targets)

    def options_on_panels(self, question: DecisionPrompt, table: list[Panel], room: int) -> Iterator[OptionLines]:
        """Yields ever fewer lines with previews in place of the list, if the table shows the number of each option."""
        bare = self.on_board_hint(question)
        for most in (room // 3, MIN_OPTION_LINES, MIN_OPTION_LINES // 2, 1) if self.has_all_options_on(question, table) else ():
            yield OptionLines(bare + OptionLayout(self, question).preview_groups(max(1, most - len(bare))).lines, 0, False)

    def boards_to_redraw(self, question: DecisionPrompt) -> list[Panel] | None:
        """Returns the panels to draw again for a question, or None.

        Candidates are the required panels, or else the first panel. Boards with places to choose are drawn, panels that
        have changed since they were last drawn, and hands, unless the options name everything in them."""
        if self.plain:
            return None
        first, others = select_panels(self.build_tables()[1], question.decision)
        panels = first or others[:1]
        stale = [panel.key for panel in panels if self.drawn.get(panel.key) != self.panel_snapshot(panel)]
        mark_targets(panels, self.table.game.model, question.targets)
        mark_members(panels, question.targets)
        found: list[Panel] = [panel for panel in panels if panel.key in stale or panel.key.startswith("hand ")
                              or isinstance(panel, BoardPanel) and any(spot.target or spot.aimed for spot in panel.spots)]
        return found or None

    def panel_snapshot(self, panel: Panel) -> object:
        """Returns the content of a panel together with the screen size, to detect changes."""
        return self.console.screen, panel.content if isinstance(panel, BoardPanel) else render_plain([panel], MAX_SCREEN_COLUMNS)

    def make_completion_source(self, question: DecisionPrompt) -> CompletionSource:
        """Returns a function that completes a partly typed line to options and commands."""
        words = command_words(self.narrator.words)

        def find_completions(typed: str) -> list[InputCompletion]:
            part = typed[max(typed.rfind(","), typed.rfind(";")) + 1 :].lstrip()
            found = [InputCompletion(len(part), choice.text, choice.list_entry.strip()) for choice in question.find_completions(part)]
            if part == typed.lstrip():
                stroke, begun = "/" * part.startswith("/"), part.removeprefix("/").casefold()
                found += [InputCompletion(len(part), stroke + words[name], stroke + words[name])
                          for name in TABLE_COMMANDS if part and words[name].startswith(begun)]
            return found
        return find_completions

    @cached_property
    def has_card_texts(self) -> bool:
        """Whether anything in the game has a text of its own, as cards have. This does not depend on the language."""
        return has_texts(self.narrator)

    def toolbar_text(self) -> str:
        """Returns the available commands in one line."""
        words = command_words(self.narrator.words)
        shown = [name if name != "cards" or self.has_card_texts else "rules" for name in TOOLBAR_COMMANDS]
        return (" · " if self.console.utf else " | ").join(["?", *(words[name] for name in shown)])


def find_missing_panels(panels: list[Panel], lines: list[str]) -> list[Panel]:
    """Returns the panels with a title that is not in these lines."""
    return [panel for panel in panels if panel.title and not any(panel.title in line for line in lines)]

"""The session of a match with people at one screen, each in their own language.

If a game has private states (such as hands), people hand the screen over. It is cleared, including the
scrollback, before the next person is asked to come."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from ..bots.greedy import BOTS
from ..cli.console import LocalizedConsole, render_findings
from ..i18n.placeholders import text_placeholders
from ..i18n.user_input import normalize, parse_int
from ..library.loaded_game import LoadedGame
from ..match.setup import HUMAN
from ..match.table import MatchTable
from ..position.points import has_points
from ..position.position import Decision, RuleError
from ..project.describe import has_texts
from ..table_view.option_markers import find_adjacent_places, places_of_option
from .audience import round_of_step
from .completion import CompletionSource, InputCompletion
from .offered import refusal_lines
from .preview_lines import is_undoable
from .prompt_screen import RESERVED_LINES, PromptScreen
from .question import DECLINE_PREFIX, DecisionPrompt, PromptOption, split_answers, stable_key, tokens_for_decision
from .table_commands import POST_GAME_COMMANDS, TABLE_COMMANDS, command_words, parse_table_command
from .tutorial import mark_explained

UNSPACED_NUMBERS = re.compile(r"\d+(,\d+){2,}")     # numbers with commas that are not a place
TOOLBAR_COMMANDS = ("help", "board", "cards", "log", "undo", "quit")             # shown below the input line


class Session(PromptScreen):
    """The session of a match: the person to decide is asked, until the match is over or somebody leaves."""

    def __init__(
        self, console: LocalizedConsole, table: MatchTable, loaded: LoadedGame, max_rounds: int | None, plain: bool = False
    ) -> None:
        super().__init__(console, table, loaded, plain)
        self.max_rounds = max_rounds
        self.question: DecisionPrompt | None = None                      # the last question shown
        self.looked = False                                        # whether the table has been shown
        self.rest: list[str] = []                                  # unused answers of the typed line
        self.typed_at: DecisionPrompt | None = None                      # the question at which that line was typed
        self.gone: dict[str, str] = {}                             # stable keys of options no longer offered, by token
        self.repeated = 0                                          # how often that line has answered the same question
        self.typed_last = ""                                       # the last answer used from it
        self.unconfirmed: tuple[DecisionPrompt, PromptOption] | None = None         # an answer that must be given twice
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
        for team in self.table.game.teams:
            if len(team.seats) > 1:
                self.print_message("play.partners", who=[self.narrator.seat_value(seat) for seat in team.seats])
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
        self.print_paragraphs([said for _, said in self.narrator.event_texts(self.table.opening, self.seat)])

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
            completion, toolbar = self.make_completion_source(question), self.toolbar_text()
            with self.table.pondering(decision.position):
                line = self.terminal.read(self.narrator.words.text("ask.prompt") + "> ", completion, toolbar, self.seat)
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
        meant = question.options_at(find_adjacent_places(self.table.game.model, self.narrator.words, typed))
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

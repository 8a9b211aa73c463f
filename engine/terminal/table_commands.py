"""The commands at the prompt.

Each is a function of the audience, the current question, and the rest of the typed line. It returns None to
read on at the same question, True to show the question again, and False to leave."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

from ..cli.console import UsageError
from ..cli.input_values import parse_path
from ..errors import MessageError
from ..i18n import Localizer
from ..i18n.languages import LANGUAGES, PSEUDO_LANGUAGE, language_codes_by_name, native_language_names, parse_language_code
from ..i18n.text_layout import pad_cells, wrap_cells
from ..i18n.user_input import normalize, parse_int
from ..match.table import UndoError
from ..narration.transcript import full_lines
from ..preview.transcript_changes import TranscriptWithChanges
from ..project.describe import describe_named, visible_text_lines
from .audience import ScreenAudience
from .inspect_command import match_options, print_inspection
from .preview_lines import compute_previews, make_previews, preview_of, preview_rows, print_preview
from .question import DecisionPrompt, parse_command
from .tutorial import toggle_tutorial

DEFAULT_LOG_LINES = 20                             # default of `log`
MAX_CHANGE_LINES = 1000                          # practically unlimited

CommandOutcome = bool | None
TableCommand = Callable[[ScreenAudience, DecisionPrompt, str], CommandOutcome]


def command_words(words: Localizer) -> dict[str, str]:
    """Returns what to type for each command, in one language."""
    return {name: words.text(f"command.{name}") for name in TABLE_COMMANDS}


def parse_table_command(typed: str, words: Localizer) -> tuple[str, str]:
    """Returns the command at the beginning of a line, or "", and the rest of the line."""
    known = {name: words.text(f"command.{name}") for name in (*TABLE_COMMANDS, *EARLIER_COMMANDS)}
    name, rest = parse_command(typed, known) or ("", "")
    return EARLIER_COMMANDS.get(name, name), rest


def show_help(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    words = here.narrator.words
    rows = [("1, 2, ...", words.text("help.pick")), ("1, 2", words.text("help.several")), ("?", words.text("help.why")),
            (f"/{words.text('command.save')}", words.text("help.stroke"))]
    rows += [(word, words.text(f"help.{name}")) for name, word in command_words(words).items() if name != "why"]
    if here.has_scrolling_panes:
        rows += [("F6", words.text("help.parts")), (words.text("help.arrows"), words.text("help.cursor"))]
    wide = max(cell_len(row[0]) for row in rows)
    here.print_message("help.title")
    for word, meaning in rows:
        here.print_paragraphs([f"  {pad_cells(word, wide)}  {meaning}"])
    return None


def show_board(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    _, panels = here.build_tables()
    found = [panel for panel in panels if normalize(panel.title).startswith(normalize(rest))]
    if not found:
        here.print_message("board.unknown", typed=rest, titles=list(dict.fromkeys(panel.title for panel in panels if panel.title)))
    here.print_block(here.render_panels(found) if found else [])
    return None


def show_cards(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Prints the texts of the visible cards on the table and in the person's hand, or of one named thing."""
    if rest:
        try:
            here.print_paragraphs(describe_named(here.loaded, here.narrator, rest, here.width, places=False))
        except UsageError as error:
            here.print_paragraphs([here.narrator.words.message(error.key, **error.params)])
        return None
    found = visible_text_lines(here.table.position, here.narrator, here.seat, here.width)
    here.print_rows(found)
    if not found:
        here.print_message("cards.none")
    return None


def show_rules(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Prints the contents of the rulebook for this table, or one chapter."""
    from .rulebook_pager import chapter_page, table_of_contents
    book, words = here.get_rulebook(), here.narrator.words
    if rest:
        here.print_block(chapter_page(book, rest, words, here.width, here.console.screen[1], words.text("command.rules")))
    else:
        here.print_block(table_of_contents(book, here.width))
        here.print_message("rules.which", command=words.text("command.rules"), number=book.chapters[0].number)
    return None


def show_options(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Prints all options, or those that match, one per line with previews and texts."""
    found = question.match_number_list(rest) or match_options(here, question, rest) if rest else question.choices
    if not found:
        here.print_message("prompt.unknown", typed=rest, help=here.narrator.words.text("command.help"))
    compute_previews(here, question, asked=True)
    if rest and found and here.show_only(question, found):
        return None
    if any(preview_of(question, one).changes or preview_of(question, one).texts for one in found):
        here.print_rows(list(preview_rows(here, question, True, here.width, found)))
    else:
        here.print_options(found)
    return None


def show_log(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    items = TranscriptWithChanges(here.table, here.narrator, here.viewer).build_lines()
    many = parse_int(normalize(rest))
    many = DEFAULT_LOG_LINES if many is None else many
    lines = full_lines(items[len(items) - min(many, len(items)):])
    told = [here.format_bold(line) if heading else line for line, heading in lines] or [here.narrator.words.text("log.empty")]
    here.print_paragraphs([*here.narrator.active_pack_lines, *told])
    return None


def show_news(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Prints what has happened since the person's last decision, including its own effects if those were last
    shown.

    With any text after the command, it prints changes on the table instead."""
    start = min(here.step_after_own_decision(here.seat), here.newest.get(here.listener_key(here.viewer), len(here.table.steps)))
    if start >= len(here.table.steps):
        here.print_message("news.none")
        return None
    if rest:
        here.print_paragraphs(here.table_change_lines(*here.build_tables(), MAX_CHANGE_LINES))
    else:
        here.print_transcript(start, anew=True)
    return None


def undo_line(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Takes back the decisions of the last typed line."""
    words = here.narrator.words
    seat = here.seat
    if not here.private or here.seat < 0:                       # the next person may undo it too
        seat = next((step.seat for step in reversed(here.table.steps) if not step.auto and here.table.is_human(step.seat)), seat)
    lines = here.lines.get(seat, [])
    try:
        taken = here.table.undo(seat, lines[-1] if lines else 1, [seat] if here.private and here.terminal.is_interactive else None)
    except UndoError as error:
        nothing = error.key == "undo.nothing"
        here.print_paragraphs([words.text(error.key) if nothing else words.text("undo.revealed", reason=words.text(error.key))])
        return None
    if lines:
        lines.pop()
    here.heard = {who: min(heard, len(here.table.steps)) for who, heard in here.heard.items()}
    for step in taken:                                          # a line with several answers is undone as a whole
        here.print_message(
            "undo.done", option=here.narrator.choice_text(step.key, step.seat, step.option, step.context, False, step.before)
        )
    return True


def answer_why(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Explains the question with its clauses, or why something is not offered."""
    from ..explain.answer import DECIDER, list_why_lines
    viewer = here.viewer if here.table.over else DECIDER
    here.print_rows(list_why_lines(here.table, here.loaded, here.narrator, rest, here.width, viewer, spoken=True,
                        numbers={one.option.spelling: one.token for one in question.choices}))
    return None


def save_copy(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Prints where the game is saved, or saves a copy to a given file."""
    saved = here.table.save
    if saved is None:
        here.print_message("quit.unsaved")
        return None
    if rest:
        try:
            saved.copy_to(parse_path(rest))
        except MessageError as error:
            here.print_paragraphs([here.narrator.words.message(error.key, **error.params)])
            return None
        except OSError as error:
            here.print_message("file.unwritable", file=rest, reason=error.strerror or "")
            return None
    here.print_message("save.done", file=rest or str(saved.path))
    return None


def change_language(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Changes the language of the person at the screen, by code or name."""
    spoken = [here.narrator_for(lang).words for lang in LANGUAGES]
    names = {normalize(words.text(f"language.{lang}")): lang for words in spoken for lang in LANGUAGES}
    names |= {normalize(name): lang for name, lang in language_codes_by_name().items()}
    lang = names.get(normalize(rest)) or (parse_language_code(rest) if rest else None)
    if lang is None or lang == PSEUDO_LANGUAGE:
        known = ", ".join(f"{lang} ({name})" for lang, name in native_language_names().items())
        here.print_message(*(("usage.language",) if rest else ("lang.which",)), name=rest, languages=known)
        return None
    here.set_language(lang)
    return True


def preview_option(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Prints what an option would change, without choosing it."""
    meant = question.match_answer(rest)
    if len(meant) == 1:
        print_preview(here, question, meant[0])
    elif meant:
        here.print_message("prompt.which", typed=rest, n=len(meant))
        here.print_options(meant)
    else:
        here.print_message("prompt.unknown" if rest else "foresee.which", typed=rest, help=here.narrator.words.text("command.help"))
    return None


def toggle_previews(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Switches option previews on or off."""
    words = here.narrator.words
    wanted = parse_on_off(words, rest)
    here.hinting = not here.hinting if wanted is None else wanted
    here.print_message("hints.on" if here.hinting else "hints.off")
    return True


def toggle_teaching(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Switches the tutorial on or off."""
    toggle_tutorial(here, parse_on_off(here.narrator.words, rest))
    return True


def toggle_confirmation(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Switches on or off that an answer must be given twice if it cannot be undone."""
    wanted = parse_on_off(here.narrator.words, rest)
    here.confirming = not here.confirming if wanted is None else wanted
    here.print_message("confirm.on" if here.confirming else "confirm.off")
    return None


def parse_on_off(words: Localizer, typed: str) -> bool | None:
    """Parses `on` or `off`, in English or the current language; None for other text."""
    return {normalize(words.text("hints.word.on")): True, "on": True, normalize(words.text("hints.word.off")): False,
            "off": False}.get(normalize(typed))


def show_bot_advice(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Prints which option a strong bot would choose, what it would change, and what to expect of the next best.

    If the game runs in C, the search uses extra seconds, so the numbers can differ between two matches."""
    from ..bots.rng import decision_rng
    from ..preview.bot_advice import make_advice
    decision, table = question.decision, here.table
    if len(decision) == 1:
        here.print_message("advice.only")
        return None
    found = table.weigh(decision.position, decision.seat, decision_rng(table.setup.seed, decision.seat, len(table.steps)))
    advice = make_advice(found, make_previews(here, question), here.narrator)
    here.print_paragraphs(wrap_cells(advice.take, here.width))
    here.print_paragraphs([f"  {part}" for part in advice.changes])
    here.print_paragraphs(wrap_cells(advice.next_best, here.width) if advice.next_best else [])
    return None


def inspect_item(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    """Prints details of a place, a thing, or a player."""
    print_inspection(here, question, rest)
    return None


def leave_table(here: ScreenAudience, question: DecisionPrompt, rest: str) -> CommandOutcome:
    return False


TABLE_COMMANDS: dict[str, TableCommand] = {
    "help": show_help, "board": show_board, "cards": show_cards, "rules": show_rules, "options": show_options, "log": show_log,
    "news": show_news, "why": answer_why, "look": inspect_item, "try": preview_option, "preview": toggle_previews,
    "advice": show_bot_advice, "teach": toggle_teaching, "undo": undo_line, "confirm": toggle_confirmation, "save": save_copy, "lang": change_language,
    "quit": leave_table,
}
EARLIER_COMMANDS = {"hints": "preview", "hint": "advice"}           # words that are understood and not shown
POST_GAME_COMMANDS = ("board", "cards", "rules", "log", "news", "look", "why", "save", "undo", "quit")     # at the end

"""The commands at the prompt.

Each is a function of the audience, the current question, and the rest of the typed line. It returns None to
read on at the same question, True to show the question again, and False to leave."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

from ..bots.rng import decision_rng
from ..cli.console import UsageError
from ..cli.input_values import parse_path
from ..errors import MessageError
from ..i18n import Localizer
from ..i18n.languages import LANGUAGES, PSEUDO_LANGUAGE, language_codes_by_name, native_language_names, parse_language_code
from ..i18n.text_layout import arrange_columns, pad_cells, wrap_cells
from ..i18n.user_input import normalize, parse_int
from ..match.table import UndoError
from ..narration.transcript import full_lines
from ..preview.transcript_changes import TranscriptWithChanges
from ..project.describe import describe_named, visible_text_lines
from .audience import ScreenAudience
from .inspect_command import match_options, print_inspection, print_word
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


def show_help(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    words = audience.narrator.words
    rows = [("1, 2, ...", words.text("help.pick")), ("1, 2", words.text("help.several")), ("?", words.text("help.why")),
            (f"/{words.text('command.save')}", words.text("help.stroke"))]
    rows += [(word, words.text(f"help.{name}")) for name, word in command_words(words).items() if name != "why"]
    if audience.has_scrolling_panes:
        rows += [("F6", words.text("help.parts")), (words.text("help.arrows"), words.text("help.cursor"))]
    wide = max(cell_len(row[0]) for row in rows)
    audience.print_message("help.title")
    for word, meaning in rows:
        audience.print_paragraphs([f"  {pad_cells(word, wide)}  {meaning}"])
    return None


def show_board(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    _, panels = audience.build_tables()
    found = [panel for panel in panels if normalize(panel.title).startswith(normalize(argument))]
    if not found:
        audience.print_message("board.unknown", typed=argument, titles=list(dict.fromkeys(panel.title for panel in panels if panel.title)))
    audience.print_block(audience.render_panels(found) if found else [])
    return None


def show_cards(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints the texts of the visible cards on the table and in the person's hand, or of one named thing."""
    if argument:
        try:
            audience.print_paragraphs(describe_named(audience.loaded, audience.narrator, argument, audience.width, places=False))
        except UsageError as error:
            audience.print_paragraphs([audience.narrator.words.message(error.key, **error.params)])
        return None
    found = visible_text_lines(audience.table.position, audience.narrator, audience.seat, audience.width)
    audience.print_rows(found)
    if not found:
        audience.print_message("cards.none")
    return None


def show_rules(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints the contents of the rulebook for this table, or one chapter."""
    from .rulebook_pager import chapter_page, table_of_contents
    book, words = audience.get_rulebook(), audience.narrator.words
    if argument:
        audience.print_block(chapter_page(book, argument, words, audience.width, audience.console.screen[1], words.text("command.rules")))
    else:
        audience.print_block(table_of_contents(book, audience.width))
        audience.print_message("rules.which", command=words.text("command.rules"), number=book.chapters[0].number)
    return None


def show_options(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints all options, or those that match, one per line with previews and texts."""
    found = question.match_number_list(argument) or match_options(audience, question, argument) if argument else question.choices
    if not found:
        audience.print_message("prompt.unknown", typed=argument, help=audience.narrator.words.text("command.help"))
    compute_previews(audience, question, requested=True)
    if argument and found and audience.show_only(question, found):
        return None
    if any(preview_of(question, one).changes or preview_of(question, one).texts for one in found):
        audience.print_rows(list(preview_rows(audience, question, True, audience.width, found)))
    else:
        audience.print_options(found)
    return None


def show_log(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    items = TranscriptWithChanges(audience.table, audience.narrator, audience.viewer).build_lines()
    many = parse_int(normalize(argument))
    many = DEFAULT_LOG_LINES if many is None else many
    lines = full_lines(items[len(items) - min(many, len(items)):])
    told = [audience.format_bold(line) if heading else line for line, heading in lines] or [audience.narrator.words.text("log.empty")]
    audience.print_paragraphs([*audience.narrator.active_pack_lines, *told])
    return None


def show_moves(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints the moves so far in the notation of the game."""
    words = audience.narrator.words
    try:
        found = audience.noted.list_moves(audience.table, words, audience.player_names)
    except MessageError as error:
        audience.print_paragraphs([words.message(error.key, **error.params)])
        return None
    audience.print_rows(arrange_columns(found, audience.width) if found else [words.text("log.empty")])
    return None


def show_news(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints what has happened since the person's last decision, including its own effects if those were last
    shown.

    With any text after the command, it prints changes on the table instead."""
    start = min(
        audience.step_after_own_decision(audience.seat),
        audience.newest.get(audience.listener_key(audience.viewer), len(audience.table.steps)),
    )
    if start >= len(audience.table.steps):
        audience.print_message("news.none")
        return None
    if argument:
        audience.print_paragraphs(audience.table_change_lines(*audience.build_tables(), MAX_CHANGE_LINES))
    else:
        audience.print_transcript(start, repeat_headings=True)
    return None


def undo_line(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Takes back the decisions of the last typed line."""
    words = audience.narrator.words
    seat = audience.seat
    if not audience.private or audience.seat < 0:                       # the next person may undo it too
        seat = next((step.seat for step in reversed(audience.table.steps) if not step.auto and audience.table.is_human(step.seat)), seat)
    lines = audience.lines.get(seat, [])
    try:
        taken = audience.table.undo(
            seat, lines[-1] if lines else 1, [seat] if audience.private and audience.terminal.is_interactive else None
        )
    except UndoError as error:
        nothing = error.key == "undo.nothing"
        audience.print_paragraphs([words.text(error.key) if nothing else words.text("undo.revealed", reason=words.text(error.key))])
        return None
    if lines:
        lines.pop()
    audience.heard = {who: min(heard, len(audience.table.steps)) for who, heard in audience.heard.items()}
    for step in taken:                                          # a line with several answers is undone as a whole
        audience.print_message(
            "undo.done", option=audience.narrator.choice_text(step.key, step.seat, step.option, step.context, False, step.before)
        )
    return True


def answer_why(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Explains the question with its clauses, why something is not offered, or a word that only the rulebook knows."""
    from ..explain.answer import DECIDER, QueryAnswer, find_why_answer, write_why_lines
    table, narrator, viewer = audience.table, audience.narrator, audience.viewer if audience.table.over else DECIDER
    found = find_why_answer(table, narrator, argument, viewer, {one.option.spelling: one.token for one in question.choices})
    if not isinstance(found, QueryAnswer) or found.kind != "unknown" or not print_word(audience, argument):
        audience.print_rows(write_why_lines(table, audience.loaded, narrator, found, audience.width, viewer, as_sentences=True))
    return None


def save_copy(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints where the game is saved, or saves a copy to a given file."""
    saved = audience.table.save
    if saved is None:
        audience.print_message("quit.unsaved")
        return None
    if argument:
        try:
            saved.copy_to(parse_path(argument))
        except MessageError as error:
            audience.print_paragraphs([audience.narrator.words.message(error.key, **error.params)])
            return None
        except OSError as error:
            audience.print_message("file.unwritable", file=argument, reason=error.strerror or "")
            return None
    audience.print_message("save.done", file=argument or str(saved.path))
    return None


def change_language(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Changes the language of the person at the screen, by code or name."""
    spoken = [audience.narrator_for(lang).words for lang in LANGUAGES]
    names = {normalize(words.text(f"language.{lang}")): lang for words in spoken for lang in LANGUAGES}
    names |= {normalize(name): lang for name, lang in language_codes_by_name().items()}
    lang = names.get(normalize(argument)) or (parse_language_code(argument) if argument else None)
    if lang is None or lang == PSEUDO_LANGUAGE:
        known = ", ".join(f"{lang} ({name})" for lang, name in native_language_names().items())
        audience.print_message(*(("usage.language",) if argument else ("lang.which",)), name=argument, languages=known)
        return None
    audience.set_language(lang)
    return True


def preview_option(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints what an option would change, without choosing it."""
    meant = question.match_answer(argument)
    if len(meant) == 1:
        print_preview(audience, question, meant[0])
    elif meant:
        audience.print_message("prompt.which", typed=argument, n=len(meant))
        audience.print_options(meant)
    else:
        audience.print_message(
            "prompt.unknown" if argument else "foresee.which", typed=argument, help=audience.narrator.words.text("command.help")
        )
    return None


def toggle_previews(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Switches option previews on or off."""
    words = audience.narrator.words
    wanted = parse_on_off(words, argument)
    audience.hinting = not audience.hinting if wanted is None else wanted
    audience.print_message("hints.on" if audience.hinting else "hints.off")
    return True


def toggle_teaching(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Switches the tutorial on or off."""
    toggle_tutorial(audience, parse_on_off(audience.narrator.words, argument))
    return True


def toggle_confirmation(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Switches on or off that an answer must be given twice if it cannot be undone."""
    wanted = parse_on_off(audience.narrator.words, argument)
    audience.confirming = not audience.confirming if wanted is None else wanted
    audience.print_message("confirm.on" if audience.confirming else "confirm.off")
    return None


def parse_on_off(words: Localizer, typed: str) -> bool | None:
    """Parses `on` or `off`, in English or the current language; None for other text."""
    return {normalize(words.text("hints.word.on")): True, "on": True, normalize(words.text("hints.word.off")): False,
            "off": False}.get(normalize(typed))


def show_bot_advice(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints which option a strong bot would choose, what it would change, and what to expect of the next best.

    If the game runs in C, the search uses extra seconds, so the numbers can differ between two matches."""
    from ..preview.bot_advice import make_advice
    decision, table = question.decision, audience.table
    if len(decision) == 1:
        audience.print_message("advice.only")
        return None
    found = table.weigh(decision.position, decision.seat, decision_rng(table.setup.seed, decision.seat, len(table.steps)))
    advice = make_advice(found, make_previews(audience, question), audience.narrator)
    audience.print_paragraphs(wrap_cells(advice.take, audience.width))
    audience.print_paragraphs([f"  {part}" for part in advice.changes])
    audience.print_paragraphs(wrap_cells(advice.next_best, audience.width) if advice.next_best else [])
    return None


def inspect_item(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    """Prints details of a place, a thing, or a player."""
    print_inspection(audience, question, argument)
    return None


def leave_table(audience: ScreenAudience, question: DecisionPrompt, argument: str) -> CommandOutcome:
    return False


TABLE_COMMANDS: dict[str, TableCommand] = {
    "help": show_help, "board": show_board, "cards": show_cards, "rules": show_rules, "options": show_options, "log": show_log,
    "moves": show_moves, "news": show_news, "why": answer_why, "look": inspect_item, "try": preview_option, "preview": toggle_previews,
    "advice": show_bot_advice, "teach": toggle_teaching, "undo": undo_line, "confirm": toggle_confirmation,
    "save": save_copy, "lang": change_language, "quit": leave_table,
}
EARLIER_COMMANDS = {"hints": "preview", "hint": "advice"}           # words that are understood and not shown
POST_GAME_COMMANDS = ("board", "cards", "rules", "log", "moves", "news", "look", "why", "save", "undo", "quit")     # at the end

"""The words at the prompt besides answers: each is a function of those before the screen, the question and what was typed behind the
word. It returns None to read on at the same question, True when the question must be put anew, False to leave."""

from __future__ import annotations

from collections.abc import Callable

from ..cli.console import Usage, Voice
from ..cli.input_values import path_of
from ..i18n import Words
from ..i18n.languages import LANGUAGES, PSEUDO, all_names, known_language, own_names
from ..i18n.user_input import folded, number
from ..match.setup import SaveFault
from ..match.table import CannotUndo
from .audience import Listeners
from .inspect_command import fitting, tell_of
from .preview_lines import foresee, rows, said_of, tell_hint
from .question import Question

LOG = 20                             # lines that `log` shows
MANY = 1000                          # lines of news, when asked for

Outcome = bool | None
Aside = Callable[[Listeners, Question, str], Outcome]


def words_of(words: Words) -> dict[str, str]:
    """What to type for each command, in a language."""
    return {name: words.text(f"command.{name}") for name in ASIDES}


def show_help(here: Listeners, question: Question, rest: str) -> Outcome:
    words = here.teller.words
    rows = [("1, 2, ...", words.text("help.pick")), ("1, 2", words.text("help.several")), ("?", words.text("help.why")),
            (f"/{words.text('command.save')}", words.text("help.stroke"))]
    rows += [(word, words.text(f"help.{name}")) for name, word in words_of(words).items() if name != "why"]
    rows += [("F6", words.text("help.parts"))] if here.scrolls else []
    wide = max(len(row[0]) for row in rows)
    here.say("help.title")
    for word, meaning in rows:
        here.tell([f"  {word.ljust(wide)}  {meaning}"])
    return None


def show_board(here: Listeners, question: Question, rest: str) -> Outcome:
    _, panels = here.tables()
    found = [panel for panel in panels if folded(panel.title).startswith(folded(rest))]
    if not found:
        here.say("board.unknown", typed=rest, titles=list(dict.fromkeys(panel.title for panel in panels if panel.title)))
    here.show(here.drawing(found) if found else [])
    return None


def show_cards(here: Listeners, question: Question, rest: str) -> Outcome:
    """The texts of what lies open on the table or in the person's hand; of one thing when it is named."""
    from ..project.describe import describe_named, texts_in_sight
    if rest:
        try:
            here.tell(describe_named(here.loaded, here.teller, rest, here.width, places=False))
        except Usage as error:
            here.tell([Voice(here.lang).message(error.key, **error.details)])
        return None
    found = texts_in_sight(here.table.position, here.teller, here.seat, here.width)
    here.rows(found)
    if not found:
        here.say("cards.none")
    return None


def show_rules(here: Listeners, question: Question, rest: str) -> Outcome:
    """The chapters of the rulebook, as it is played at this table; one of them when it is named."""
    from .rulebook_pager import contents, leaf
    book, words = here.book(), here.teller.words
    if rest:
        here.show(leaf(book, rest, words, here.width, here.voice.screen[1], words.text("command.rules")))
    else:
        here.show(contents(book, here.width))
        here.say("rules.which", command=words.text("command.rules"), number=book.chapters[0].number)
    return None


def show_options(here: Listeners, question: Question, rest: str) -> Outcome:
    """All options, or those that fit; with what they would change and the texts of what they choose, one to a line."""
    found = question.several(rest) or fitting(here, question, rest) if rest else question.choices
    if not found:
        here.say("prompt.unknown", typed=rest, help=here.teller.words.text("command.help"))
    foresee(here, question, asked=True)
    if rest and found and here.narrow(question, found):
        return None
    if any(said_of(question, one).parts or said_of(question, one).texts for one in found):
        here.rows(list(rows(here, question, True, here.width, found)))
    else:
        here.options(found)
    return None


def show_log(here: Listeners, question: Question, rest: str) -> Outcome:
    from ..narration.transcript import whole
    from ..preview.transcript_changes import Chronicle
    items = Chronicle(here.table, here.teller, here.viewer).items()
    many = number(folded(rest))
    many = LOG if many is None else many
    lines = whole(items[len(items) - min(many, len(items)):])
    told = [here.strong(line) if heading else line for line, heading in lines] or [here.teller.words.text("log.empty")]
    here.tell([*here.teller.in_force, *told])
    return None


def show_news(here: Listeners, question: Question, rest: str) -> Outcome:
    """What has happened since the person's last decision, that which their decision itself has brought too where they were told of it
    last; with anything behind the word, what looks otherwise on the table."""
    start = min(here.since(here.seat), here.newest.get(here.listener(here.viewer), len(here.table.steps)))
    if start >= len(here.table.steps):
        here.say("news.none")
        return None
    if rest:
        here.tell(here.news_lines(*here.tables(), MANY))
    else:
        here.retell(start, anew=True)
    return None


def undo(here: Listeners, question: Question, rest: str) -> Outcome:
    """Take back the last line that was typed."""
    words = here.teller.words
    seat = here.seat
    if not here.private or here.seat < 0:                       # at one screen, the next one may take back what was just typed
        seat = next((step.seat for step in reversed(here.table.steps) if not step.auto and here.table.is_human(step.seat)), seat)
    lines = here.lines.get(seat, [])
    try:
        taken = here.table.undo(seat, lines[-1] if lines else 1, [seat] if here.private and here.terminal.shared else None)
    except CannotUndo as error:
        nothing = error.key == "undo.nothing"
        here.tell([words.text(error.key) if nothing else words.text("undo.revealed", reason=words.text(error.key))])
        return None
    if lines:
        lines.pop()
    here.heard = {who: min(heard, len(here.table.steps)) for who, heard in here.heard.items()}
    for step in taken:                                          # a line of several answers is taken back as a whole
        here.say("undo.done", option=here.teller.choice(step.key, step.seat, step.option, step.context, False, step.before))
    return True


def why(here: Listeners, question: Question, rest: str) -> Outcome:
    """What is asked, and by which clauses of the rulebook; why something is not offered."""
    from ..explain.answer import DECIDER, why_lines
    viewer = here.viewer if here.table.over else DECIDER
    here.rows(why_lines(here.table, here.loaded, here.teller, rest, here.width, viewer, spoken=True,
                        numbers={one.option.spelling: one.token for one in question.choices}))
    return None


def save(here: Listeners, question: Question, rest: str) -> Outcome:
    """Say where the game is saved; leave a copy where the person says."""
    saved = here.table.save
    if saved is None:
        here.say("quit.unsaved")
        return None
    if rest:
        try:
            saved.copy_to(path_of(rest))
        except Usage as error:
            here.tell([Voice(here.lang).message(error.key, **error.details)])
            return None
        except OSError as error:
            here.say("file.unwritable", file=rest, reason=error.strerror or "")
            return None
        except SaveFault as error:
            here.say(error.key, **error.args_)
            return None
    here.say("save.done", file=rest or str(saved.path))
    return None


def change_language(here: Listeners, question: Question, rest: str) -> Outcome:
    """Another language for the one before the screen, by its code or its name."""
    spoken = [here.teller_of(lang).words for lang in LANGUAGES]
    names = {folded(words.text(f"language.{lang}")): lang for words in spoken for lang in LANGUAGES}
    names |= {folded(name): lang for name, lang in all_names().items()}
    lang = names.get(folded(rest)) or (known_language(rest) if rest else None)
    if lang is None or lang == PSEUDO:
        known = ", ".join(f"{lang} ({name})" for lang, name in own_names().items())
        here.say(*(("usage.language",) if rest else ("lang.which",)), name=rest, languages=known)
        return None
    here.speak(lang)
    return True


def try_option(here: Listeners, question: Question, rest: str) -> Outcome:
    """What an option would change, told without choosing it."""
    meant = question.meant(rest)
    if len(meant) == 1:
        tell_hint(here, question, meant[0])
    elif meant:
        here.say("prompt.which", typed=rest, n=len(meant))
        here.options(meant)
    else:
        here.say("prompt.unknown" if rest else "foresee.which", typed=rest, help=here.teller.words.text("command.help"))
    return None


def switch_hints(here: Listeners, question: Question, rest: str) -> Outcome:
    """Tell what options would change, or do not."""
    words = here.teller.words
    wanted = on_or_off(words, rest)
    here.hinting = not here.hinting if wanted is None else wanted
    here.say("hints.on" if here.hinting else "hints.off")
    return True


def switch_teaching(here: Listeners, question: Question, rest: str) -> Outcome:
    """Explain each new kind of question, or do not."""
    from .tutorial import switch
    switch(here, on_or_off(here.teller.words, rest))
    return True


def on_or_off(words: Words, typed: str) -> bool | None:
    """What stands behind a word that switches something; None where that is neither."""
    return {folded(words.text("hints.word.on")): True, "on": True, folded(words.text("hints.word.off")): False,
            "off": False}.get(folded(typed))


def give_hint(here: Listeners, question: Question, rest: str) -> Outcome:
    """Which option a strong bot would take, and why."""
    from .bot_advice import advise
    advise(here, question)
    return None


def look_at(here: Listeners, question: Question, rest: str) -> Outcome:
    """All about a place, a thing or a player."""
    tell_of(here, question, rest)
    return None


def leave(here: Listeners, question: Question, rest: str) -> Outcome:
    return False


ASIDES: dict[str, Aside] = {
    "help": show_help, "board": show_board, "cards": show_cards, "rules": show_rules, "options": show_options, "log": show_log,
    "news": show_news, "why": why, "look": look_at, "try": try_option, "hints": switch_hints, "hint": give_hint,
    "teach": switch_teaching,
    "undo": undo, "save": save, "lang": change_language, "quit": leave,
}
LOOKING_BACK = ("board", "cards", "rules", "log", "news", "look", "why", "save", "undo", "quit")     # when a game is over

"""The words at the prompt besides answers: each is a function of the session, the question and what was typed behind the word. It returns
None to read on at the same question, True when the question must be put anew, False to leave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..playing.saves import SaveFault
from ..playing.table import CannotUndo
from ..words import Words
from ..words.languages import LANGUAGES, known_language
from .prompt import Question, folded

if TYPE_CHECKING:
    from .session import Session

LOG = 20                             # lines that `log` shows
MANY = 1000                          # lines of news, when asked for

Outcome = bool | None
Command = Callable[["Session", Question, str], Outcome]


def words_of(words: Words) -> dict[str, str]:
    """What to type for each command, in a language."""
    return {name: words.text(f"command.{name}") for name in COMMANDS}


def show_help(session: Session, question: Question, rest: str) -> Outcome:
    words = session.teller.words
    rows = [("1, 2, ...", words.text("help.pick")), ("1, 2", words.text("help.several")), ("?", words.text("help.why"))]
    rows += [(word, words.text(f"help.{name}")) for name, word in words_of(words).items() if name != "why"]
    wide = max(len(row[0]) for row in rows)
    session.say("help.title")
    for word, meaning in rows:
        session.tell([f"  {word.ljust(wide)}  {meaning}"])
    return None


def show_board(session: Session, question: Question, rest: str) -> Outcome:
    _, panels = session.tables()
    found = [panel for panel in panels if folded(panel.title).startswith(folded(rest))]
    if not found:
        session.say("board.unknown", typed=rest, titles=list(dict.fromkeys(panel.title for panel in panels if panel.title)))
    session.show(session.drawing(found) if found else [])
    return None


def show_cards(session: Session, question: Question, rest: str) -> Outcome:
    """The texts of what lies open on the table or in the person's hand; of one thing when it is named."""
    from .describe import texts_in_sight
    from .show import one
    from .voice import Usage
    if rest:
        try:
            session.tell(one(session.loaded, session.teller, rest, session.width))
        except Usage as error:
            session.tell([session.voice.message(error.key, **error.details)])
        return None
    found = texts_in_sight(session.table.position, session.teller, session.seat)
    session.rows(found)
    if not found:
        session.say("cards.none")
    return None


def show_options(session: Session, question: Question, rest: str) -> Outcome:
    """All options, or those that fit."""
    found = question.fitting(rest) if rest else question.choices
    if not found:
        session.say("prompt.unknown", typed=rest, help=session.teller.words.text("command.help"))
    session.options(found)
    return None


def show_log(session: Session, question: Question, rest: str) -> Outcome:
    lines = [said for step in session.table.steps for said in session.teller.story(step, session.seat)]
    many = int(rest) if rest.isdigit() else LOG
    session.tell(lines[len(lines) - min(many, len(lines)):] or [session.teller.words.text("log.empty")])
    return None


def show_news(session: Session, question: Question, rest: str) -> Outcome:
    """What has happened, and what has changed on the table, since the person's last decision."""
    start = session.since(session.seat)
    if start >= len(session.table.steps):
        session.say("news.none")
        return None
    session.retell(start, anew=True)
    session.tell(session.news_lines(*session.tables(), MANY))
    return None


def undo(session: Session, question: Question, rest: str) -> Outcome:
    """Take back the last line that was typed."""
    words = session.teller.words
    seat = session.seat
    if not session.private:                                        # at one screen, the next one may take back what was just typed
        seat = next((step.seat for step in reversed(session.table.steps) if not step.auto and session.table.is_human(step.seat)), seat)
    lines = session.lines.get(seat, [])
    try:
        step = session.table.undo(seat, lines[-1] if lines else 1)
    except CannotUndo as error:
        nothing = error.key == "undo.nothing"
        session.tell([words.text(error.key) if nothing else words.text("undo.revealed", reason=words.text(error.key))])
        return None
    if lines:
        lines.pop()
    session.heard = {who: min(heard, len(session.table.steps)) for who, heard in session.heard.items()}
    session.say("undo.done", option=session.teller.choice(step.key, step.seat, step.option, step.context, False, step.before))
    return True


def why(session: Session, question: Question, rest: str) -> Outcome:
    """What is asked, and by which clauses of the rulebook; why something is not offered."""
    from .why import why_lines
    session.rows(why_lines(session.table, session.loaded, session.teller, rest, session.width))
    return None


def save(session: Session, question: Question, rest: str) -> Outcome:
    """Say where the game is saved; leave a copy where the person says."""
    saved = session.table.save
    if saved is None:
        session.say("quit.unsaved")
        return None
    if rest:
        try:
            saved.copy_to(Path(rest).expanduser())
        except OSError as error:
            session.say("file.unwritable", file=rest, reason=error.strerror or "")
            return None
        except SaveFault as error:
            session.say(error.key, **error.args_)
            return None
    session.say("save.done", file=rest or str(saved.path))
    return None


def change_language(session: Session, question: Question, rest: str) -> Outcome:
    """Another language for the one before the screen, by its code or its name."""
    spoken = [session.teller_of(lang).words for lang in LANGUAGES]
    names = {folded(words.text(f"language.{lang}")): lang for words in spoken for lang in LANGUAGES}
    lang = names.get(folded(rest)) or (known_language(rest) if rest else None)
    if lang not in LANGUAGES:
        known = ", ".join(f"{lang} ({words.text(f'language.{lang}')})" for lang, words in zip(LANGUAGES, spoken))
        session.say(*(("usage.language",) if rest else ("lang.which",)), name=rest, languages=known)
        return None
    session.speak(lang)
    return True


def leave(session: Session, question: Question, rest: str) -> Outcome:
    return False


COMMANDS: dict[str, Command] = {
    "help": show_help, "board": show_board, "cards": show_cards, "options": show_options, "log": show_log, "news": show_news, "why": why,
    "undo": undo, "save": save, "lang": change_language, "quit": leave,
}

"""What the options would change, laid out beside them; the words `try` and `hints` at the prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from ..i18n.template import capital
from ..narration.transcript import short
from ..position.options import things_in
from ..preview.lookahead import Ahead, Foresight
from ..preview.option_preview import Hint, joined, later
from ..preview.preview_texts import MANY, Hints
from ..preview.preview_transcript import beforehand
from ..table_view.panel_diff import Change, change_lines, changes
from ..table_view.theme import look_of
from .audience import Listeners
from .question import Question, ShownOption
from .text_columns import paragraph

TOLD = 8                             # lines of the story that will come of an option
SEEN = 14                            # lines of what looks otherwise on the table then
INDENT = "     "                     # under the text of an option
WAYS = 12                            # ways to go on that are looked at for what looks otherwise after all of them
WHOLE = "\u00a0"                     # a space at which no line ends


def foresee(here: Listeners, question: Question, asked: bool = False) -> None:
    """Work out what the options of a question would change, for the one before the screen, unless they want no hints. `asked`: it may
    take longer, and tells what was left out before."""
    if here.hinting and (not question.hints or asked and question.untold):
        hints = hints_of(here, question)
        question.hints, question.always = hints.all(asked)
        question.asked = asked
        question.untold = (hints.cut or not question.hints) and bool(look_of(here.table.game).worth) and len(question.choices) <= MANY


def hints_of(here: Listeners, question: Question) -> Hints:
    return Hints(question.decision, here.teller, here.table.setup.auto, here.table.alone)


def comes_back(here: Listeners, question: Question, one: ShownOption) -> bool:
    """Whether an option can be taken back: all that comes of it is known, and then the same person decides, or one who sees the same."""
    ahead = hints_of(here, question).foresight.of(one.option.code)
    if ahead.decision is None or ahead.luck:
        return False
    seat = ahead.decision.seat
    return seat == question.decision.seat or not here.private and here.table.is_human(seat)


def always(here: Listeners, question: Question, width: int) -> list[str]:
    """What happens whatever is chosen."""
    words = here.teller.words
    own = joined([said for under, said in question.always if not under]).removesuffix(".")
    lines = [words.text("foresee.always", parts=own)] if own else []
    lines += [words.text("foresee.always_later", part=capital(under), parts=joined(said).removesuffix("."))
              for under, said in later(question.always).items()]
    return [line for text in lines for line in paragraph(text, width)]


def rows(here: Listeners, question: Question, texts: bool, width: int, choices: Sequence[ShownOption] | None = None,
         brief: bool = False) -> Iterator[str]:
    """All options, or these, one to a line, with what each would change; `texts`: and the texts of what it chooses; `brief`: without who
    decides next."""
    choices = question.choices if choices is None else choices
    yield from always(here, question, width)
    told: set[str] = set()                                         # a text stands once
    wide = column([(len(one.text) + 5, len(hint.line) + 4) for one in choices if (hint := said_of(question, one, brief)).parts], width)
    for one in choices:
        hint = said_of(question, one, brief)
        yield from beside(f"{one.token:>3}  {one.text}", wide, f"{arrow(here)} {hint.line}" if hint.parts else "", width)
        for text in (*hint.texts, *hint.printed) if texts else ():
            if text not in told:
                yield from paragraph(INDENT + "  " + text, width)
                told.add(text)


def column(sizes: Sequence[tuple[int, int]], width: int) -> int:
    """Where the column begins in which something is said of options: behind the longest of those that leave room for all that have any,
    each given by its own columns and those of what is said of it."""
    fitting = [(text, said) for text, said in sizes if not width or text + said <= width]
    for wide in sorted({text for text, _ in fitting}, reverse=True):
        if not width or all(wide + said <= width for text, said in fitting if text <= wide):
            return wide
    return 0


def beside(text: str, wide: int, said: str, width: int) -> list[str]:
    """An option, and what is said of it: behind it in a column, else right behind it, else below it, with its arrow."""
    for line in (f"{text.ljust(wide)}  {said}", f"{text}  {said}") if said else (text,):
        if not width or len(line) <= width:
            return [line]
    return paragraph(text, width, INDENT) + (paragraph(f"{INDENT}  {said}", width, "  ") if said else [])


def said_of(question: Question, one: ShownOption, brief: bool = False) -> Hint:
    hint = question.hints.get(one.option.code, Hint((), ()))
    return hint.brief if brief else hint


def seen_changes(here: Listeners, foresight: Foresight, ahead: Ahead) -> list[str]:
    """What would certainly look otherwise on the table after an option, of what it does itself; where the same person goes on deciding,
    what does so whatever they choose next, unless there are too many ways. What lies together is not told: where the board changes, that
    follows from it. The table shows no more than the person may see."""
    found = table_changes(here, foresight, ahead)
    ways = list(islice(leaves(foresight, ahead), WAYS + 1))
    if len(ways) <= WAYS and ways[0] is not ahead:
        first, *others = [table_changes(here, foresight, way) for way in ways]
        told = {(change.panel, change.label, change.what) for change in found}
        found += [change for change in first if (change.panel, change.label, change.what) not in told and in_all(change, others)]
    return change_lines(found, here.teller.words, here.width - len(INDENT), SEEN)


def leaves(foresight: Foresight, ahead: Ahead) -> Iterator[Ahead]:
    """Where all ways to go on end: the same person decides no more, or is asked the same again."""
    ways = list(foresight.further(ahead)) if len(ahead.path) < WAYS else []
    for way in ways:
        yield from leaves(foresight, way)
    if not ways:
        yield ahead


def table_changes(here: Listeners, foresight: Foresight, ahead: Ahead) -> list[Change]:
    """What looks otherwise for certain when the rules stop."""
    from ..table_view.build_panels import build
    after, worlds = foresight.seen(ahead)
    if not ahead.sure and not worlds and foresight.left(ahead) is None:
        return []
    before, *then = ([panel for panel in build(position, here.teller, here.viewer) if not panel.key.startswith("regions ")]
                     for position in (here.table.position, after, *worlds))
    found, *others = (changes(before, panels) for panels in then)
    return [change for change in found if in_all(change, others)]


def in_all(change: Change, others: Sequence[Sequence[Change]]) -> bool:
    """Whether all these tables tell the change."""
    return all(any(same(change, one) for one in other) for other in others)


def same(change: Change, other: Change) -> bool:
    """Whether two tables tell the same change; what it is of stands there only where other such things are told too."""
    return change == replace(other, what=change.what) and (change.what == other.what or not change.what or not other.what)


def arrow(here: Listeners) -> str:
    return "→" if here.voice.utf and not here.plain else "->"


def tell_hint(here: Listeners, question: Question, one: ShownOption) -> None:
    """All that can be said beforehand of one option."""
    words = here.teller.words
    hints = hints_of(here, question)
    hint = hints.of(one.option.code)
    here.tell([one.text])
    ahead = hints.foresight.of(one.option.code)
    here.tell(["  " + part for part in hint.surely])
    story, left = short(beforehand(hints, ahead, hint.said), TOLD)
    here.tell(["  " + line for line in story])
    if left:
        here.say("foresee.more", n=left)
    here.tell(["  " + part for part in hint.perhaps])
    spoken = bool(hint.parts or story)
    changed = seen_changes(here, hints.foresight, ahead)
    here.tell(["  " + line for line in changed])
    asked = hints.asked(ahead)
    if not ahead.sure:
        here.tell(["  " + words.text("foresee.open" if spoken or changed else "foresee.unknown")])
    elif ahead.decision is not None and asked is not None:
        mine = ahead.decision.seat == question.decision.seat
        here.tell(["  " + words.text("foresee.asked" if mine else "foresee.asked_else", question=asked)])
    elif not spoken and not changed:
        here.tell(["  " + words.text("foresee.nothing")])
    here.tell(["  " + text for text in hint.texts] or lines_of_things(here, one))


def lines_of_things(here: Listeners, one: ShownOption) -> list[str]:
    """What is printed on the things that an option chooses, which have no text of their own, and the texts of what is printed there; of a
    corner, which places meet there."""
    from ..project.describe import Showable, attributes, keys_with_text, plain_text, title
    from ..table_view.inspect_item import About
    teller, out = here.teller, []
    model, words = teller.game.model, teller.words
    for domain, n in things_in(teller.game.codecs, one.option.values):
        enum = model.enum_of(domain)
        if enum is not None and enum.kind == "corners":
            beside = About(here.table.position, teller, here.viewer).beside((enum.name, n))
            out.append("  " + words.text("look.near", places=beside))
        if enum is None or enum.kind not in ("enum", "pieces"):
            continue
        printed = [*attributes(enum, enum.called(n), teller, here.width),
                   *("  " + plain_text(key, teller) for key in keys_with_text(enum, n, teller))]
        name = title(Showable("member", enum.called(n), enum.name), teller)
        out += [f"  {name}", *("  " + line for line in printed)] if printed and name != one.text else printed
    return out

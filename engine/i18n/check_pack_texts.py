"""What packs of house rules say, and leave unsaid: texts that nothing asks for, new choices and events without words, numbers that are
written out in a text and are others now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ...dsl.analysis.decision_points import asked, said
from ...dsl.core.nodes import Attribute, Const, Node, Number, OwnNumber
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import Findings, Place, did_you_mean
from ...dsl.model.model import Model
from ...dsl.packs.overlay import Laid
from .check_texts import CLAUSE, SAID, VARIANT, Families
from .readers import Text
from .template import parse

if TYPE_CHECKING:
    from ...dsl.game.variants import Variant

OF_THING = ("label", "letter", "look")                              # heads of keys that go on with a type and a member
CASE = re.compile(r"\[\w+\]")


def check_keys(laid: Laid, variant: Variant, english: Mapping[str, Text], findings: Findings) -> None:
    """Texts and nouns of packs whose keys name nothing."""
    known = {*english, *keys_of(variant), *(f"panel.{name}" for name in panels_of(laid))}
    families = Families({**english, **dict.fromkeys(known, "")})
    nouns = {*families.members, *(noun for members in families.members.values() for noun in members)}
    for pack in laid.packs:
        for key, owner in laid.texts.owner.items():
            if owner != pack.name or key in known or key.startswith((CLAUSE, VARIANT)) or key.split(".")[0] in SAID:
                continue                                           # what is said of decisions and events is looked at with their fields
            findings.slip("W405", laid.texts.places[key], did_you_mean(key, known), name=key)
        for key in pack.data.get("nouns") or {}:
            if str(key)[:1].isupper() and key not in nouns:
                findings.slip("W405", pack.key_place("nouns", key), did_you_mean(str(key), nouns), name=key)


def keys_of(variant: Variant) -> Iterator[str]:
    """The keys of what a game can have words for, besides its decisions, events and options."""
    model, program = variant.model, variant.program
    yield from (f"game.{word}" for word in ("name", "text"))
    yield from (f"state.{name}" for name in (*program.states, *variant.shown))
    yield from (f"panel.{name}" for name in (*program.states, *model.boards))
    for family in program.families.values():
        yield from (f"phase.{family.name}.{word}" for word in ("name", "text"))
    for enum in model.enums.values():
        yield f"{enum.name}.name"
        yield from (f"attribute.{enum.name}.{name}" for name in (*enum.attributes, *(key for _, key in enum.own)))
        for member in {*enum.members, *(enum.kinds or ())}:
            yield from (f"{enum.name}.{member}.{word}" for word in ("name", "text"))
            yield from (f"{head}.{enum.name}.{member}" for head in OF_THING)


def panels_of(laid: Laid) -> Iterator[str]:
    """The names of panels that packs bring."""
    for _, given in laid.table:
        yield from (str(panel["name"]) for panel in given.get("panels") or [] if panel.get("name"))


# ---------------------------------------------------------------- what is left unsaid


def check_unsaid(laid: Laid, variant: Variant, english: Mapping[str, Text], findings: Findings) -> None:
    """New choices, entries of menus and events without words."""
    files = {pack.bundle.place_of(name) for pack in laid.packs for name in pack.bundle.files}

    def has(key: str) -> bool:                                     # a text may leave out the case
        return key in english or CASE.sub("", key) in english

    for decision in asked(variant.program, variant.facts):
        new = decision.place.path in files
        entries = {name: place for name, place in decision.entries.items() if new or place.path in files}
        wanted = {f"option.{decision.key}.{name}": place for name, place in entries.items()}
        if new or entries:
            wanted[f"ask.{decision.key}"] = decision.place if new else next(iter(entries.values()))
        _lacking(wanted, has, findings)
    _lacking({f"event.{event.key}": event.place for event in said(variant.program) if event.place.path in files}, has, findings)


def _lacking(wanted: Mapping[str, Place], has: Callable[[str], bool], findings: Findings) -> None:
    for key, place in wanted.items():
        if not has(key):
            findings.add("W406", place, name=CASE.sub("", key))


# ---------------------------------------------------------------- numbers written out


def check_numbers(laid: Laid, variant: Variant, english: Mapping[str, Text], findings: Findings) -> None:
    """Texts in which the old number of a changed value is written out: that of the thing, and the clauses whose rules name the value."""
    fits = {key for pack in laid.packs for name in pack.list_of("fits") for key in (name, f"{CLAUSE}{name}")}
    for change in laid.changes:
        old = change.before
        if change.kind != "set" or not isinstance(old, int) or isinstance(old, bool) or old == change.after:
            continue
        for key in sorted(texts_about(change.name, variant) - fits):
            said_anew = [text for lang in laid.texts.said.values() if (text := lang.get(key)) is not None]
            texts: list[Text] = [*said_anew] or [text for text in [english.get(key)] if text is not None and key not in laid.texts.gone]
            if any(holds(text, old) for text in texts):
                place = laid.texts.places.get(key) if said_anew else variant.model.texts.get(key, (None, None))[1]
                findings.add("W407", change.place, also=(place,) if place else (), name=key.removeprefix(CLAUSE), found=old,
                             value=change.name)


def holds(text: Text, number: int) -> bool:
    """Whether a number is written out in a text, outside its fields."""
    written = re.compile(rf"(?<![\w-]){number}(?!\w)")
    return any(written.search(part) for variant in ([text] if isinstance(text, str) else text) for part in parse(variant).parts
               if isinstance(part, str))


def texts_about(path: str, variant: Variant) -> set[str]:
    """The keys of the texts that may speak of a value: that of its thing, and those of the clauses cited where the rules name it."""
    parts = path.split(".")
    found = {f"{parts[0]}.{parts[1]}.text" if len(parts) == 3 else "game.text"}
    lines = {(node.at.path, line) for routine in variant.program.routines for part in routine.parts for node in walk(part)
             if names(node, parts, variant.model) for line in range(node.at.line, node.at.end_line + 1)}
    cited = variant.program.cited.items()
    return found | {f"{CLAUSE}{clause}" for clause, places in cited if any((place.path, place.line) in lines for place in places)}


def names(node: Node, parts: list[str], model: Model) -> bool:
    """Whether a part of a rule names this value by itself: a number, or what is printed on one thing."""
    match node:
        case Number(name=name):
            return parts == [name]
        case OwnNumber(domain=domain, member=member, name=name) | Attribute(thing=Const(value=int(member)), domain=domain, name=name):
            return parts == [domain, model.enums[domain].members[member], name]
    return False

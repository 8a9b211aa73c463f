"""What may stand where somebody writes: keywords as the grammar accepts them there, names that are in sight, and what things have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token
from lark.exceptions import LarkError

from ...dsl.check.builtins import BUILTINS
from ...dsl.check.scope import Declared
from ...dsl.syntax.parse import keywords, parser
from .project import Desk
from .symbol_index import domains


@dataclass(frozen=True)
class Offer:
    """One thing that may be written: of which kind (of names, or `keyword`), and what is to be said of it."""

    text: str
    kind: str
    detail: str = ""


def complete(desk: Desk, path: str, line: int, column: int) -> list[Offer]:
    """What may be written at a place of a rule file."""
    known = desk.ready()
    declared = known.declared
    lines = desk.lines(path)
    if declared is None or not path.endswith(".rules") or line > len(lines):
        return []
    before = lines[line - 1][: column - 1]
    if "#" in before:
        return []
    start = next(word.start() for begun in (r"@[\w-]*$", r"\w*$") if (word := re.search(begun, before)))
    head = before[:start]
    if before[start : start + 1] == "@":
        return [Offer(f"@{clause}", "clause") for clause in clauses(desk, declared)]
    dotted = re.search(r"([^\W\d]\w*)(\[[^\[\]]*\]|\([^()]*\))?\s*\.\s*$", head)
    if dotted is not None:
        return list(members_of(desk, declared, path, line, dotted[1]))
    accepted = accepts(lines, line, head)
    found: list[Offer] = []
    if accepted is not None and "_SET" in accepted:                # a type: of the names only numbers can stand here, as its ends
        found += [Offer(name, "number", str(number)) for name, number in declared.model.numbers.items()]
    elif accepted is None or "NAME" in accepted:
        found += names(desk, declared, path, line)
    if accepted is None or "TYPE" in accepted:
        found += [Offer(name, "type") for name in (*declared.model.enums, *declared.model.aliases)]
    found += [Offer(word, "keyword") for word in spelt(accepted)]
    return found


def accepts(lines: list[str], line: int, head: str) -> set[str] | None:
    """The terminals of the grammar that may follow; None where what stands before cannot be read."""
    first = head_of(lines, line)
    chunk = "\n".join([*lines[first : line - 1], head]) if first < line - 1 else head
    indent = len(head) - len(head.lstrip())
    if not head.strip():                                           # a new statement: the line must be begun with something to be seen
        chunk = "\n".join(lines[first : line - 1]).rstrip() + "\n" if first < line - 1 else ""
        return up_to(chunk + " " * indent + "stop\n", chunk.count("\n") + 1)
    return up_to(chunk, None)


def up_to(text: str, line: int | None) -> set[str] | None:
    """What the grammar accepts at the end of a text that breaks off in the middle of a line; with `line`, in place of what that line begins
    with. None where what stands before cannot be read."""
    run = parser().parse_interactive(text)
    before = ""
    try:
        lexed: Iterator[Token] = run.lexer_thread.lex(run.parser_state)        # type: ignore[no-untyped-call]
        for token in lexed:
            if line is not None and token.line == line and token.type not in ("_NL", "_INDENT", "_DEDENT"):
                break
            if line is None and token.type == "_DEDENT" and before not in ("_NL", "_DEDENT"):
                break                                              # the text has ended; what follows only closes blocks
            run.feed_token(token)
            before = token.type
    except LarkError:
        return None
    found: set[str] = run.accepts()                                # type: ignore[no-untyped-call]
    return found


def spelt(accepted: set[str] | None) -> list[str]:
    """The keywords among these terminals; all where nobody knows."""
    table = keywords()
    rows = {**table["words"], **table["soft"]}
    found = [word for name, word in rows.items() if accepted is None or name in accepted]
    if accepted is None or "FOLD" in accepted:
        found += table["folds"]
    return sorted(set(found))


def names(desk: Desk, declared: Declared, path: str, line: int) -> Iterator[Offer]:
    """Every name that an expression or a statement may begin with here."""
    seen: set[str] = set()

    def offer(text: str, kind: str, detail: str = "") -> Iterator[Offer]:
        if text not in seen:
            seen.add(text)
            yield Offer(text, kind, detail)

    for text, detail in locals_at(desk, path, line):
        yield from offer(text, "local", detail)
    for state in declared.states.values():
        yield from offer(state.name, "state", str(state.type))
    for family in declared.families.values():
        if family.routines:
            yield from offer(family.name, family.routines[0].kind)
    model = declared.model
    for name, number in model.numbers.items():
        yield from offer(name, "number", str(number))
    for name in model.tables:
        yield from offer(name, "table")
    for name in model.options:
        yield from offer(name, "option")
    for enum in model.enums.values():
        if enum.kind in ("enum", "player", "option", "direction"):
            for member in enum.members:
                yield from offer(member, "member", enum.name)
    for name in BUILTINS:
        yield from offer(name, "builtin")


def head_of(lines: list[str], line: int) -> int:
    """The line, from 0, with which the declaration around a line begins, as it is written now."""
    first = min(line, len(lines)) - 1
    while first > 0 and (not lines[first].strip() or lines[first][:1] in " \t#)]}"):
        first -= 1
    return first


def locals_at(desk: Desk, path: str, line: int) -> list[tuple[str, str]]:
    """The names that a declaration has bound down to a line, each with its type, the nearest first. Of one that cannot be read now, the
    words that its lines bind."""
    lines = desk.lines(path)
    first = head_of(lines, line)
    spots = [spot for spot in desk.index().spots.get(path, [])
             if spot.declares and spot.meaning.kind == "local" and first < spot.place.line <= line]
    if spots:
        return [(spot.meaning.name, str(spot.type or "")) for spot in reversed(spots)]
    text = "\n".join(lines[first:line])
    bound = re.findall(r"\blet\s+([^\W\d]\w*)|\b([^\W\d]\w*)\s+in\b", text)
    given = re.match(r"[^\n]*?\(([^)]*)\)", text)
    params = [part.partition(":")[0].strip() for part in given[1].split(",")] if given is not None else []
    return [(name, "") for name in dict.fromkeys([*(one or other for one, other in reversed(bound)), *params]) if name.isidentifier()]


def members_of(desk: Desk, declared: Declared, path: str, line: int, name: str) -> Iterator[Offer]:
    """What may stand behind the dot after a name: what is printed on things of its type."""
    model = declared.model
    wanted: list[str] = []
    found = [(spot.meaning, spot.type) for spot in desk.index().spots.get(path, []) if spot.meaning.name == name]
    local = next((detail for text, detail in locals_at(desk, path, line) if text == name), None)
    if local is not None:
        wanted = re.findall(r"[A-Z]\w*", local)
    if not wanted and name in declared.states:
        wanted = domains(declared.states[name].type)
    own: list[tuple[str, int]] = []
    for enum in model.enums.values():
        own += [(key, value) for (member, key), value in enum.own.items() if member == name]
        if not wanted and name in enum.index:
            wanted = [enum.name]
    if not wanted and not own:
        wanted = [domain for _, kind in found if kind is not None for domain in domains(kind)]
        by_name = "".join(part.capitalize() for part in name.split("_"))
        wanted = wanted or ([by_name] if model.enum_of(by_name) is not None else list(model.enums))
    told: set[str] = set()
    for key, value in own:
        told.add(key)
        yield Offer(key, "own", str(value))
    for domain in wanted:
        known = model.enum_of(domain)
        for attribute, kind in known.attributes.items() if known is not None else ():
            if attribute not in told:
                told.add(attribute)
                yield Offer(attribute, "attribute", str(kind))


def clauses(desk: Desk, declared: Declared) -> list[str]:
    """The clauses that there are: in the register, and those that rules cite."""
    found = dict.fromkeys(declared.cited)
    for line in desk.lines(desk.root / "clauses.yaml"):
        key = re.match(r"([A-Z0-9]+(?:-[A-Z0-9]+)*)\s*:", line)
        if key is not None:
            found[key[1]] = None
    return sorted(found)

"""What may stand where somebody writes: keywords as the grammar accepts them there, names that are in sight, and what things have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token
from lark.exceptions import LarkError

from ...dsl.check.builtins import BUILTINS
from ...dsl.check.scope import CheckedProgram
from ...dsl.syntax.parse import build_parser, keywords
from .project import GameProject
from .symbol_index import element_domains


@dataclass(frozen=True)
class CompletionCandidate:
    """One thing that may be written: of which kind (of names, or `keyword`), and what is to be said of it."""

    text: str
    kind: str
    detail: str = ""


def complete(desk: GameProject, path: str, line: int, column: int) -> list[CompletionCandidate]:
    """What may be written at a place of a rule file."""
    known = desk.ensure_checked()
    declared = known.rule_declarations
    lines = desk.lines(path)
    if declared is None or not path.endswith(".rules") or line > len(lines):
        return []
    before = lines[line - 1][: column - 1]
    if "#" in before:
        return []
    start = next(word.start() for begun in (r"@[\w-]*$", r"\w*$") if (word := re.search(begun, before)))
    head = before[:start]
    if before[start : start + 1] == "@":
        return [CompletionCandidate(f"@{clause}", "clause") for clause in list_clauses(desk, declared)]
    dotted = re.search(r"([^\W\d]\w*)(\[[^\[\]]*\]|\([^()]*\))?\s*\.\s*$", head)
    if dotted is not None:
        return list(iter_member_candidates(desk, declared, path, line, dotted[1]))
    accepted = accepting_terminals(lines, line, head)
    found: list[CompletionCandidate] = []
    if accepted is not None and "_SET" in accepted:                # a type: of the names only numbers can stand here, as its ends
        found += [CompletionCandidate(name, "number", str(number)) for name, number in declared.model.numbers.items()]
    elif accepted is None or "NAME" in accepted:
        found += iter_names_in_scope(desk, declared, path, line)
    if accepted is None or "TYPE" in accepted:
        found += [CompletionCandidate(name, "type") for name in (*declared.model.enums, *declared.model.aliases)]
    found += [CompletionCandidate(word, "keyword") for word in keyword_spellings(accepted)]
    return found


def accepting_terminals(lines: list[str], line: int, head: str) -> set[str] | None:
    """The terminals of the grammar that may follow; None where what stands before cannot be read."""
    first = declaration_start(lines, line)
    chunk = "\n".join([*lines[first : line - 1], head]) if first < line - 1 else head
    indent = len(head) - len(head.lstrip())
    if not head.strip():                                           # a new statement: the line must be begun with something to be seen
        chunk = "\n".join(lines[first : line - 1]).rstrip() + "\n" if first < line - 1 else ""
        return terminals_at_end(chunk + " " * indent + "stop\n", chunk.count("\n") + 1)
    return terminals_at_end(chunk, None)


def terminals_at_end(text: str, line: int | None) -> set[str] | None:
    """What the grammar accepts at the end of a text that breaks off in the middle of a line; with `line`, in place of what that line begins
    with. None where what stands before cannot be read."""
    run = build_parser().parse_interactive(text)
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


def keyword_spellings(accepted: set[str] | None) -> list[str]:
    """The keywords among these terminals; all where nobody knows."""
    table = keywords()
    rows = {**table["words"], **table["soft"]}
    found = [word for name, word in rows.items() if accepted is None or name in accepted]
    if accepted is None or "FOLD" in accepted:
        found += table["folds"]
    return sorted(set(found))


def iter_names_in_scope(desk: GameProject, declared: CheckedProgram, path: str, line: int) -> Iterator[CompletionCandidate]:
    """Every name that an expression or a statement may begin with here."""
    seen: set[str] = set()

    def offer_once(text: str, kind: str, detail: str = "") -> Iterator[CompletionCandidate]:
        if text not in seen:
            seen.add(text)
            yield CompletionCandidate(text, kind, detail)

    for text, detail in locals_at(desk, path, line):
        yield from offer_once(text, "local", detail)
    for state in declared.states.values():
        yield from offer_once(state.name, "state", str(state.type))
    for family in declared.families.values():
        if family.routines:
            yield from offer_once(family.name, family.routines[0].kind)
    model = declared.model
    for name, number in model.numbers.items():
        yield from offer_once(name, "number", str(number))
    for name in model.tables:
        yield from offer_once(name, "table")
    for name in model.options:
        yield from offer_once(name, "option")
    for enum in model.enums.values():
        if enum.kind in ("enum", "player", "option", "direction"):
            for member in enum.members:
                yield from offer_once(member, "member", enum.name)
    for name in BUILTINS:
        yield from offer_once(name, "builtin")


def declaration_start(lines: list[str], line: int) -> int:
    """The line, from 0, with which the declaration around a line begins, as it is written now."""
    first = min(line, len(lines)) - 1
    while first > 0 and (not lines[first].strip() or lines[first][:1] in " \t#)]}"):
        first -= 1
    return first


def locals_at(desk: GameProject, path: str, line: int) -> list[tuple[str, str]]:
    """The names that a declaration has bound down to a line, each with its type, the nearest first. Of one that cannot be read now, the
    words that its lines bind."""
    lines = desk.lines(path)
    first = declaration_start(lines, line)
    spots = [spot for spot in desk.symbol_index().spots.get(path, [])
             if spot.declares and spot.meaning.kind == "local" and first < spot.place.line <= line]
    if spots:
        return [(spot.meaning.name, str(spot.type or "")) for spot in reversed(spots)]
    text = "\n".join(lines[first:line])
    bound = re.findall(r"\blet\s+([^\W\d]\w*)|\b([^\W\d]\w*)\s+in\b", text)
    given = re.match(r"[^\n]*?\(([^)]*)\)", text)
    params = [part.partition(":")[0].strip() for part in given[1].split(",")] if given is not None else []
    return [(name, "") for name in dict.fromkeys([*(one or other for one, other in reversed(bound)), *params]) if name.isidentifier()]


def iter_member_candidates(desk: GameProject, declared: CheckedProgram, path: str, line: int, name: str) -> Iterator[CompletionCandidate]:
    """What may stand behind the dot after a name: what is printed on things of its type."""
    model = declared.model
    wanted: list[str] = []
    found = [(spot.meaning, spot.type) for spot in desk.symbol_index().spots.get(path, []) if spot.meaning.name == name]
    local = next((detail for text, detail in locals_at(desk, path, line) if text == name), None)
    if local is not None:
        wanted = re.findall(r"[A-Z]\w*", local)
    if not wanted and name in declared.states:
        wanted = element_domains(declared.states[name].type)
    own: list[tuple[str, int]] = []
    for enum in model.enums.values():
        own += [(key, value) for (member, key), value in enum.own.items() if member == name]
        if not wanted and name in enum.index:
            wanted = [enum.name]
    if not wanted and not own:
        wanted = [domain for _, kind in found if kind is not None for domain in element_domains(kind)]
        by_name = "".join(part.capitalize() for part in name.split("_"))
        wanted = wanted or ([by_name] if model.enum_of(by_name) is not None else list(model.enums))
    told: set[str] = set()
    for key, value in own:
        told.add(key)
        yield CompletionCandidate(key, "own", str(value))
    for domain in wanted:
        known = model.enum_of(domain)
        for attribute, kind in known.attributes.items() if known is not None else ():
            if attribute not in told:
                told.add(attribute)
                yield CompletionCandidate(attribute, "attribute", str(kind))


def list_clauses(desk: GameProject, declared: CheckedProgram) -> list[str]:
    """The clauses that there are: in the register, and those that rules cite."""
    found = dict.fromkeys(declared.cited)
    for line in desk.lines(desk.root / "clauses.yaml"):
        key = re.match(r"([A-Z0-9]+(?:-[A-Z0-9]+)*)\s*:", line)
        if key is not None:
            found[key[1]] = None
    return sorted(found)

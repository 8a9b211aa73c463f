"""Completion: keywords that the grammar accepts at the cursor, visible names, and attributes of things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token
from lark.exceptions import LarkError

from ...dsl.check.builtins import BUILTINS
from ...dsl.check.scope import CheckedProgram
from ...dsl.syntax.lark_parser import build_parser, keywords
from .project import GameProject
from .symbol_index import element_domains


@dataclass(frozen=True)
class CompletionCandidate:
    """A completion: its text, its kind (the kind of a name, or `keyword`), and a detail to show next to it."""

    text: str
    kind: str
    detail: str = ""


def complete(desk: GameProject, path: str, line: int, column: int) -> list[CompletionCandidate]:
    """Returns the completions at a position of a rule file. Line and column count from 1."""
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
    if accepted is not None and "_SET" in accepted:                # a type: only numbers can be its limits
        found += [CompletionCandidate(name, "number", str(number)) for name, number in declared.model.numbers.items()]
    elif accepted is None or "NAME" in accepted:
        found += iter_names_in_scope(desk, declared, path, line)
    if accepted is None or "TYPE" in accepted:
        found += [CompletionCandidate(name, "type") for name in (*declared.model.enums, *declared.model.aliases)]
    found += [CompletionCandidate(word, "keyword") for word in keyword_spellings(accepted)]
    return found


def accepting_terminals(lines: list[str], line: int, head: str) -> set[str] | None:
    """Returns the grammar's terminals that may follow `head` in this line. None if the text before it cannot be
    parsed."""
    first = declaration_start(lines, line)
    chunk = "\n".join([*lines[first : line - 1], head]) if first < line - 1 else head
    indent = len(head) - len(head.lstrip())
    if not head.strip():                                           # a new statement: parse with a placeholder as its first word
        chunk = "\n".join(lines[first : line - 1]).rstrip() + "\n" if first < line - 1 else ""
        return terminals_at_end(chunk + " " * indent + "stop\n", chunk.count("\n") + 1)
    return terminals_at_end(chunk, None)


def terminals_at_end(text: str, line: int | None) -> set[str] | None:
    """Returns the terminals that the grammar accepts at the end of a text that breaks off in the middle of a line.

    With `line`: those that it accepts at the start of that line. None if the text before cannot be parsed."""
    run = build_parser().parse_interactive(text)
    before = ""
    try:
        lexed: Iterator[Token] = run.lexer_thread.lex(run.parser_state)        # type: ignore[no-untyped-call]
        for token in lexed:
            if line is not None and token.line == line and token.type not in ("_NL", "_INDENT", "_DEDENT"):
                break
            if line is None and token.type == "_DEDENT" and before not in ("_NL", "_DEDENT"):
                break                                              # end of text: the rest only closes blocks
            run.feed_token(token)
            before = token.type
    except LarkError:
        return None
    found: set[str] = run.accepts()                                # type: ignore[no-untyped-call]
    return found


def keyword_spellings(accepted: set[str] | None) -> list[str]:
    """Returns the spellings of the keywords among these terminals, or of all keywords if `accepted` is None."""
    table = keywords()
    rows = {**table["words"], **table["soft"]}
    found = [word for name, word in rows.items() if accepted is None or name in accepted]
    if accepted is None or "FOLD" in accepted:
        found += table["folds"]
    return sorted(set(found))


def iter_names_in_scope(desk: GameProject, declared: CheckedProgram, path: str, line: int) -> Iterator[CompletionCandidate]:
    """Yields every name with which an expression or a statement can begin in this line."""
    seen: set[str] = set()

    def offer_once(text: str, kind: str, detail: str = "") -> Iterator[CompletionCandidate]:
        """Yields a completion unless one with the same text came before."""
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
    """Returns the index (from 0) of the line where the declaration around `line` begins, in the current text."""
    first = min(line, len(lines)) - 1
    while first > 0 and (not lines[first].strip() or lines[first][:1] in " \t#)]}"):
        first -= 1
    return first


def locals_at(desk: GameProject, path: str, line: int) -> list[tuple[str, str]]:
    """Returns the locals that a declaration has bound up to a line, each with its type, nearest first.

    If the declaration cannot be parsed now, the names are guessed from its text and have no types."""
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
    """Yields the completions after `name` and a dot: constants and attributes of things of its type.

    If the type is not known, it is guessed from the name. Otherwise the attributes of all types are offered."""
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
    """Returns all clauses: those in clauses.yaml and those that rules cite."""
    found = dict.fromkeys(declared.cited)
    for line in desk.lines(desk.root / "clauses.yaml"):
        key = re.match(r"([A-Z0-9]+(?:-[A-Z0-9]+)*)\s*:", line)
        if key is not None:
            found[key[1]] = None
    return sorted(found)

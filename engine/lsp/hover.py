"""Hover texts: what a name, a keyword or a clause means, in the user's language."""

from __future__ import annotations

from ...dsl.check.scope import FamilyDecl, RoutineDecl, StateDecl
from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.model.model import GameModel
from ...dsl.syntax import tree
from ...dsl.syntax.lark_parser import keywords
from ...dsl.types.types import Int, Type
from ..i18n import Localizer
from ..i18n.placeholders import clause_values, text_placeholders
from .project import GameProject
from .symbol_index import WORD, GameSymbol, SymbolReference


def hover(desk: GameProject, path: str, line: int, column: int, lang: str) -> tuple[str, SourceSpan] | None:
    """Returns the hover text at a position, as Markdown, with the span that it is about. None if there is nothing to
    show."""
    spot = desk.symbol_index().reference_at(path, line, column)
    words = desk.localizer(lang)
    if spot is not None:
        return "\n\n".join(describe_symbol(spot, desk, words)), spot.place
    if path.endswith(".rules"):
        lines = desk.lines(path)
        text = lines[line - 1] if line <= len(lines) else ""
        found = keyword_at(text, column)
        if found is not None:
            word, start, end = found
            return f"`{text[start - 1 : end - 1]}`\n\n{words.text(f'keyword.{word}')}", SourceSpan(path, line, start, end)
    return None


def keyword_at(line: str, column: int) -> tuple[str, int, int] | None:
    """Returns the keyword at a column of a rule line: its name in the list of keywords, its first column and the
    column after it."""
    code = line.split("#", 1)[0]
    here = next((word for word in WORD.finditer(code) if word.start() + 1 <= column <= word.end() + 1), None)
    if here is None:
        return None
    table = keywords()
    if here[0] in table["folds"] and code[here.end():].lstrip().startswith("("):
        return f"fold.{here[0]}", here.start() + 1, here.end() + 1
    rows = {**table["words"], **table["soft"]}
    for spelling, name in sorted(((word, name) for name, word in rows.items()), key=lambda pair: -len(pair[0])):
        parts = spelling.split()
        if here[0] in parts:
            at = code.find(spelling, max(0, here.start() - len(spelling)), here.end() + len(spelling))
            if at >= 0 and at <= here.start() and at + len(spelling) >= here.end():
                return name.strip("_").lower(), at + 1, at + len(spelling) + 1
    return None


def describe_symbol(spot: SymbolReference, desk: GameProject, words: Localizer) -> list[str]:
    """Returns the paragraphs about a symbol: its declaration, its kind, its texts, and the clauses that it cites."""
    declared = desk.ensure_checked().rule_declarations
    assert declared is not None
    meaning, model = spot.meaning, declared.model
    out: list[str] = []
    cites: tuple[str, ...] = ()
    kind = meaning.kind
    if kind == "local":
        kind_of = next((one.type for one in desk.symbol_index().references_to(meaning) if one.type is not None), None)
        out.append(code_block(f"{meaning.name}: {kind_of}"))
    elif kind == "state" and meaning.name in declared.states:
        state = declared.states[meaning.name]
        out.append(code_block(state_signature(state)))
        cites = state.cites
    elif kind == "family" and meaning.name in declared.families:
        family = declared.families[meaning.name]
        here = next((routine for routine in family.routines if routine.place == spot.place), None)
        routine = here or family.routines[0]
        kind = routine.kind
        out.append(code_block(routine_head(family, routine, here is not None)))
        cites = clauses_cited_in(routine, declared.cited) if here is not None or family.domain is None else ()
    elif kind == "number":
        out.append(code_block(f"{meaning.name} = {model.numbers.get(meaning.name)}"))
    elif kind == "table" and meaning.name in model.tables:
        table = model.tables[meaning.name]
        out.append(code_block(f"{meaning.name}[{table.first}..] = {', '.join(map(str, table.values))}"))
    elif kind == "option" and meaning.name in model.options:
        out.append(code_block(f"{meaning.name}: {' | '.join(str(value).lower() for value in model.options[meaning.name].values)}"))
    elif kind == "attribute":
        enum = model.enums.get(meaning.owner)
        out.append(code_block(f"{meaning.owner}.{meaning.name}: {enum.attributes.get(meaning.name, '') if enum is not None else ''}"))
    elif kind == "own":
        owner, _, member = meaning.owner.partition(".")
        enum = model.enums.get(owner)
        out.append(code_block(f"{member}.{meaning.name} = {enum.own.get((member, meaning.name), '') if enum is not None else ''}"))
    elif kind == "clause":
        out.append(f"**{meaning.name}**")
        cites = (meaning.name,)
    else:
        out.append(code_block(f"{meaning.name}: {meaning.owner}" if meaning.owner else meaning.name))
    out.append(words.text(f"editor.kind.{kind}"))
    out += game_texts_of(meaning, model, words)
    out += [sentence for clause in cites if (sentence := clause_sentence(clause, model, words))]
    return out


def code_block(text: str) -> str:
    """Formats a text as a Markdown code block of rules."""
    return f"```ludoglot\n{text}\n```"


def state_signature(state: StateDecl) -> str:
    """Returns the declaration of a state as rules write it."""
    axes = ", ".join(domain if name == domain.lower() else f"{name}: {domain}" for name, domain in state.axes)
    return f"state {state.name}{f'[{axes}]' if axes else ''}: {state.type}"


def routine_head(family: FamilyDecl, routine: RoutineDecl, alone: bool) -> str:
    """Returns the head of a routine. `alone`: with its own case. Otherwise the case is shown as the type of the
    whole family."""
    params = ", ".join(f"{local.name}: {local.type}" for local in routine.params)
    case = routine.key[len(routine.name):] if alone else f"[{family.domain}]" if family.domain else ""
    result = f" = {format_result_type(routine.type)}" if routine.kind == "def" and routine.type is not None else ""
    return f"{routine.kind} {routine.name}{case}{f'({params})' if params else ''}{result}"


def format_result_type(type_: Type) -> str:
    """Formats the result type of a def. A number without fixed limits is shown as `int`, since only the checker
    needs the limits."""
    return "int" if isinstance(type_, Int) and (type_.low is None or type_.high is None) else str(type_)


def clauses_cited_in(routine: RoutineDecl, cited: dict[str, list[SourceSpan]]) -> tuple[str, ...]:
    """Returns the clauses that a routine cites, in its head and in its body."""
    node: tree.Node = routine.node
    first, last = node.meta.line, getattr(node.meta, "end_line", None) or node.meta.line
    return tuple(clause for clause, places in sorted(cited.items())
                 if any(place.path == routine.path and first <= place.line <= last for place in places))


def game_texts_of(meaning: GameSymbol, model: GameModel, words: Localizer) -> list[str]:
    """Returns the game's name and text for a symbol."""
    out = []
    if meaning.kind == "member" and meaning.owner in model.enums:
        key = f"{meaning.owner}.{meaning.name}"
        known = text_placeholders(model, meaning.owner, meaning.name) if meaning.name in model.enums[meaning.owner].first_index else {}
        if words.has(f"{key}.name"):
            out.append(f"**{words.noun(key)}**")
        if words.has(f"{key}.text"):
            out.append(words.text(f"{key}.text", **known))
    elif meaning.kind == "option":
        for part in ("name", "text"):
            if words.has(f"variant.{meaning.name}.{part}"):
                said = words.text(f"variant.{meaning.name}.{part}", **text_placeholders(model))
                out.append(f"**{said}**" if part == "name" else said)
    elif meaning.kind == "type" and words.has(f"{meaning.name}.name"):
        out.append(f"**{words.noun(meaning.name)}**")
    else:
        for section in ("phase", "state", "panel", "score"):
            key = f"{section}.{meaning.name}"
            found = next((one for one in (key, f"{key}.name") if words.has(one)), None)
            if found is not None and meaning.kind in ("state", "family"):
                out.append(f"**{words.template(found)}**")
                break
    return out


def clause_sentence(clause: str, model: GameModel, words: Localizer) -> str | None:
    """Returns the sentence of a clause, or None if it has none."""
    key = f"clause.{clause}"
    return f"[{clause}] {words.text(key, **clause_values(model))}" if words.has(key) else None

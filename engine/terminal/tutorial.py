"""The tutorial: explains each new kind of question once. Also the command that switches it on and off."""

from __future__ import annotations

import re
from collections.abc import Set

from ..i18n.placeholders import text_placeholders
from ..i18n.template import capitalize_first
from ..i18n.text_layout import wrap_cells
from ..i18n.user_input import normalize
from ..narration.member_texts import member_text
from ..position.call_stack import current_context
from ..position.position import Decision, Position
from ..rulebook.book import BookClause
from .audience import ScreenAudience
from .question import DecisionPrompt

REDUNDANT_WORD_SHARE = 0.8                           # a sentence with this share of known words says nothing new
MAX_PARTS_PER_QUESTION = 2                            # limit for parts of the game, and for clauses


def mark_explained(audience: ScreenAudience, decision: Decision) -> None:
    """Marks a question from before the game was saved as explained."""
    taught = audience.taught.setdefault(decision.seat, set())
    taught.update(key for key, _ in game_part_texts(audience, decision.position))
    if decision.key not in taught:
        taught.update([decision.key, *find_new_clauses(audience, decision, taught)])


def tutorial_lines(audience: ScreenAudience, question: DecisionPrompt) -> list[str]:
    """Returns an explanation of a question, if it is the first of its kind for this person.

    It explains new parts of the game, quotes the clauses of the rule that asks, and refers to the rulebook."""
    taught = audience.taught.setdefault(audience.seat, set())
    first = not taught
    found = game_part_texts(audience, audience.table.position)
    texts = [text for key, text in dict(found).items() if key not in taught][-MAX_PARTS_PER_QUESTION:]
    taught.update(key for key, _ in found)
    clauses: list[str] = []
    if question.decision.key not in taught:
        taught.add(question.decision.key)
        clauses = find_new_clauses(audience, question.decision, taught)
        taught.update(clauses)
        said = [audience.narrator.clause_text(clause) or "" for clause in clauses]
        texts += [one for one in said if not any(is_redundant(one, text) for text in texts)]
    if not texts:
        return []
    words = audience.narrator.words
    if clauses and (chapter := chapter_of_clause(audience, clauses[0])):
        texts.append(words.text("teach.more", command=f"{words.text('command.rules')} {chapter}"))
    if first:
        texts.append(words.text("teach.begin", command=f"{words.text('command.teach')} {words.text('hints.word.off')}"))
    return [line for text in texts for line in wrap_cells(text, audience.width)]


def find_new_clauses(audience: ScreenAudience, decision: Decision, known_clauses: Set[str]) -> list[str]:
    """Returns the clauses of the rule that asks, if they have a sentence and are new.

    A citation of a clause family stands for its clauses."""
    narrator = audience.narrator
    cited = [
        one
        for clause in decision.kind.cites
        for one in ([clause] if narrator.clause_text(clause) else sorted(narrator.clauses_of_family(clause)))
    ]
    return [clause for clause in cited if narrator.clause_text(clause) and clause not in known_clauses][:MAX_PARTS_PER_QUESTION]


def game_part_texts(audience: ScreenAudience, position: Position) -> list[tuple[str, str]]:
    """Returns key and text of the active phases and member procedures that have a text, the outermost first."""
    game, words = audience.table.game, audience.narrator.words
    found = []
    for call in current_context(game.module, position.s).calls:
        keys = [(f"phase.{call.name}", text_placeholders(game.model))] if call.kind == "phase" and call.name != "game" else []
        domain = game.ruleset.program.families[call.name].domain
        enum = game.model.enum_of(domain) if domain is not None else None
        if enum is not None and enum.kind in ("enum", "pieces") and call.member is not None and not call.secret:
            member = enum.kind_or_name(call.member)
            keys.append((f"{enum.name}.{member}", text_placeholders(game.model, enum.name, member)))
        for key, values in keys:
            if words.has(f"{key}.text"):
                name = words.text(f"{key}.name") if key.startswith("phase.") else words.noun(key)
                about = words.text(f"{key}.text", **values) if key.startswith("phase.") else member_text(game, words, *key.split("."))
                found.append((key, f"{capitalize_first(name)}. {about}"))
    return found


def is_redundant(one: str, other: str) -> bool:
    """Whether one text is redundant to another, because that contains most of its words."""
    words, others = (re.findall(r"\w+", normalize(text)) for text in (one, other))
    return sum(word in others for word in words) >= REDUNDANT_WORD_SHARE * len(words)


def chapter_of_clause(audience: ScreenAudience, clause: str) -> str:
    """Returns the number of the rulebook chapter that contains a clause; "" if there is none."""
    return next((chapter.number for chapter in audience.get_rulebook().iter_chapters() for block in chapter.blocks
                 if isinstance(block, BookClause) and block.id == clause), "")


def toggle_tutorial(audience: ScreenAudience, wanted: bool | None) -> None:
    """Switches the tutorial on or off; toggles it if `wanted` is None."""
    audience.teaching = not audience.teaching if wanted is None else wanted
    audience.print_message("teach.on" if audience.teaching else "teach.off")

"""The letters of a notation in the language of a player: Nf3 is Cf3 in Italian and Hf3 in Hungarian.

Files always use the letters of notation.yaml. A player reads and types those of the texts `letter.<Type>.<member>`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ...dsl.game.notation_config import ExpressionIndex, MoveSpelling, Notation, SpelledValue, SpellingCase
from ...dsl.types.types import MemberOf, OptionalOf


def localize_notation(notation: Notation, find_text: Callable[[str], str | None]) -> Notation:
    """Returns the notation with the letters of a language. A member without a letter in notation.yaml gets none.

    `find_text` returns the text of a key, or None."""
    def localize_letters(kind: str, texts: Mapping[str, str]) -> dict[str, str]:
        return {member: find_text(f"letter.{kind}.{member}") or text if text else "" for member, text in texts.items()}

    def localize_field(field: SpelledValue | SpellingCase) -> SpelledValue | SpellingCase:
        if not isinstance(field, SpelledValue) or field.texts is None:
            return field
        found = notation.questions[field.ask].type
        kind = found.of if isinstance(found, OptionalOf) else found
        return replace(field, texts=localize_letters(kind.name, field.texts)) if isinstance(kind, MemberOf) else field

    def localize_move(move: MoveSpelling) -> MoveSpelling:
        return replace(move, fields={name: localize_field(field) for name, field in move.fields.items()})

    spelling: dict[str, Mapping[str, str] | ExpressionIndex] = {
        kind: localize_letters(kind, given) if isinstance(given, Mapping) else given for kind, given in notation.spelling.items()}
    return replace(notation, spelling=spelling, moves={key: localize_move(move) for key, move in notation.moves.items()})


def list_letters(notation: Notation) -> set[str]:
    """Returns the first letters that the notation writes for members, in capitals."""
    texts = (text for given in notation.spelling.values() if isinstance(given, Mapping) for text in given.values())
    return {text[0] for text in texts if text[:1].isupper()}

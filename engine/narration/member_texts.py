"""Texts of members, such as cards. If house rules changed the rule of a member, its text is shown as one that no longer applies."""

from __future__ import annotations

from ..i18n.localizer import Localizer
from ..i18n.placeholders import text_placeholders
from ..position.position import Game


def member_text(game: Game, words: Localizer, domain: str, member: str) -> str | None:
    """Returns the text of a member, or None. If house rules made it untrue, the sentence says so and quotes it."""
    key, overlay = f"{domain}.{member}.text", game.ruleset.source.overlay
    said = written_member_text(game, words, domain, member)
    found = overlay.find_outdated_text(key) if overlay is not None else None
    if said is None or found is None:
        return said
    pack, place = found
    return words.text("house.clause", pack=pack, place=f"{place.path}:{place.line}", before=said)


def written_member_text(game: Game, words: Localizer, domain: str, member: str) -> str | None:
    """Returns the text of a member as it is written, even if house rules made it untrue, or None."""
    key = f"{domain}.{member}.text"
    return words.text(key, **text_placeholders(game.model, domain, member)) if words.has(key) else None

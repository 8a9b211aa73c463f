"""The numbers of players for which a value of an option is allowed, as `only` of the option gives them."""

from __future__ import annotations

from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, did_you_mean
from ..packs.source import MAX_SEATS, GameSource
from ..types.boards import parse_span
from .codec import format_inline


def option_player_range(option: dict[str, Any], value: Any) -> tuple[int, int] | None:
    """Returns the minimum and maximum number of players for a value of an option, or None if any number may use it."""
    for written, span in option.get("only", {}).items():
        if str(written).lower() == str(value).lower():
            return parse_span(span)
    return None


def check_option_players(source: GameSource, name: str, findings: DiagnosticList) -> bool:
    """Whether `only` of an option has values of the option, with numbers of players of the game. Reports the others.

    A pack may leave the game fewer numbers of players, and `only` of the game itself may then name others."""
    option, before = source.data["options"][name], len(findings.items)
    known = [format_inline(value) for value in option["values"]]
    least, most = source.player_range
    is_from_pack = bool({("house", "options", name, "only"), ("house", "options", name)} & source.places.keys())
    if ("house", "players") in source.places and not is_from_pack:
        least, most = 1, MAX_SEATS
    for written, span in option.get("only", {}).items():
        path, said = ("options", name, "only", written), format_inline(written)
        if said.lower() not in map(str.lower, known):
            findings.add_with_suggestion("Y013", source.key_place(*path), did_you_mean(said, known), found=f'"{said}"',
                                         wanted=", ".join(known))
        low, high = parse_span(span)
        if not least <= low <= high <= most:
            findings.add("G016", source.place(*path), found=span, least=least, limit=most)
    return len(findings.items) == before

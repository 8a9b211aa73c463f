"""What a line of a save may hold. A save may come from a stranger: everything in it has a kind and bounds, and what is outside of them
raises Misfit, whatever else it is."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from ..i18n.languages import known_language
from ..position.seeds import is_secret_seed
from .saved_packs import packs_of
from .setup import ANY_ORDER, SavedDecision, Setup

LONGEST = 500_000                    # bytes of a line; the header carries the texts of house rules
DEEPEST = 16                         # lists and tables within each other
DIGITS = 40                          # of a number
SEATS = 64
VERSIONS = 1_000_000                 # of a game, as its author counts
MANY = 200                           # options, house rules
STARTS = ("clear", "given", "number")
KEPT = ("tags", "result", "decisions")
TEXT = 4_096                         # characters of a path; of most other texts far fewer
NAME = 1_000
TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)         # also one that does not end: no place is looked at twice


class Misfit(Exception):
    """A line that holds something else than it should."""


def parsed(line: bytes) -> dict[str, Any]:
    """A line of JSON, not too long, not too deep, without numbers that are none of ours. Raises Misfit."""
    if len(line) > LONGEST or deep(line):
        raise Misfit
    try:
        found = json.loads(line, parse_int=whole, parse_float=odd, parse_constant=odd)
    except (ValueError, RecursionError) as error:
        raise Misfit from error
    if not isinstance(found, dict):
        raise Misfit
    return found


def deep(line: bytes) -> bool:
    """Whether brackets stand too deep within each other; those in texts do not count."""
    level = most = 0
    for byte in TEXTS.sub(b"", line) if line.count(b"[") + line.count(b"{") > DEEPEST else b"":
        level += (byte in b"[{") - (byte in b"]}")
        most = max(most, level)
    return most > DEEPEST


def whole(text: str) -> int:
    if len(text) > DIGITS:
        raise Misfit
    return int(text)


def odd(text: str) -> NoReturn:
    """A fraction, an infinity: nothing in a save is one."""
    raise Misfit


def text_in(data: dict[str, Any], key: str, most: int = NAME) -> str:
    found = data.get(key)
    if not isinstance(found, str) or len(found) > most:
        raise Misfit
    return found


def number_in(data: dict[str, Any], key: str, low: int, high: int) -> int:
    found = data.get(key)
    if type(found) is not int or not low <= found <= high:
        raise Misfit
    return found


def texts_in(data: dict[str, Any], key: str, count: int, empty: bool = True) -> list[str]:
    """A text for each seat; none at all where `empty` says so."""
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(text, str) and len(text) <= NAME for text in found):
        raise Misfit
    if len(found) != count and (found or not empty):
        raise Misfit
    return list(found) or [""] * count


def setup_of(head: dict[str, Any]) -> Setup:
    """The header. Keys that we do not know are passed over; what all of them together may be, `parsed` has seen to."""
    players = number_in(head, "players", 1, SEATS)
    seed = head.get("seed")
    options, house, auto = head.get("options", {}), head.get("house", []), head.get("auto", True)
    if seed is None or type(seed) is not int and not is_secret_seed(seed) or type(auto) is not bool:
        raise Misfit
    if not isinstance(options, dict) or len(options) > MANY or not all(scalar(value) for value in options.values()):
        raise Misfit
    if not isinstance(house, list) or len(house) > MANY or not all(isinstance(entry, dict) for entry in house):
        raise Misfit
    packs: list[dict[str, Any]] = []
    for entry in house:
        texts = {key: text_in(entry, key, TEXT) for key in ("path", "name", "hash") if key != "hash" or key in entry}
        packs.append({**texts, **({"files": entry["files"]} if "files" in entry else {})})
    try:
        packs_of(packs)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise Misfit from error
    langs = [known_language(lang) or "" for lang in texts_in(head, "langs", players)]
    start, scoresheet = head.get("start", {}), head.get("scoresheet", {})
    if not isinstance(start, dict) or not starts(start) or not isinstance(scoresheet, dict) or not is_scoresheet(scoresheet):
        raise Misfit
    return Setup(text_in(head, "game", TEXT), players, seed, dict(options), packs, texts_in(head, "names", players),
                 texts_in(head, "seats", players, empty=False), langs, text_in(head, "rules") if "rules" in head else "", auto,
                 text_in(head, "lang") if "lang" in head else "", number_in(head, "version", 0, VERSIONS) if "version" in head else 0,
                 {key: start[key] for key in STARTS if key in start}, ANY_ORDER if head.get("sets") == ANY_ORDER else "",
                 {key: scoresheet[key] for key in KEPT if key in scoresheet})


def starts(start: dict[str, Any]) -> bool:
    """Whether this may be with what a game begins: states that are emptied, entries that are put, the number of the first move."""
    clear, given, number = start.get("clear", []), start.get("given", {}), start.get("number", 1)
    return (isinstance(clear, list) and len(clear) <= MANY and all(isinstance(name, str) for name in clear)
            and isinstance(given, dict) and len(given) <= MANY and type(number) is int and 1 <= number <= VERSIONS)


def is_scoresheet(found: dict[str, Any]) -> bool:
    """Whether this may be what is kept of the file with which a game began: tags, and the result after so many decisions."""
    tags, result, decisions = found.get("tags", {}), found.get("result", ""), found.get("decisions", 0)
    return (isinstance(tags, dict) and len(tags) <= MANY and all(scalar(one) and len(one) <= NAME for one in [*tags, *tags.values(), result]
            if isinstance(one, str)) and all(isinstance(one, str) for one in [*tags.values(), result]) and type(decisions) is int)


def scalar(value: Any) -> bool:
    return isinstance(value, bool | int) or isinstance(value, str) and len(value) <= NAME


def decision_of(data: dict[str, Any], players: int) -> SavedDecision:
    auto, over = data.get("auto", False), data.get("over", False)
    if type(auto) is not bool or type(over) is not bool:
        raise Misfit
    return SavedDecision(number_in(data, "seat", 0, players - 1), text_in(data, "key"), text_in(data, "option", LONGEST),
                         text_in(data, "hash"), auto, over)

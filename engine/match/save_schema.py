"""The schema of a line in a save. A save may come from a stranger, so everything in it has a type and
bounds. Anything else raises SaveSchemaError."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from ..i18n.languages import parse_language_code
from ..position.seeds import is_secret_seed
from .saved_packs import restore_packs
from .setup import ANY_ORDER, MatchSetup, SavedDecision

MAX_LINE_BYTES = 500_000                    # the header contains the texts of house rules
MAX_JSON_DEPTH = 16                         # nested lists and objects
MAX_NUMBER_DIGITS = 40                          # of a number
MAX_SEATS = 64
MAX_VERSION = 1_000_000                 # of a game, as numbered by its author
MAX_ITEMS = 200                           # options, packs
START_KEYS = ("clear", "given", "number")
SCORESHEET_KEYS = ("tags", "result", "decisions")
MAX_PATH_CHARS = 4_096                         # other texts are much shorter
MAX_SAVED_TEXT_CHARS = 1_000
JSON_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)         # also unterminated ones; runs in linear time


class SaveSchemaError(Exception):
    """Raised if a line does not follow the schema. `key` is the text that players see if the header is refused for this."""

    def __init__(self, key: str = "save.headless") -> None:
        super().__init__(key)
        self.key = key


def parse_line(line: bytes) -> dict[str, Any]:
    """Parses a line of JSON, with limits on its length, depth and numbers. Raises SaveSchemaError."""
    if len(line) > MAX_LINE_BYTES or is_nested_too_deep(line):
        raise SaveSchemaError
    try:
        found = json.loads(line, parse_int=parse_bounded_int, parse_float=reject_number, parse_constant=reject_number)
    except (ValueError, RecursionError) as error:
        raise SaveSchemaError from error
    if not isinstance(found, dict):
        raise SaveSchemaError
    return found


def is_nested_too_deep(line: bytes) -> bool:
    """Whether brackets are nested too deep. Those in strings do not count."""
    level = most = 0
    for byte in JSON_STRINGS.sub(b"", line) if line.count(b"[") + line.count(b"{") > MAX_JSON_DEPTH else b"":
        level += (byte in b"[{") - (byte in b"]}")
        most = max(most, level)
    return most > MAX_JSON_DEPTH


def parse_bounded_int(text: str) -> int:
    """Parses an integer with a limited number of digits."""
    if len(text) > MAX_NUMBER_DIGITS:
        raise SaveSchemaError
    return int(text)


def reject_number(text: str) -> NoReturn:
    """Rejects a fraction or an infinity, which never occur in a save."""
    raise SaveSchemaError


def get_text(data: dict[str, Any], key: str, max_length: int = MAX_SAVED_TEXT_CHARS) -> str:
    """Returns the string with this key, of at most `max_length` characters. Raises SaveSchemaError."""
    found = data.get(key)
    if not isinstance(found, str) or len(found) > max_length:
        raise SaveSchemaError
    return found


def get_int(data: dict[str, Any], key: str, low: int, high: int) -> int:
    """Returns the integer with this key, within these bounds. Raises SaveSchemaError."""
    found = data.get(key)
    if type(found) is not int or not low <= found <= high:
        raise SaveSchemaError
    return found


def get_texts(data: dict[str, Any], key: str, count: int, empty: bool = True) -> list[str]:
    """Returns a string for each seat. With `empty`, the list may be missing. Raises SaveSchemaError."""
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(text, str) and len(text) <= MAX_SAVED_TEXT_CHARS for text in found):
        raise SaveSchemaError
    if len(found) != count and (found or not empty):
        raise SaveSchemaError
    return list(found) or [""] * count


def parse_setup(head: dict[str, Any]) -> MatchSetup:
    """Parses the header. Unknown keys are ignored, because `parse_line` has limited their total size. Raises
    SaveSchemaError."""
    players = get_int(head, "players", 1, MAX_SEATS)
    seed = head.get("seed")
    options, house = head.get("options", {}), head.get("house", [])
    auto, teach = head.get("auto", True), head.get("teach", False)
    if seed is None or type(seed) is not int and not is_secret_seed(seed) or type(auto) is not bool or type(teach) is not bool:
        raise SaveSchemaError
    if not isinstance(options, dict) or len(options) > MAX_ITEMS or not all(is_scalar(value) for value in options.values()):
        raise SaveSchemaError
    if not isinstance(house, list) or len(house) > MAX_ITEMS or not all(isinstance(entry, dict) for entry in house):
        raise SaveSchemaError
    packs: list[dict[str, Any]] = []
    for entry in house:
        texts = {key: get_text(entry, key, MAX_PATH_CHARS) for key in ("path", "name", "hash") if key != "hash" or key in entry}
        packs.append({**texts, **({"files": entry["files"]} if "files" in entry else {})})
    try:
        restore_packs(packs)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise SaveSchemaError from error
    langs = [parse_language_code(lang) or "" for lang in get_texts(head, "langs", players)]
    start, scoresheet = head.get("start", {}), head.get("scoresheet", {})
    if not isinstance(start, dict) or not is_valid_start(start) or not isinstance(scoresheet, dict) or not is_valid_scoresheet(scoresheet):
        raise SaveSchemaError
    return MatchSetup(get_text(head, "game", MAX_PATH_CHARS), players, seed, dict(options), packs, get_texts(head, "names", players),
                 get_texts(head, "seats", players, empty=False), langs, get_text(head, "rules") if "rules" in head else "", auto,
                 get_text(head, "lang") if "lang" in head else "", get_int(head, "version", 0, MAX_VERSION) if "version" in head else 0,
                 {key: start[key] for key in START_KEYS if key in start}, ANY_ORDER if head.get("sets") == ANY_ORDER else "",
                 {key: scoresheet[key] for key in SCORESHEET_KEYS if key in scoresheet}, teach)


def is_valid_start(start: dict[str, Any]) -> bool:
    """Whether this is a valid start position: states to empty, entries to set, and the number of the first move."""
    clear, given, number = start.get("clear", []), start.get("given", {}), start.get("number", 1)
    return (isinstance(clear, list) and len(clear) <= MAX_ITEMS and all(isinstance(name, str) for name in clear)
            and isinstance(given, dict) and len(given) <= MAX_ITEMS and type(number) is int and 1 <= number <= MAX_VERSION)


def is_valid_scoresheet(found: dict[str, Any]) -> bool:
    """Whether this is a valid record of the file that the match was loaded from: its
    tags, and the result after so many decisions."""
    tags, result, decisions = found.get("tags", {}), found.get("result", ""), found.get("decisions", 0)
    return (
        isinstance(tags, dict)
        and len(tags) <= MAX_ITEMS
        and all(is_scalar(one) and len(one) <= MAX_SAVED_TEXT_CHARS for one in [*tags, *tags.values(), result] if isinstance(one, str))
        and all(isinstance(one, str) for one in [*tags.values(), result])
        and type(decisions) is int
        and 0 <= decisions <= MAX_VERSION
    )


def is_scalar(value: Any) -> bool:
    """Whether a value is a Boolean, an integer or a short string."""
    return isinstance(value, bool | int) or isinstance(value, str) and len(value) <= MAX_SAVED_TEXT_CHARS


def parse_decision(data: dict[str, Any], players: int) -> SavedDecision:
    """Parses a decision. Raises SaveSchemaError."""
    auto, over = data.get("auto", False), data.get("over", False)
    if type(auto) is not bool or type(over) is not bool:
        raise SaveSchemaError
    return SavedDecision(get_int(data, "seat", 0, players - 1), get_text(data, "key"), get_text(data, "option", MAX_LINE_BYTES),
                         get_text(data, "hash"), auto, over)

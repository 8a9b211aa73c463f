"""Copies a game folder with every identifier renamed. If the copy plays the same, the engine does not know the game by name.

python tests/renaming/rename.py rules/hex somewhere/else
"""

from __future__ import annotations

import itertools
import re
import sys
from pathlib import Path
from typing import Any

import yaml
from ludoglot.dsl.check.builtins import BUILTINS
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import resolve_settings
from ludoglot.dsl.model.build_model import make_model
from ludoglot.dsl.packs.source import read_game
from ludoglot.dsl.syntax.lark_parser import build_parser, keywords
from ludoglot.dsl.types.boards import HEX_FLAT_DIRECTIONS, HEX_POINTY_DIRECTIONS, SQUARE_DIRECTIONS

KEPT_TYPES = {"Player", "Direction"}
KEPT = {"game", "player", "direction", "int", "bool", *BUILTINS, *SQUARE_DIRECTIONS, *HEX_FLAT_DIRECTIONS, *HEX_POINTY_DIRECTIONS}
# Words that would do harm if an identifier ever became code.
HOSTILE_WORDS = [
    "class",
    "lambda",
    "import",
    "return",
    "__import__",
    "__class__",
    "exec",
    "eval",
    "s",
    "o",
    "a",
    "b0",
    "print",
    "fault",
    "none_",
    "pass",
]
TEXT_KEYS = ("name", "text")
SECTIONS = {"numbers", "options", "enums", "pieces", "tables", "boards", "start"}


class Renamer:
    """One renaming: the same old name always gets the same new name, in data and rules."""

    def __init__(self, reserved: set[str]) -> None:
        self.types: dict[str, str] = {}
        self.names: dict[str, str] = {}
        fresh = itertools.chain((w for w in HOSTILE_WORDS if w not in reserved), (f"zz{n}" for n in itertools.count()))
        self.fresh = iter(fresh)
        self.numbers = itertools.count()

    def type(self, name: str) -> str:
        if name in KEPT_TYPES:
            return name
        if name not in self.types:
            new = f"Qx{next(self.numbers)}"
            self.types[name] = new
            snake = re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()  # a parameter `tile` is a Tile by its name: keep that link
            self.names.setdefault(snake, new.lower())
        return self.types[name]

    def name(self, name: str) -> str:
        if name in KEPT:
            return name
        if name not in self.names:
            self.names[name] = next(self.fresh)
        return self.names[name]


def rename_game(source: Path, target: Path) -> Renamer:
    """Writes the renamed copy of `source` to `target`."""
    target.mkdir(parents=True, exist_ok=True)
    main = yaml.safe_load((source / "game.yaml").read_text(encoding="utf-8"))
    files = [source / "game.yaml", *(source / name for name in main.get("data", []))]
    data = {path: yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader) for path in files}
    reserved = {word for table in ("words", "soft") for word in keywords()[table].values()} | set(keywords()["folds"])
    renamer = Renamer(reserved)
    for tree in data.values():
        for group in ("enums", "pieces", "boards"):
            for name, value in (tree.get(group) or {}).items():
                if group == "boards":
                    for key in ("cells", "corners", "edges"):
                        if key in value:
                            renamer.type(value[key])
                else:
                    renamer.type(name)
    labels = list_cell_labels(source)
    for path, tree in data.items():
        written = {key: rename_section(renamer, key, value, labels) if key in SECTIONS else value for key, value in tree.items()}
        (target / path.name).write_text(yaml.safe_dump(parse_scalars(written), sort_keys=False, allow_unicode=True), encoding="utf-8")
    for name in main["rules"]:
        text = (source / name).read_text(encoding="utf-8")
        (target / name).write_text(rename_rules(renamer, text), encoding="utf-8")
    return renamer


def list_cell_labels(source: Path) -> set[str]:
    findings = DiagnosticList()
    found = read_game(source, findings)
    assert found is not None, findings.items
    model = make_model(found, found.player_range[0], resolve_settings(found, {}, findings), findings)
    assert model is not None, findings.items
    enums = model.enums.values()
    return {member for enum in enums if enum.kind in ("cells", "corners", "edges") for member in enum.members} | {
        name for enum in enums if enum.kind in ("corners", "edges") and enum.board for name in enum.board.parts_of_kind(enum.kind).names
    }


def parse_scalars(value: Any) -> Any:
    """Converts numbers and booleans, because BaseLoader reads every value as text. Texts for people stay text, also a place called "24"."""
    if isinstance(value, dict):
        return {parse_scalars(key): found if key in ("name", "text") and isinstance(found, str) else parse_scalars(found)
                for key, found in value.items()}
    if isinstance(value, list):
        return [parse_scalars(found) for found in value]
    if isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        return int(value)
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


def rename_section(r: Renamer, kind: str, value: dict, labels: set[str]) -> dict:
    """Returns one section of the data with its names replaced."""

    def rename(text: str) -> str:
        if (
            text in labels
            or re.fullmatch(r"-?\d+(\.\.-?\d+)?", text)
            or text in ("true", "false", "none", "last", "zero", "players", "else")
        ):
            return text
        return r.name(text)

    def convert(found: Any) -> Any:
        if isinstance(found, dict):
            if "edge" in found:
                return found
            if set(found) <= {"count", "sum"}:                     # a computed number: of a type, or of its attribute
                parts = {key: v.split(".") for key, v in found.items()}
                return {key: ".".join([r.type(of), *map(rename, rest)]) for key, (of, *rest) in parts.items()}
            if "by" in found:
                return {key if key == "by" else rename(key): convert(v) for key, v in found.items()}
            return {rename(key): convert(v) for key, v in found.items()}
        if isinstance(found, list):
            return [convert(v) for v in found]
        return rename(found)

    def rename_types(text: str) -> str:
        return re.sub(r"[A-Z][A-Za-z0-9]*", lambda m: r.type(m[0]), text)

    if kind == "boards":
        out = {}
        for name, board in value.items():
            board = {key: (r.type(v) if key in ("cells", "corners", "edges") else v) for key, v in board.items()}
            board = {key: convert(v) if isinstance(v, dict) and "by" in v else v for key, v in board.items()}
            if "names" in board:
                board["names"] = {rename(key): v for key, v in board["names"].items()}
            out[rename(name)] = board
        return out
    if kind in ("enums", "pieces"):
        out = {}
        for name, enum in value.items():
            if not isinstance(enum, dict):
                out[r.type(name)] = [rename(m) for m in enum] if isinstance(enum, list) else r.type(enum)
                continue
            copy = dict(enum)
            for key in ("members", "copies"):
                if key in enum:
                    copy[key] = {
                        rename(m): {k if k in (*TEXT_KEYS, "n") else rename(k): v if k in TEXT_KEYS else convert(v)
                                    for k, v in (given or {}).items()}
                        for m, given in enum[key].items()
                    }
            if "attributes" in enum:
                copy["attributes"] = {rename(key): rename_types(v) for key, v in enum["attributes"].items()}
            if "defaults" in enum:
                copy["defaults"] = {rename(key): convert(v) for key, v in enum["defaults"].items()}
            for key in ("decides", "numbered", "back"):
                if key in enum:
                    copy[key] = rename(enum[key])
            out[r.type(name)] = copy
        return out
    if kind == "tables":
        return {rename(name): {key: v if key in ("from", "beyond") else convert(v) for key, v in table.items()}
                for name, table in value.items()}
    if kind == "options":
        return {rename(name): {key: v if key in TEXT_KEYS else convert(v) for key, v in option.items()} for name, option in value.items()}
    return {rename(name): convert(v) for name, v in value.items()}


def rename_rules(r: Renamer, text: str) -> str:
    """Returns the rule file with every NAME and TYPE replaced. Everything else stays the same, character for character."""
    out, end = [], 0
    for token in build_parser().parse_interactive(text + "\n").iter_parse():
        if token.start_pos is None or token.type not in ("NAME", "TYPE"):
            continue
        new = r.type(str(token)) if token.type == "TYPE" else r.name(str(token))
        out += [text[end : token.start_pos], new]
        end = token.end_pos
    return "".join(out) + text[end:]


if __name__ == "__main__":
    rename_game(Path(sys.argv[1]), Path(sys.argv[2]))

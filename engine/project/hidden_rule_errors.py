"""Finds the errors in the rules of a game whose data has errors, so that one run shows both.

Invalid parts of the data are left out, and the rules are checked with the rest. An error about a name that an invalid part
may declare is perhaps a consequence of it, so it is not reported."""

from __future__ import annotations

import re
from pathlib import Path

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, did_you_mean
from ...dsl.game.variants import VariantChecker
from ...dsl.packs.manifest import remove_paths
from ...dsl.packs.source import read_game
from ...dsl.syntax.parse import parse_cached, read_rule_files
from ...dsl.yaml.located_yaml import LocatedYaml, get_value, read_yaml
from ...dsl.yaml.schema import find_violations, load_schema
from ..library.find import GameLocation
from .further_findings import iter_named_words
from .further_rule_errors import CERTAIN_CODES
from .game_check import GameCheck

# sections that declare only the names in them. A board, for example, also declares its places
PLAIN_SECTIONS = ("game", "name", "text", "version", "clauses", "numbers", "tables", "enums", "start")
SYNTAX_PREFIX = "R0"
WORD = re.compile(r"[^\W\d]\w*")


class LenientReader:
    """Reads the data of a game without its invalid parts.

        words     the words in these parts
        is_plain  whether they can declare no other names"""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.words: set[str] = set()
        self.is_plain = True

    def read(self, path: Path, schema: str, findings: DiagnosticList, display_path: str | None = None) -> LocatedYaml | None:
        """Returns the valid parts of a file. None if it cannot be parsed."""
        document = read_yaml(path, findings, display_path)
        if document is None or not isinstance(document.data, dict):
            return None
        before = set(WORD.findall(str(document.data)))
        wrong = find_violations(document, schema, findings)
        for at in wrong:
            section = did_you_mean(str(at[0]), load_schema(schema)["properties"]) or str(at[0]) if at else ""
            self.is_plain &= section in PLAIN_SECTIONS
            self.words |= set(WORD.findall(f"{at[-1:]} {get_value(document.data, at)}"))
        remove_paths(document, wrong, schema)
        if schema == "game":
            rules = sorted(file.name for file in self.folder.glob("*.rules"))
            document.data = {"game": "game", "name": "game", "players": 2, "rules": rules, **document.data}
        self.words |= before - set(WORD.findall(str(document.data)))
        return document if not find_violations(document, schema, DiagnosticList()) else None


def find_hidden_rule_errors(location: GameLocation) -> list[Diagnostic]:
    """Returns the certain errors in the rules of a game whose data has errors: syntax errors and unknown names."""
    reader, findings = LenientReader(location.folder), DiagnosticList()
    source = read_game(location.folder, DiagnosticList(), location.shown, reader.read)
    checking = VariantChecker(source, findings) if source is not None else None
    for _ in GameCheck(location, checking, findings, tolerant=True).check_variants():
        pass
    if checking is None or checking.files is None:                 # the rest of the data is wrong too
        names = source.data["rules"] if source is not None else sorted(file.name for file in location.folder.glob("*.rules"))
        findings = DiagnosticList()
        for _, shown, text in read_rule_files(location.folder, names, location.shown, findings):
            parse_cached(text, shown, findings)
    return [one for one in findings.errors if one.code.startswith(SYNTAX_PREFIX) or reader.is_plain and one.code in CERTAIN_CODES
            and one.place.path.endswith(".rules") and not reader.words & set(iter_named_words(one))]

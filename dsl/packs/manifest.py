"""One pack as read: its YAML with source spans, and the rule snippets in it with their positions in the files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..diagnostics.source_lines import count_indent, normalize_newlines
from ..yaml.located_yaml import LocatedYaml, parse_yaml
from ..yaml.schema import find_violations, validate
from .bundle import MAIN_FILE, PackBundle

Path_ = tuple[Any, ...]
StepOperation = Literal["before", "after", "instead", "head", "drop"]
# YAML errors that leave the rest usable: a text without quotation marks, a duplicate key, a number with a plus sign or a zero
HARMLESS_YAML_CODES = ("Y003", "Y006", "Y019", "Y022", "Y023")
FURTHER_FILES: dict[str, str | None] = {"messages.yaml": None, "clauses.yaml": "clauses"}      # with their schema
ANY_GAME = ""                                                     # `for` of a pack that does not name a game
STEP_OPERATIONS: tuple[StepOperation, ...] = get_args(StepOperation)


@dataclass(frozen=True)
class RuleSnippet:
    """Rule text in a pack file, with the line and the column (from 0) where it begins."""

    text: str
    file: str
    line: int = 1
    column: int = 0


@dataclass(frozen=True)
class StepPatch:
    """A change of one step: the operation, the step as the author addressed it, and the new lines."""

    operation: StepOperation
    target: str
    place: SourceSpan
    chunk: RuleSnippet | None


@dataclass
class Pack:
    """A pack. `further` holds its documents other than the main file, by name."""

    bundle: PackBundle
    document: LocatedYaml
    further: dict[str, LocatedYaml] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.document.data["house"])

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document.data
        return found

    def place(self, *path: Any) -> SourceSpan:
        return self.document.place(*path)

    def key_place(self, *path: Any) -> SourceSpan:
        return self.document.key_place(*path)

    def list_lines(self, *path: Any) -> set[tuple[str, int]]:
        """Returns the lines of the main file, each as file and number, on which the parts of a value begin."""
        places = (*self.document.keys.items(), *self.document.values.items())
        return {(place.path, place.line) for at, place in places if at[: len(path)] == path}

    def names_under(self, key: str) -> list[str]:
        """Returns the names under a key that accepts one name or a list."""
        found = self.data.get(key) or []
        return [str(one) for one in found] if isinstance(found, list) else [str(found)]

    # ------------------------------------------------------------ rules

    def snippet_at(self, *path: Any) -> RuleSnippet:
        """Returns the rule snippet at a path of the main file."""
        text, place = self.value_at(path), self.document.values[path]
        lines = normalize_newlines(self.bundle.files[MAIN_FILE]).split("\n")
        first = lines[place.line - 1][place.column - 1 : place.column]
        if first not in "|>":
            return RuleSnippet(text, place.path, place.line, place.column - 1 + (first in "'\""))
        below = (line for line in lines[place.line :] if line.strip())
        inside = next(below, "")
        return RuleSnippet(text, place.path, place.line + 1, count_indent(inside))

    def value_at(self, path: Path_) -> Any:
        found = self.document.data
        for part in path:
            found = found[part]
        return found

    def iter_snippets(self, section: str) -> Iterator[RuleSnippet]:
        """Yields the snippets of a section, `rules` or `replace`, with those from rule files of a directory.

        A rule file that `replace` lists belongs to `replace`. All others belong to `rules`."""
        given = self.data.get(section)
        if isinstance(given, str):
            yield self.snippet_at(section)
        named = self.data.get("replace")
        named = named if isinstance(named, list) else []
        for name, text in self.bundle.files.items():
            if name.endswith(".rules") and (name in named) == (section == "replace"):
                yield RuleSnippet(text, self.bundle.display_path(name))

    def iter_step_patches(self) -> Iterator[StepPatch]:
        """Yields the patches of steps in this pack."""
        for n, given in enumerate(self.data.get("steps") or []):
            operation = next(word for word in STEP_OPERATIONS if word in given)
            chunk = self.snippet_at("steps", n, "rules") if "rules" in given else None
            yield StepPatch(operation, str(given[operation]), self.place("steps", n, operation), chunk)

    def list_snippets(self) -> list[RuleSnippet]:
        """Returns all rule snippets of this pack."""
        steps = [patch.chunk for patch in self.iter_step_patches() if patch.chunk is not None]
        return [*self.iter_snippets("rules"), *self.iter_snippets("replace"), *steps]

    # ------------------------------------------------------------ tests

    def raw_lines_below(self, key: str) -> str | None:
        """Returns the raw lines below a top-level key of the main file, or None if its value is on the same line."""
        rows = normalize_newlines(self.bundle.files[MAIN_FILE]).split("\n")
        first = self.document.keys[key,].line
        if rows[first - 1].partition(":")[2].split("#")[0].strip():
            return None
        last = next((n for n, row in enumerate(rows[first:], first) if row[:1].strip() and row[0] not in "#-"), len(rows))
        return "\n".join(rows[first:last]).rstrip() + "\n"

    def iter_scenarios(self) -> Iterator[LocatedYaml]:
        """Yields the scenario files of the pack, each as a document like a scenario file of a game."""
        if self.data.get("tests"):
            yield extract_part(self.document, ("tests",), ("scenarios",))
        yield from (document for name, document in self.further.items() if name.startswith("tests/"))


def extract_part(document: LocatedYaml, path: Path_, under: Path_) -> LocatedYaml:
    """Returns one part of a document as its own document, nested below the keys `under`."""
    data: Any = document.data
    for key in path:
        data = data[key]
    moved = [{(*under, *at[len(path):]): place for at, place in places.items() if at[: len(path)] == path}
             for places in (document.keys, document.values)]
    for word in reversed(under):
        data = {word: data}
    return LocatedYaml(data, document.path, moved[0], moved[1])


def remove_invalid_parts(document: LocatedYaml, wrong: Iterable[Path_], name: str) -> bool:
    """Removes invalid parts from a pack so that its other errors can be reported too.

    Without a name or a game, it gets `name`, and "" for any game. Returns False if it is not a pack at all."""
    if not isinstance(document.data, dict):
        return False
    remove_paths(document, wrong, "house", {("house",)} if isinstance(document.data.get("house"), str) else set())
    document.data.setdefault("house", name)
    document.data.setdefault("for", ANY_GAME)
    return True


def remove_paths(document: LocatedYaml, wrong: Iterable[Path_], schema: str, usable: Collection[Path_] = ()) -> None:
    """Removes invalid parts from a document, and then parts around them that are invalid without them. `usable` ones remain."""
    while paths := {path for path in wrong if path}.difference(usable):
        for path in sorted(paths, key=lambda path: [(isinstance(one, int), one if isinstance(one, int) else -1, str(one)) for one in path],
                           reverse=True):
            remove_part(document, path)
        wrong = find_violations(document, schema, DiagnosticList())


def remove_part(document: LocatedYaml, path: Path_) -> None:
    """Removes a value from a document, with its spans. Values after it in a list move up."""
    above, last = path[:-1], path[-1]
    inside: Any = document.data
    for part in above:
        try:
            inside = inside[part]
        except (KeyError, IndexError, TypeError):                  # something around it was removed
            return
    if isinstance(inside, dict):
        inside.pop(last, None)
        for places in (document.keys, document.values):
            for at in [at for at in places if at[: len(path)] == path]:
                del places[at]
    elif isinstance(inside, list) and last < len(inside):
        del inside[last]
        depth = len(above)
        for places in (document.keys, document.values):
            old = dict(places)
            places.clear()
            for at, place in old.items():
                if at[:depth] != above or len(at) == depth or at[depth] < last:
                    places[at] = place
                elif at[depth] > last:
                    places[(*above, at[depth] - 1, *at[depth + 1:])] = place


def is_read_file(name: str) -> bool:
    """Whether Ludoglot reads a file of a pack directory, other than the main file, by this name."""
    return name in FURTHER_FILES or name.endswith(".rules") or name.startswith(("tests/", "locale/"))


def read_pack(bundle: PackBundle, findings: DiagnosticList) -> Pack | None:
    """Reads and validates a pack. Returns None, with diagnostics, if it is not a pack at all.

    Invalid parts are left out, so that its other errors can be reported too."""
    if MAIN_FILE not in bundle.files:
        findings.add("Y001", SourceSpan(bundle.shown), path=bundle.display_path(MAIN_FILE))
        return None
    document = parse_yaml(bundle.files[MAIN_FILE], bundle.display_path(MAIN_FILE), findings, harmless=HARMLESS_YAML_CODES)
    if document is None:
        return None
    wrong = find_violations(document, "house", findings)
    if wrong and not remove_invalid_parts(document, wrong, Path(bundle.shown).stem):
        return None
    pack = Pack(bundle, document)
    if not wrong and set(document.data) <= {"house", "for", "for_version", "text", "version"} and not any(map(is_read_file, bundle.files)):
        meant = next(filter(None, (did_you_mean(name, FURTHER_FILES) for name in bundle.files if name != MAIN_FILE)), None)
        findings.add_with_suggestion("H010", document.place("house"), meant, name=pack.name)
    replaced = document.data.get("replace")
    for n, name in enumerate(replaced if isinstance(replaced, list) else ()):
        if name not in bundle.files:
            meant = did_you_mean(name, [file for file in bundle.files if file.endswith(".rules")])
            findings.add_with_suggestion("Y001", document.place("replace", n), meant, path=bundle.display_path(name))
    incomplete = []
    for n, given in enumerate(document.data.get("steps") or []):
        said = [word for word in STEP_OPERATIONS if word in given]
        if len(said) != 1 or ("rules" in given) == (said == ["drop"]):
            findings.add("H011", document.place("steps", n))
            incomplete.append(n)
    for n in reversed(incomplete):
        remove_part(document, ("steps", n))
    for name, text in bundle.files.items():
        kind = FURTHER_FILES.get(name, "scenario" if name.startswith("tests/") else "")
        if kind == "" or name == MAIN_FILE or not name.endswith(".yaml"):
            continue
        part = parse_yaml(text, bundle.display_path(name), findings)
        if kind is None and part is not None and not isinstance(part.data, dict):
            kind = "messages"                                      # its texts may be in several languages, which this schema forbids
        if part is None:
            continue
        remove_paths(part, find_violations(part, kind, findings) if kind is not None else (), kind or "")
        if kind is None or validate(part, kind, DiagnosticList()):
            pack.further[name] = part
    if document.data.get("tests"):
        validate(extract_part(document, ("tests",), ("scenarios",)), "scenario", findings)
    return pack

"""JSON Schema validation of YAML: each violation becomes one diagnostic with a span, each misspelt key one suggestion.

Valid documents are cached (dsl/cache). A cached document does not even need the import of the slow jsonschema
library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..cache import cache_get, cache_key, cache_put, package_hash
from ..diagnostics.diagnostic import DiagnosticList, Phrase, PhraseList, did_you_mean
from ..diagnostics.safe_read import read_text
from ..types.size_limits import is_too_long_number
from .located_yaml import LocatedYaml, read_yaml
from .old_keys import OLD_KEY, rename_old_keys
from .yaml_repair import KEY_WITHOUT_SPACE

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

CACHE_KIND = "valid"                        # kind of cache entry
MAX_SUGGESTED_WORDS = 500                          # unknown words per file that get a suggestion
SCHEMA_FOLDER = Path(__file__).parent.parent / "schemas"
REFERENCE_PATTERN = r'"(\w+)\.json#/'               # from one schema file to another


DOTTED_NAME = re.compile(r"\w+(\.[\w\[\]]+)+")
CLAUSE_NAME = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")
LIMIT_HINTS = {"minimum": "at_least", "maximum": "at_most", "minItems": "at_least_entries", "maxItems": "at_most_entries",
          "minProperties": "at_least_entries", "maxProperties": "at_most_entries", "maxLength": "at_most_characters"}


def schema_names() -> list[str]:
    """Returns the names of the schemas that ship with Ludoglot."""
    return sorted(path.stem for path in SCHEMA_FOLDER.glob("*.json"))


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Returns a schema by name."""
    found: dict[str, Any] = json.loads(read_text(SCHEMA_FOLDER / f"{name}.json"))
    return found


@cache
def _has_old_keys(name: str) -> bool:
    """Whether a schema, or one that it refers to, has keys with an earlier name."""
    text = read_text(SCHEMA_FOLDER / f"{name}.json")
    return f'"{OLD_KEY}"' in text or any(map(_has_old_keys, set(re.findall(REFERENCE_PATTERN, text))))


@cache
def _schema_of_old_keys(name: str) -> dict[str, Any] | None:
    """Returns a self-contained schema, or None if none of its keys has an earlier name."""
    return bundle_schema(name) if _has_old_keys(name) else None


def bundle_schema(name: str) -> dict[str, Any]:
    """Returns a self-contained schema. Schemas that it refers to are copied into its `$defs`."""
    own = json.dumps(load_schema(name))
    whole: dict[str, Any] = json.loads(re.sub(REFERENCE_PATTERN, r'"#/$defs/\1_file/', own))
    taken: set[str] = set()
    left = set(re.findall(REFERENCE_PATTERN, own))
    while left - taken:
        other = min(left - taken)
        taken.add(other)
        text = json.dumps({key: value for key, value in load_schema(other).items() if key != "$schema"})
        left |= set(re.findall(REFERENCE_PATTERN, text))
        text = re.sub(REFERENCE_PATTERN, r'"#/$defs/\1_file/', text.replace('"#/', f'"#/$defs/{other}_file/'))
        whole.setdefault("$defs", {})[f"{other}_file"] = json.loads(text)
    return whole


@cache
def _build_validator(name: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource
    registry = Registry().with_resources([(f"{n}.json", Resource.from_contents(load_schema(n))) for n in schema_names()])
    return Draft202012Validator(load_schema(name), registry=registry)


def validate(document: LocatedYaml, name: str, findings: DiagnosticList) -> bool:
    """Checks a document against a schema. Returns whether it is valid."""
    return not find_violations(document, name, findings)


def read_valid(path: Path, name: str, findings: DiagnosticList, display_path: str | None = None) -> LocatedYaml | None:
    """Reads a YAML file and validates it. Returns None, with diagnostics, if it is invalid."""
    document = read_yaml(path, findings, display_path)
    return document if document is not None and validate(document, name, findings) else None


def find_violations(document: LocatedYaml, name: str, findings: DiagnosticList) -> list[tuple[Any, ...]]:
    """Checks a document against a schema and reports all violations. Returns the paths of the invalid values and of
    the unknown keys.

    Keys that had another name in earlier versions are renamed first."""
    if (schema := _schema_of_old_keys(name)) is not None:
        rename_old_keys(document, schema, findings)
    key = cache_key(package_hash("dsl/schemas", "dsl/yaml"), name, repr(document.data))
    if cache_get(CACHE_KIND, key, ()) is True:
        return []
    errors = sorted(_build_validator(name).iter_errors(document.data), key=lambda e: [str(part) for part in e.absolute_path])
    told: set[tuple[Any, ...]] = set()                                       # mappings whose missing keys were reported
    meant = TypoSuggester()
    for error in errors:
        _report_violation(error, document, findings, told, meant)
    if not errors:
        cache_put(CACHE_KIND, key, True)
    return [path for error in errors for path in iter_invalid_paths(error)]


def iter_invalid_paths(error: Any) -> Iterator[tuple[Any, ...]]:
    """Yields the paths of what violates a schema: unknown keys, an invalid key, or a value."""
    path = tuple(error.absolute_path)
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        yield from ((*path, key) for key in error.instance if key not in error.schema.get("properties", {}))
    else:
        yield (*path, error.instance) if "propertyNames" in error.absolute_schema_path else path


class TypoSuggester:
    """Suggests corrections for the first MAX_SUGGESTED_WORDS words. Suggestions are slow, and nobody reads thousands."""

    def __init__(self) -> None:
        self.left = MAX_SUGGESTED_WORDS

    def __call__(self, word: str, known: Iterable[str]) -> str | None:
        self.left -= 1
        return did_you_mean(word, known) if self.left >= 0 else None


def _report_violation(
    error: Any, document: LocatedYaml, findings: DiagnosticList, reported: set[tuple[Any, ...]], near: TypoSuggester
) -> None:
    """Reports one schema violation as diagnostics."""
    path = tuple(error.absolute_path)
    value = error.instance
    if error.validator == "additionalProperties" and isinstance(value, dict):
        known = error.schema.get("properties", {})
        free = [name for name in known if name not in value]
        empty = next((name for name in value if name in known and value[name] is None), "")
        for key in value:
            if key in known:
                continue
            meant = near(str(key), free)
            hint: str | None = "did_you_mean" if meant else "indent_below" if empty else "known_keys"
            findings.add("Y010", document.key_place(*path, key), hint=hint, name=key,
                         meant=meant or "", known=", ".join(known), wanted=empty)
        return
    if error.validator == "required":
        if path in reported:                                           # jsonschema has one error per key; all were reported together
            return
        reported.add(path)
        absent = [key for key in error.validator_value if key not in value]
        unknown = [key for key in value if key not in error.schema.get("properties", {key: 1})]
        absent = [key for key in absent if not any(near(str(u), [key]) for u in unknown)]   # `naem` for `name` is one mistake
        for key in absent:
            findings.add("Y011", document.key_place(*path), name=key)
        return
    if "propertyNames" in error.absolute_schema_path:
        findings.add("Y014", document.key_place(*path, value), hint=hint_for_name(document, path, value), found=_shorten(value))
        return
    place = document.place(*path)
    if error.validator in ("type", "anyOf"):
        said = str(error.schema.get("description", ""))
        wanted = _describe_wanted(error)
        known = [str(one) for part in error.validator_value if isinstance(part, dict) for one in part.get("enum", [])]
        known += ["true", "false"] if "boolean" in error.validator_value else []
        if isinstance(value, dict):                                # one of its keys may be a misspelt type
            meant = next((found for key in value if (found := near(str(key), re.findall(r"\w+", said)))), None)
        else:
            meant = near(str(value), known)
        plain = isinstance(value, str) and error.validator_value == "integer" and value.lstrip("-").isdecimal()
        types = [error.validator_value] if isinstance(error.validator_value, str) else error.validator_value
        scalars = [one for one in ("string", "integer", "number", "boolean") if one in types]
        lost = scalars == ["string"] and not isinstance(value, dict | list) and not {"pattern", "x-phrase"} <= error.schema.keys()
        plain_hint = "number_too_long" if is_too_long_number(value) else "unquoted"
        hint = "did_you_mean" if meant else plain_hint if plain else "in_quotes" if lost else "known_keys" if known else None
        if path[:1] == ("nouns",):
            hint = find_section_hint("nouns", str(path[-1])) or hint
        if path[-1:] == ("rules",) and isinstance(value, dict | list):
            hint = "block_text"
        if "object" in types and isinstance(value, str) and (joined := KEY_WITHOUT_SPACE.match(value)) is not None:
            hint, meant = "written_so", f"{joined[2]}: {joined[3]}"
        findings.add("Y012", place, hint=hint, found=_shorten(value), wanted=wanted, meant=meant or "", known=", ".join(known))
    elif error.validator in ("enum", "const"):
        allowed = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        findings.add_with_suggestion(
            "Y013", place, near(str(value), map(str, allowed)), found=_shorten(value), wanted=", ".join(map(str, allowed))
        )
    elif error.validator == "pattern" and "x-phrase" in error.schema:
        findings.add("Y012", place, found=_shorten(value), wanted=_describe_wanted(error), meant="")
    elif error.validator == "pattern":
        findings.add("Y014", place, found=_shorten(value))
    else:
        findings.add(
            "Y015", place, hint=LIMIT_HINTS.get(str(error.validator)), found=_shorten(value), wanted=_shorten(error.validator_value)
        )


def hint_for_name(document: LocatedYaml, path: tuple[Any, ...], name: Any) -> str | None:
    """Returns the hint for an invalid name. Among clauses, a dotted name is probably the key of a text."""
    if Path(document.path).name == "clauses.yaml":
        return "in_messages" if DOTTED_NAME.fullmatch(str(name)) else None
    return find_section_hint("clauses", str(name)) if path == ("clauses",) else None


def find_section_hint(section: str, key: str) -> str | None:
    """Returns the hint that names the section of a pack where a key belongs, or None if it may belong in this one."""
    right = ("clauses" if CLAUSE_NAME.fullmatch(key) else "nouns" if key.startswith("n.") else
             "words" if DOTTED_NAME.fullmatch(key) and key[0].islower() else section)
    return {"clauses": "under_clauses", "nouns": "under_nouns", "words": "in_words"}[right] if right != section else None


def _shorten(value: Any) -> str:
    """Returns a value as JSON, shortened to 40 characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:37] + "..."


def _describe_wanted(error: Any) -> Phrase | PhraseList:
    """Returns the allowed values of a key: the `x-phrase` of its schema, or its JSON Schema types."""
    if named := error.schema.get("x-phrase"):
        return Phrase(named)
    wanted = error.validator_value
    if error.validator == "anyOf":
        wanted = [kind for part in wanted for kind in _as_list(part.get("type", "string"))]
    return PhraseList(tuple(Phrase(f"value_{kind}") for kind in dict.fromkeys(_as_list(wanted))), " / ")


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]

"""Merge house-rule packs into a copy of a game.

Afterwards the copy's own data, rules, clauses, texts, table and tests contain the changes of the packs. It
can be checked, tested and edited like any other game. Scenarios that the packs remove or change are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.game.table_config import TABLE_FILE, read_table_config
from ...dsl.packs.data_paths import value_path
from ...dsl.packs.source import DATA_SECTIONS, GameSource
from ...dsl.packs.source_merge import build_scenario_files, merge_rules
from ...dsl.yaml.clause_index import CLAUSES_FILE as CLAUSES
from ...dsl.yaml.located_yaml import read_yaml
from ...dsl.yaml.yaml_edit import edit_yaml
from ..i18n import LANGUAGES
from ..i18n.catalogue import update_catalogues
from ..i18n.languages import SOURCE_LANGUAGE
from ..i18n.localizer import merge_lexicons
from ..i18n.message_sources import game_domain
from ..i18n.readers import catalogue_path, lexicon_path
from ..library.find import GAME_FILE, GameLocation
from ..testing.pack_regressions import CHANGED, DROPPED, classify_result
from ..testing.scenario import list_scenario_files, read_scenarios
from ..testing.scenario_rulesets import ScenarioRulesets
from ..testing.scenario_runner import run_scenario
from .check import check_game

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ...dsl.packs.overlay import PackOverlay
    from ...dsl.packs.pack_texts import OverlayTexts

CLAUSE_PREFIX = "clause."
MESSAGES_FILE = "messages.yaml"


def merge_packs_into_copy(
    location: GameLocation, source: GameSource, packs: Sequence[Path | PackBundle], copy: GameLocation
) -> Counter[str]:
    """Merges packs into a copy of the game `location`. `source` is the game with the packs applied.

    Returns the number of the game's scenarios by verdict, which shows how many were left out."""
    overlay = source.overlay
    assert overlay is not None
    counts = merge_scenarios(location, packs, overlay, copy.folder)
    merge_rule_files(source, overlay, copy.folder)
    merge_data(source, overlay, copy.folder)
    merge_clauses(overlay, copy.folder)
    merge_table(overlay, copy.folder)
    merge_texts(overlay, copy)
    remove_unused_texts(copy)
    counts[CHANGED] += drop_failing_scenarios(copy, [copy.folder / "tests" / name for name in build_scenario_files(overlay.packs)])
    return counts


def rewrite_yaml(path: Path, wanted: Any) -> None:
    """Rewrites a YAML file with new data. Creates it if it does not exist."""
    text = read_text(path) if path.is_file() else ""
    if text or wanted:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(edit_yaml(text, wanted), encoding="utf-8", newline="\n")


def read_yaml_data(path: Path) -> Any:
    """Returns the data of a YAML file, empty if it does not exist."""
    document = read_yaml(path, DiagnosticList()) if path.is_file() else None
    return document.data if document is not None and document.data is not None else {}


# ---------------------------------------------------------------- rules and data


def merge_rule_files(source: GameSource, overlay: PackOverlay, folder: Path) -> None:
    """Writes the game's rule files with the steps of the packs, and one new rule file for each pack with new
    declarations."""
    changed, new = merge_rules(source, overlay)
    for name, text in changed.items():
        if read_text(folder / name) != text:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    for pack, text in new.items():
        name = f"{pack}.rules"
        while (folder / name).exists():
            name = f"house-{name}"
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        source.data["rules"] = [*source.data["rules"], name]


def merge_data(source: GameSource, overlay: PackOverlay, folder: Path) -> None:
    """Writes the values and things of the game, each to the file that contains it. New ones go to the main file."""
    for key, text in overlay.texts.source.items():                    # `words` may replace the text of a thing in the data
        where = value_path(source, key)
        if where is not None and isinstance(text, str):
            node = source.data
            for part in where[:-1]:
                node = node[part] or {}
            node[where[-1]] = text
    left = {(section, key): value for section in DATA_SECTIONS for key, value in source.data[section].items()}
    for name in source.data.get("data", []):
        rewrite_yaml(
            folder / name, {section: pop_entries(left, section, given) for section, given in read_yaml_data(folder / name).items()}
        )
    main = read_yaml_data(folder / GAME_FILE)
    wanted = {key: pop_entries(left, key, value) if key in DATA_SECTIONS else source.data.get(key, value) for key, value in main.items()}
    wanted["game"] = main["game"]
    for (section, key), value in left.items():
        wanted.setdefault(section, {})[key] = value
    rewrite_yaml(folder / GAME_FILE, wanted)


def pop_entries(left: dict[tuple[str, str], Any], section: str, entries: Any) -> dict[str, Any]:
    """Removes the current entries of a file's section from `left` and returns them."""
    return {key: left.pop((section, key)) for key in entries or {} if (section, key) in left}


# ---------------------------------------------------------------- clauses and table


def merge_clauses(overlay: PackOverlay, folder: Path) -> None:
    """Writes the clauses file: with new sentences, and without clauses that packs remove or that no rule cites any
    more."""
    known = read_yaml_data(folder / CLAUSES)
    gone = find_removed_clauses(overlay)
    wanted: dict[str, Any] = {}
    for name, old in known.items():
        entry = dict(old) if isinstance(old, dict) else {"text": old}
        entry |= pack_clause_entry(overlay, name)
        if name in overlay.void:
            entry.pop("text", None)
        others = [one for one in entry.get("as", ()) if one not in gone]
        if name in gone or entry.get("as") and not others and "excuse" in entry:
            continue
        if entry.get("as"):
            entry["as"] = others
        wanted[name] = compact_entry(entry)
    for name in overlay.clauses.keys() - known.keys():
        wanted[name] = compact_entry(pack_clause_entry(overlay, name))
    if known or wanted:
        rewrite_yaml(folder / CLAUSES, wanted)


def find_removed_clauses(overlay: PackOverlay) -> set[str]:
    """Returns the clauses that packs remove or that no rule cites any more."""
    return {*overlay.gone_clauses, *(overlay.left_out.keys() - overlay.clauses.keys())}


def compact_entry(entry: dict[str, Any]) -> Any:
    """Returns a clause entry in its shortest form: the sentence alone if there is nothing else."""
    return entry["text"] if set(entry) == {"text"} else entry


def pack_clause_entry(overlay: PackOverlay, name: str) -> dict[str, Any]:
    """Returns the entry that packs give a clause, or an empty one."""
    if name not in overlay.clauses:
        return {}
    value, _ = overlay.clauses[name]
    entry = dict(value) if isinstance(value, dict) else {"text": value}
    text = overlay.texts.source.get(f"{CLAUSE_PREFIX}{name}")
    return {**entry, **({"text": text} if text is not None else {})}


def merge_table(overlay: PackOverlay, folder: Path) -> None:
    """Writes the table configuration with the panels of the packs."""
    found = overlay.merge_table(read_table_config(folder, DiagnosticList()))
    if found is not None:
        rewrite_yaml(folder / TABLE_FILE, found.data)


# ---------------------------------------------------------------- texts


def merge_texts(overlay: PackOverlay, copy: GameLocation) -> None:
    """Writes the messages file, the catalogues and the lexicons."""
    texts = overlay.texts
    messages = {key: value for key, value in read_yaml_data(copy.folder / MESSAGES_FILE).items() if key not in texts.gone}
    beside = {message.key for message in game_domain(copy.folder, DiagnosticList()).messages} - messages.keys()
    messages |= {key: text if isinstance(text, str) else dict(zip(("one", "other"), text)) for key, text in texts.source.items()
                 if key not in beside and not key.startswith(CLAUSE_PREFIX)}
    rewrite_yaml(copy.folder / MESSAGES_FILE, messages)
    for lang in LANGUAGES:
        path = lexicon_path(copy.folder / "locale", lang, copy.name)
        known = read_yaml_data(path)
        rewrite_yaml(path, {**known, **merge_lexicons(known, texts.nouns[lang])})
    update_catalogues(game_domain(copy.folder, DiagnosticList()), languages_of_copy(copy, texts), replacements=texts.translations)


def languages_of_copy(copy: GameLocation, texts: OverlayTexts | None = None) -> list[str]:
    """Returns the languages of a copy: those with a catalogue, and those other than English in which packs have
    texts."""
    return [lang for lang in LANGUAGES if catalogue_path(copy.folder / "locale", lang, copy.name).is_file()
            or texts is not None and lang != SOURCE_LANGUAGE and texts.translations[lang]]


def remove_unused_texts(copy: GameLocation) -> None:
    """Removes texts and nouns that nothing uses any more, according to the checker."""
    found = DiagnosticList()
    check_game(copy, [], found)
    texts = {str(one.args["key"]) for one in found.items if one.code in ("W209", "W217")}
    nouns = {str(one.args["noun"]) for one in found.items if one.code == "W207"}
    lexicons = [lexicon_path(copy.folder / "locale", lang, copy.name) for lang in LANGUAGES]
    for path, unused in [(copy.folder / MESSAGES_FILE, texts), *((path, nouns) for path in lexicons)]:
        if unused:
            rewrite_yaml(path, {key: value for key, value in read_yaml_data(path).items() if key not in unused})
    if texts:
        update_catalogues(game_domain(copy.folder, DiagnosticList()), languages_of_copy(copy))


# ---------------------------------------------------------------- scenarios


def merge_scenarios(location: GameLocation, packs: Sequence[Path | PackBundle], overlay: PackOverlay, folder: Path) -> Counter[str]:
    """Writes the game's scenarios that still hold, and the scenarios of the packs. Counts the game's scenarios by
    verdict."""
    gone = find_removed_clauses(overlay)
    with_packs, bare = ScenarioRulesets(location, packs), ScenarioRulesets(location)
    counts: Counter[str] = Counter()
    for path in list_scenario_files(location):
        left_out = set()
        for scenario in read_scenarios(path, DiagnosticList()):
            state = classify_result(run_scenario(scenario, with_packs), with_packs, bare).state
            counts[state] += 1
            if state in (DROPPED, CHANGED):
                left_out.add(scenario.number)
        document = read_yaml_data(path)
        kept = [drop_citations(one, gone) for n, one in enumerate(document["scenarios"]) if n not in left_out]
        if kept:
            rewrite_yaml(folder / "tests" / path.name, {**document, "scenarios": kept})
        else:
            (folder / "tests" / path.name).unlink()
    for name, text in build_scenario_files(overlay.packs).items():
        (folder / "tests").mkdir(exist_ok=True)
        (folder / "tests" / name).write_text(text, encoding="utf-8", newline="\n")
    return counts


def drop_failing_scenarios(copy: GameLocation, files: Sequence[Path]) -> int:
    """Removes scenarios of the packs that fail in the copy. Returns how many.

    For example, a scenario may check that something is not offered which the copy does not know."""
    rules, left_out = ScenarioRulesets(copy), 0
    for path in files:
        document = read_yaml_data(path)
        read = {one.number: one for one in read_scenarios(path, DiagnosticList())}
        kept = [one for n, one in enumerate(document["scenarios"]) if n not in read or run_scenario(read[n], rules).has_passed]
        left_out += len(document["scenarios"]) - len(kept)
        if not kept:
            path.unlink()
        elif len(kept) < len(document["scenarios"]):
            rewrite_yaml(path, {**document, "scenarios": kept})
    return left_out


def drop_citations(scenario: dict[str, Any], removed: set[str]) -> dict[str, Any]:
    """Returns a scenario without the removed clauses."""
    if not removed.intersection(scenario.get("clauses", ())):
        return scenario
    return {**scenario, "clauses": [one for one in scenario["clauses"] if one not in removed]}

"""A copy of a game into which packs of house rules are worked: its data, rules, clauses, words, table and tests say themselves what the
packs say, so that it is checked, tested and changed like any other game. Scenarios that the packs leave out or change are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import Findings
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.packs.data_paths import value_path
from ...dsl.packs.source import SECTIONS, Source
from ...dsl.packs.source_merge import merged_rules, pack_tests
from ...dsl.yaml.clause_index import FILE as CLAUSES
from ...dsl.yaml.located_yaml import read_yaml
from ...dsl.yaml.yaml_edit import restated
from ..i18n import LANGUAGES
from ..i18n.catalogue import update
from ..i18n.languages import SOURCE
from ..i18n.localizer import joined
from ..i18n.message_sources import game_domain
from ..i18n.readers import catalogue_path, lexicon_path
from ..library.find import MAIN, Found
from ..testing.pack_regressions import CHANGED, DROPPED, verdict
from ..testing.scenario import Rules, read_scenarios, test_files
from ..testing.scenario_runner import run_scenario
from .check import check_game

if TYPE_CHECKING:
    from ...dsl.packs import Bundle
    from ...dsl.packs.overlay import Laid
    from ...dsl.packs.pack_texts import Texts

CLAUSE = "clause."
TABLE, MESSAGES = "table.yaml", "messages.yaml"


def lay_in(found: Found, source: Source, packs: Sequence[Path | Bundle], copy: Found) -> Counter[str]:
    """Work packs into a copy of the game `found`; `source` is that game with the packs laid over it. How many of its scenarios were left
    out, by what is to be thought of them."""
    laid = source.laid
    assert laid is not None
    counts = scenarios(found, packs, laid, copy.folder)
    rules(source, laid, copy.folder)
    data(source, laid, copy.folder)
    clauses(laid, copy.folder)
    table(laid, copy.folder)
    words(laid, copy)
    tidied(copy)
    counts[CHANGED] += only_passing(copy, [copy.folder / "tests" / name for name in pack_tests(laid.packs)])
    return counts


def restate(path: Path, wanted: Any) -> None:
    """Let a file say something else; one that is not there begins."""
    text = read_text(path) if path.is_file() else ""
    if text or wanted:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(restated(text, wanted), encoding="utf-8", newline="\n")


def said_in(path: Path) -> Any:
    """What a file says; nothing when it is not there."""
    document = read_yaml(path, Findings()) if path.is_file() else None
    return document.data if document is not None and document.data is not None else {}


# ---------------------------------------------------------------- rules and data


def rules(source: Source, laid: Laid, folder: Path) -> None:
    """The game's rule files with the packs' steps in them, and a file for what is new in each pack."""
    changed, new = merged_rules(source, laid)
    for name, text in changed.items():
        if read_text(folder / name) != text:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    for pack, text in new.items():
        name = f"{pack}.rules"
        while (folder / name).exists():
            name = f"house-{name}"
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        source.data["rules"] = [*source.data["rules"], name]


def data(source: Source, laid: Laid, folder: Path) -> None:
    """The values and things of the game, each in the file where it stands; what is new in the main file."""
    for key, text in laid.texts.source.items():                    # `words` may say anew what stands beside a thing
        where = value_path(source, key)
        if where is not None and isinstance(text, str):
            node = source.data
            for part in where[:-1]:
                node = node[part] or {}
            node[where[-1]] = text
    left = {(section, key): value for section in SECTIONS for key, value in source.data[section].items()}
    for name in source.data.get("data", []):
        restate(folder / name, {section: taken(left, section, given) for section, given in said_in(folder / name).items()})
    main = said_in(folder / MAIN)
    wanted = {key: taken(left, key, value) if key in SECTIONS else source.data.get(key, value) for key, value in main.items()}
    wanted["game"] = main["game"]
    for (section, key), value in left.items():
        wanted.setdefault(section, {})[key] = value
    restate(folder / MAIN, wanted)


def taken(left: dict[tuple[str, str], Any], section: str, given: Any) -> dict[str, Any]:
    """The entries of a section that a file has, as they are now."""
    return {key: left.pop((section, key)) for key in given or {} if (section, key) in left}


# ---------------------------------------------------------------- clauses and table


def clauses(laid: Laid, folder: Path) -> None:
    """The register: new sentences, without those that hold no more and without clauses that no rule cites any more."""
    known = said_in(folder / CLAUSES)
    gone = gone_from(laid)
    wanted: dict[str, Any] = {}
    for name, old in known.items():
        entry = dict(old) if isinstance(old, dict) else {"text": old}
        entry |= given_of(laid, name)
        if name in laid.void:
            entry.pop("text", None)
        others = [one for one in entry.get("as", ()) if one not in gone]
        if name in gone or entry.get("as") and not others and "excuse" in entry:
            continue
        if entry.get("as"):
            entry["as"] = others
        wanted[name] = short(entry)
    for name in laid.clauses.keys() - known.keys():
        wanted[name] = short(given_of(laid, name))
    if known or wanted:
        restate(folder / CLAUSES, wanted)


def gone_from(laid: Laid) -> set[str]:
    """The clauses that packs take away, or that no rule cites any more."""
    return {*laid.gone_clauses, *(laid.left_out.keys() - laid.clauses.keys())}


def short(entry: dict[str, Any]) -> Any:
    """An entry of the register as one writes it: a sentence alone where it says nothing else."""
    return entry["text"] if set(entry) == {"text"} else entry


def given_of(laid: Laid, name: str) -> dict[str, Any]:
    """What packs say of a clause."""
    if name not in laid.clauses:
        return {}
    value, _ = laid.clauses[name]
    entry = dict(value) if isinstance(value, dict) else {"text": value}
    text = laid.texts.source.get(f"{CLAUSE}{name}")
    return {**entry, **({"text": text} if text is not None else {})}


def table(laid: Laid, folder: Path) -> None:
    document = read_yaml(folder / TABLE, Findings()) if (folder / TABLE).is_file() else None
    found = laid.panels(document)
    if found is not None:
        restate(folder / TABLE, found.data)


# ---------------------------------------------------------------- words


def words(laid: Laid, copy: Found) -> None:
    """Texts that stand by themselves, catalogues and lexicons."""
    texts = laid.texts
    messages = {key: value for key, value in said_in(copy.folder / MESSAGES).items() if key not in texts.gone}
    beside = {message.key for message in game_domain(copy.folder, Findings()).messages} - messages.keys()
    messages |= {key: text if isinstance(text, str) else dict(zip(("one", "other"), text)) for key, text in texts.source.items()
                 if key not in beside and not key.startswith(CLAUSE)}
    restate(copy.folder / MESSAGES, messages)
    for lang in LANGUAGES:
        path = lexicon_path(copy.folder / "locale", lang, copy.name)
        known = said_in(path)
        restate(path, {**known, **joined(known, texts.nouns[lang])})
    update(game_domain(copy.folder, Findings()), spoken(copy, texts), anew=texts.said)


def spoken(copy: Found, texts: Texts | None = None) -> list[str]:
    """The languages of a copy: those that have a catalogue, and those in which packs say something beside English."""
    return [lang for lang in LANGUAGES if catalogue_path(copy.folder / "locale", lang, copy.name).is_file()
            or texts is not None and lang != SOURCE and texts.said[lang]]


def tidied(copy: Found) -> None:
    """Leave out the texts and nouns that only served what is gone: the checker knows them."""
    found = Findings()
    check_game(copy, [], found)
    texts = {str(one.args["key"]) for one in found.items if one.code in ("W209", "W217")}
    nouns = {str(one.args["noun"]) for one in found.items if one.code == "W207"}
    lexicons = [lexicon_path(copy.folder / "locale", lang, copy.name) for lang in LANGUAGES]
    for path, unused in [(copy.folder / MESSAGES, texts), *((path, nouns) for path in lexicons)]:
        if unused:
            restate(path, {key: value for key, value in said_in(path).items() if key not in unused})
    if texts:
        update(game_domain(copy.folder, Findings()), spoken(copy))


# ---------------------------------------------------------------- scenarios


def scenarios(found: Found, packs: Sequence[Path | Bundle], laid: Laid, folder: Path) -> Counter[str]:
    """Those of the game that still hold, and those of the packs."""
    gone = gone_from(laid)
    with_packs, bare = Rules(found, packs), Rules(found)
    counts: Counter[str] = Counter()
    for path in test_files(found):
        left_out = set()
        for scenario in read_scenarios(path, Findings()):
            state = verdict(run_scenario(scenario, with_packs), with_packs, bare).state
            counts[state] += 1
            if state in (DROPPED, CHANGED):
                left_out.add(scenario.number)
        document = said_in(path)
        kept = [cites_less(one, gone) for n, one in enumerate(document["scenarios"]) if n not in left_out]
        if kept:
            restate(folder / "tests" / path.name, {**document, "scenarios": kept})
        else:
            (folder / "tests" / path.name).unlink()
    for name, text in pack_tests(laid.packs).items():
        (folder / "tests").mkdir(exist_ok=True)
        (folder / "tests" / name).write_text(text, encoding="utf-8", newline="\n")
    return counts


def only_passing(copy: Found, files: Sequence[Path]) -> int:
    """Leave out of the packs' own scenarios what cannot be asked of the copy: that something is not offered of which it knows nothing."""
    rules, left_out = Rules(copy), 0
    for path in files:
        document = said_in(path)
        read = {one.number: one for one in read_scenarios(path, Findings())}
        kept = [one for n, one in enumerate(document["scenarios"]) if n not in read or run_scenario(read[n], rules).passed]
        left_out += len(document["scenarios"]) - len(kept)
        if not kept:
            path.unlink()
        elif len(kept) < len(document["scenarios"]):
            restate(path, {**document, "scenarios": kept})
    return left_out


def cites_less(scenario: dict[str, Any], gone: set[str]) -> dict[str, Any]:
    """A scenario without the clauses that are gone."""
    if not gone.intersection(scenario.get("clauses", ())):
        return scenario
    return {**scenario, "clauses": [one for one in scenario["clauses"] if one not in gone]}

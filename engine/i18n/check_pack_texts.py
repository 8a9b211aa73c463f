"""Check the texts of house-rule packs.

The checks find texts that nothing uses, new moves and events without texts, and written numbers that a pack
has changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from ...dsl.analysis.decision_points import find_decision_points, find_event_points
from ...dsl.core.nodes import Attribute, Const, MemberConstant, NamedConstant, Node
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.model.model import GameModel
from ...dsl.packs.overlay import PackChange, PackOverlay
from ...dsl.packs.pack_texts import iter_by_key
from ...dsl.types.boards import parse_span
from ...dsl.yaml.clause_index import read_clause_index
from ...dsl.yaml.schema import find_section_hint
from .check_texts import CLAUSE_PREFIX, OPTION_TEXT_PREFIX, PLAY_TEXT_HEADS, NounFamilies, report_unknown_forms
from .indirect_mentions import find_indirect_clauses
from .readers import Text
from .shared_wording import WordWeights
from .template import parse_template

if TYPE_CHECKING:
    from ...dsl.game.variants import Variant

MEMBER_KEY_HEADS = ("label", "letter", "look")                              # first parts of keys that continue with type and member
MAX_RELATED_PLACES = 3                                                           # related places shown with a diagnostic
NUMBER_WORDS = {lang: dict(enumerate(words.split(), 2)) for lang, words in
                yaml.safe_load(read_text(Path(__file__).parent / "number_words.yaml")).items()}
# the rest of “2 to 5” or “2, 3 or 4”, after the first number
RANGE_PATTERN = r"(?:\s*[,–-]\s*\w+|\s+(?:to|or|and|a|o|y|e|és|vagy)\s+\w+)*"
PLAYER_COUNT_PATTERNS = {
    lang: rf"{RANGE_PATTERN}\s+{noun}" for lang, noun in {"en": "players?", "it": "giocator", "es": "jugador", "hu": "játékos"}.items()
}
# share of the weight of a sentence, and number of words, by which it repeats another one (shared_wording.py)
GAME_TEXT_LIMITS = ((0.4, 2), (0.25, 4))
SENTENCE_LIMITS = ((0.8, 4),)
SIMILAR_NOUN = 0.8                                                # similarity of two nouns from which one is probably a typo
CASE_SUFFIX = re.compile(r"\[\w+\]")


def check_keys(overlay: PackOverlay, variant: Variant, english: Mapping[str, Text], findings: DiagnosticList) -> None:
    """Reports texts and nouns of packs whose keys do not name anything (W405)."""
    known = {*english, *iter_text_keys(variant), *(f"panel.{name}" for name in iter_panel_names(overlay))}
    families = NounFamilies({**english, **dict.fromkeys(known, "")})
    nouns = {*families.members, *(noun for members in families.members.values() for noun in members)}
    counted = find_counted_nouns([*english.values(), *overlay.texts.source.values(),
                                  *(text for texts in overlay.texts.translations.values() for text in texts.values())])
    for pack in overlay.packs:
        for key, owner in overlay.texts.owner.items():
            if (
                owner != pack.name
                or key in known
                or key.startswith((CLAUSE_PREFIX, OPTION_TEXT_PREFIX))
                or key.split(".")[0] in PLAY_TEXT_HEADS
            ):
                continue                                           # texts of decisions and events are checked together with their fields
            _report_unused_key("words", key, overlay.texts.places[key], known, findings)
        for key, by_language, path in iter_by_key(pack, "nouns"):
            for lang, forms in by_language.items():
                at = (*path, lang) if path == ("nouns", key) else ("nouns", lang, key)
                if isinstance(forms, dict):
                    report_unknown_forms(findings, lang, key, forms, partial(pack.key_place, *at))
            if find_section_hint("nouns", key) or key[:1].isupper() and key not in nouns:
                _report_unused_key("nouns", key, pack.key_place(*path), nouns, findings)
            elif key.startswith("n.") and key not in counted:
                meant = did_you_mean(key.removeprefix("n."), [noun.removeprefix("n.") for noun in counted], SIMILAR_NOUN)
                findings.add("W405", pack.key_place(*path), hint="did_you_mean" if meant else "use_noun", name=key,
                             meant=f"n.{meant}" if meant else f"{{n}}~{key}")


def find_counted_nouns(texts: Iterable[Text]) -> set[str]:
    """Returns the nouns that fields of these texts name after a `~`, such as `n.coin` in `{n}~n.coin`."""
    variants = [variant for text in texts for variant in ([text] if isinstance(text, str) else text)]
    return {field.noun for variant in variants for field in parse_template(variant).fields if field.noun}


def _report_unused_key(section: str, key: str, place: SourceSpan, known: Iterable[str], findings: DiagnosticList) -> None:
    """Reports a key under `words` or `nouns` that names nothing, with the section where it belongs or a similar key."""
    if hint := find_section_hint(section, key):
        findings.add("W405", place, hint=hint, name=key)
    else:
        findings.add_with_suggestion("W405", place, did_you_mean(key, known), name=key)


def iter_text_keys(variant: Variant) -> Iterator[str]:
    """Yields the keys of all texts that a game can have, except those of its decisions, events and options."""
    model, program = variant.model, variant.program
    yield from (f"game.{word}" for word in ("name", "text"))
    yield from (f"state.{name}" for name in (*program.states, *variant.public_defs))
    yield from (f"panel.{name}" for name in (*program.states, *model.boards))
    for family in program.families.values():
        yield from (f"phase.{family.name}.{word}" for word in ("name", "text"))
    for enum in model.enums.values():
        yield f"{enum.name}.name"
        yield from (f"attribute.{enum.name}.{name}" for name in (*enum.attributes, *(key for _, key in enum.own)))
        for member in {*variant.list_declared_members(enum), *(enum.kinds or ())}:
            yield from (f"{enum.name}.{member}.{word}" for word in ("name", "text"))
            yield from (f"{head}.{enum.name}.{member}" for head in MEMBER_KEY_HEADS)


def iter_panel_names(overlay: PackOverlay) -> Iterator[str]:
    """Yields the names of panels that packs add."""
    for _, given in overlay.table:
        yield from (str(panel["name"]) for panel in given.get("panels") or [] if panel.get("name"))


# ---------------------------------------------------------------- missing texts


def check_missing_texts(
    code: str, variant: Variant, english: Collection[str], findings: DiagnosticList, files: Collection[str] | None = None
) -> None:
    """Reports decisions, menu entries and events without a text, with a code. `files`: only those of these files."""
    for key, place in iter_needed_texts(variant, files):
        if key not in english and (plain := CASE_SUFFIX.sub("", key)) not in english:        # the case in a key is optional
            findings.add(code, place, name=plain)


def iter_needed_texts(variant: Variant, files: Collection[str] | None) -> Iterator[tuple[str, SourceSpan]]:
    """Yields the key of each text that the rules in these files need, or all rules, with the place that needs it."""
    for decision in find_decision_points(variant.program, variant.facts):
        new = files is None or decision.place.path in files
        entries = {name: place for name, place in decision.entries.items() if new or files is None or place.path in files}
        yield from ((f"option.{decision.key}.{name}", place) for name, place in entries.items())
        if new or entries:
            yield f"ask.{decision.key}", decision.place if new else next(iter(entries.values()))
    for event in find_event_points(variant.program, variant.facts.secrecy):
        if files is None or event.place.path in files:
            yield f"event.{event.key}", event.place


# ---------------------------------------------------------------- written numbers


def check_numbers(overlay: PackOverlay, variant: Variant, english: Mapping[str, Text], findings: DiagnosticList) -> None:
    """Reports texts that contain the old number of a changed value (W407).

    It looks at the text of the changed thing, and at the clauses whose rules use the value."""
    for change in overlay.changes:
        for old in numbers_before_change(change):
            for key in sorted(keys_of_texts_about(change.name, variant)):
                said, place = text_versions(key, overlay, variant, english)
                if not is_marked_as_fitting(key, overlay) and any(
                    contains_number(text, old, lang, f"(?!{PLAYER_COUNT_PATTERNS[lang]})" if key == "game.text" else "")
                    for lang, text in said
                ):
                    findings.add("W407", change.place, also=place, name=text_path(key), found=old, value=change.name)


def numbers_before_change(change: PackChange) -> list[int]:
    """Returns the numbers that a changed value, or a changed list of values, contained before and does not contain
    now."""
    if change.kind != "set" or change.name == "players":
        return []
    before, after = ([*value] if isinstance(value, list) else [value] for value in (change.before, change.after))
    return [old for old in before if isinstance(old, int) and not isinstance(old, bool) and old not in after]


def check_mentions(overlay: PackOverlay, variant: Variant, english: Mapping[str, Text], findings: DiagnosticList) -> None:
    """Reports texts that packs have made wrong (W412).

    These texts name a number of players that has changed, they list the members of a type whose members a pack
    changes, they belong to rules that use a changed def, or they repeat words of a clause that no longer holds."""
    added = {change.name for change in overlay.changes if change.kind == "add"}
    found: dict[tuple[SourceSpan, str], dict[str, tuple[SourceSpan, ...]]] = {}
    for change in overlay.changes:
        mentions = make_mention_test(change, variant, english, added)
        if mentions is None:
            continue
        for key in sorted(key for key in english if is_sentence(key) and not is_marked_as_fitting(key, overlay)):
            said, place = text_versions(key, overlay, variant, english)
            if any(mentions(text, lang) for lang, text in said):
                found.setdefault((change.place, change.name), {})[text_path(key)] = place
    for change, clause in find_indirect_clauses(overlay, variant.program):
        key = f"{CLAUSE_PREFIX}{clause}"
        if key in english and key not in overlay.texts.owner and not is_marked_as_fitting(key, overlay):
            found.setdefault((change.place, change.name), {})[clause] = text_versions(key, overlay, variant, english)[1]
    found |= find_shared_wording(overlay, variant, english)
    for (here, value), sentences in found.items():
        behind = tuple(one for each in sentences.values() for one in each)[:MAX_RELATED_PLACES]
        findings.add("W412", here, hint="fits", also=behind, name=value, names=", ".join(sentences))


def find_shared_wording(
    overlay: PackOverlay, variant: Variant, english: Mapping[str, Text]
) -> dict[tuple[SourceSpan, str], dict[str, tuple[SourceSpan, ...]]]:
    """Returns the clauses that packs change or remove while another text of the game repeats the old sentence.

    A clause that unchanged rules cite describes those, so it is left out."""
    changed = {clause: where for clause, (_, where) in (*overlay.clauses.items(), *overlay.struck_clauses.items())}
    source = variant.source
    register = read_clause_index(source.folder, DiagnosticList(), source.shown) if changed else None
    if register is None:
        return {}
    old = {name: clause.text for name, clause in register.clauses.items() if clause.text}

    def is_compared(key: str) -> bool:
        """Whether a text may repeat a clause: no pack wrote it or declared it right, and no rule cites it."""
        name = text_path(key)
        cited = key.startswith(CLAUSE_PREFIX) and name in (variant.program.cited.keys() | changed.keys())
        return (is_sentence(key) or key.startswith("phase.")) and not (
            cited or key in overlay.texts.owner or is_marked_as_fitting(key, overlay))

    said = {key: format_versions(text_versions(key, overlay, variant, english)[0]) for key in english if is_compared(key)}
    unchanged = {key: text for key, text in said.items() if text}
    weights = WordWeights([*old.values(), *(text for key, text in unchanged.items() if not key.startswith(CLAUSE_PREFIX))])
    found: dict[tuple[SourceSpan, str], dict[str, tuple[SourceSpan, ...]]] = {}
    for clause, where in changed.items():
        for key in sorted(unchanged) if clause in old else ():
            if weights.repeats(unchanged[key], old[clause], GAME_TEXT_LIMITS if key == "game.text" else SENTENCE_LIMITS):
                found.setdefault((where, clause), {})[text_path(key)] = text_versions(key, overlay, variant, english)[1]
    return found


def format_versions(said: list[tuple[str, Text]]) -> str:
    """Returns the English version of a text, with its forms in a row, or the first version."""
    text = dict(said).get("en", said[0][1]) if said else ""
    return text if isinstance(text, str) else " ".join(text)


def make_mention_test(
    change: PackChange, variant: Variant, english: Mapping[str, Text], added: set[str]
) -> Callable[[Text, str], bool] | None:
    """Returns a test of whether a text mentions what a change affects. None for a change that needs no such test."""
    if change.kind == "set" and change.name == "players":
        gone = {*parse_span(change.before)} - {*parse_span(change.after)}
        return lambda text, lang: any(contains_number(text, old, lang, PLAYER_COUNT_PATTERNS[lang]) for old in gone)
    domain, _, member = change.name.partition(".")
    if change.kind not in ("add", "remove") or domain not in variant.model.enums or not member:
        return None
    called = {name: [name, str(english.get(f"{domain}.{name}.name", name))] for name in variant.model.enums[domain].members}
    before = [names for name, names in called.items() if f"{domain}.{name}" not in added]
    if change.kind == "remove":
        name = change.before.get("name", member) if isinstance(change.before, dict) else member
        before.append([member, str(name)])
    return lambda text, lang: (len(before) > 1 and all(mentions_any(text, names) for names in before)
                               and not mentions_any(text, called.get(member, [])))


def mentions_any(text: Text, names: list[str]) -> bool:
    """Whether a text contains one of these names of a member, in a field or written out."""
    written = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})s?(?!\w)", re.IGNORECASE)
    return bool(names) and any(written.search(one) for one in ([text] if isinstance(text, str) else text))


def is_sentence(key: str) -> bool:
    """Whether a text describes the game: the game's text, the text of a member or an option, or a clause."""
    return key.startswith(CLAUSE_PREFIX) or key.endswith(".text") and not key.startswith("phase.")


def text_versions(
    key: str, overlay: PackOverlay, variant: Variant, english: Mapping[str, Text]
) -> tuple[list[tuple[str, Text]], tuple[SourceSpan, ...]]:
    """Returns a text in each language, and its place.

    The pack's versions count. Without one, the game's English text is returned."""
    said: list[tuple[str, Text]] = [(lang, text[key]) for lang, text in overlay.texts.translations.items() if key in text]
    place = overlay.texts.places.get(key) if said else variant.model.texts.get(key, (None, None))[1]
    if not said and key in english and key not in overlay.texts.gone:
        said = [("en", english[key])]
    return said, (place,) if place else ()


def is_marked_as_fitting(key: str, overlay: PackOverlay) -> bool:
    """Whether a pack declares with `fits` that this text is still right, or its change of the rule already struck it."""
    is_struck = text_path(key) in overlay.struck_clauses or overlay.find_outdated_text(key) is not None
    return is_struck or any(text_path(key) in pack.names_under("fits") for pack in overlay.packs)


def text_path(key: str) -> str:
    """Returns the name that packs use for a text."""
    return key.removeprefix(CLAUSE_PREFIX).removeprefix(OPTION_TEXT_PREFIX).removeprefix("game.")


def contains_number(text: Text, number: int, lang: str = "en", following: str = "") -> bool:
    """Whether a number is written out in a text, in digits or letters, outside the fields.

    `following` is a pattern for the text that follows the number."""
    words = [str(number), *([NUMBER_WORDS[lang][number]] if number in NUMBER_WORDS[lang] else [])]
    written = re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?!\w){following}", re.IGNORECASE)
    return any(written.search(part) for variant in ([text] if isinstance(text, str) else text) for part in parse_template(variant).parts
               if isinstance(part, str))


def keys_of_texts_about(path: str, variant: Variant) -> set[str]:
    """Returns the keys of texts that may mention a value: the text of its thing, and the clauses cited where the
    rules use the value."""
    parts = path.split(".")
    if parts[0] in variant.model.options:
        return {f"{OPTION_TEXT_PREFIX}{parts[0]}.text"} if parts[1:] == ["values"] else set()
    found = {f"{parts[0]}.{parts[1]}.text" if len(parts) == 3 else "game.text"}
    lines = {(node.at.path, line) for routine in variant.program.routines for part in routine.parts for node in walk(part)
             if is_reference_to_value(node, parts, variant.model) for line in range(node.at.line, node.at.end_line + 1)}
    cited = variant.program.cited.items()
    return found | {f"{CLAUSE_PREFIX}{clause}" for clause, places in cited if any((place.path, place.line) in lines for place in places)}


def is_reference_to_value(node: Node, parts: list[str], model: GameModel) -> bool:
    """Whether a node of a rule refers to this value directly: a number, or an attribute of one member."""
    match node:
        case NamedConstant(name=name):
            return parts == [name]
        case MemberConstant(domain=domain, member=member, name=name) | Attribute(thing=Const(value=int(member)), domain=domain, name=name):
            return parts == [domain, model.enums[domain].members[member], name]
    return False

"""`ludoglot packs diff`: describes what packs change, one sentence with its place for each change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import TYPE_CHECKING, assert_never

from ...dsl.yaml.yaml_edit import dump_inline
from ..cli.console import LocalizedConsole, UsageError
from ..cli.loading import load_game
from ..i18n.template import capitalize_first
from ..i18n.text_layout import wrap_cells
from ..library.find import format_place
from ..library.load import locate_packs
from .packs_diff_values import DataDescriber, ExampleTexts

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import SourceSpan
    from ...dsl.packs.manifest import Pack
    from ...dsl.packs.overlay import PackChange, PackOverlay
    from ..i18n import Localizer
    from ..library.loaded_game import LoadedGame
    from ..narration.narrator import Narrator

LocalizedGame = tuple["LoadedGame", "Localizer"]


def print_diff(console: LocalizedConsole, game: str, pack_sources: list[str]) -> int:
    """Prints what packs change, one sentence with its place for each change; returns the exit code."""
    from ..narration.narrator import Narrator
    packs = locate_packs(pack_sources)
    if not packs:
        raise UsageError("cli.missing", name="--pack")
    before, after = load_game(console, game), load_game(console, game, pack_sources=packs)
    overlay = after.game.ruleset.source.overlay
    assert overlay is not None
    old, new = before.localizer(console.lang), after.localizer(console.lang)
    narrators = [Narrator(loaded.game, words) for loaded, words in ((before, old), (after, new))]
    texts = [ExampleTexts(loaded, narrator) for loaded, narrator in zip((before, after), narrators)]
    values = [DataDescriber(console, loaded, narrator) for loaded, narrator in zip((before, after), narrators)]
    for pack in overlay.packs:
        console.print_line(console.text("house.changes", name=pack.name))
        about = pack.data.get("text")
        about = about.get(console.lang, about.get("en")) if isinstance(about, dict) else about
        rows: list[tuple[str, SourceSpan | None, list[str]]] = [(str(about), None, [])] if about else []
        rows += [(said, place, []) for said, place in iter_requirements(console, pack)]
        rows += [(said, change.place, list(iter_rule_lines(pack, change, before))) for change in overlay.changes if change.pack == pack.name
                 for said in change_sentences(console, change, (before, old), (after, new), values)]
        rows += [(said, place, []) for said, place in iter_text_changes(console, pack, overlay, narrators, texts)]
        rows += [(said, place, []) for said, place in iter_other_sections(console, pack, (before, old), (after, new))]
        for said, place, rules in rows:
            text = f"{said} ({format_place(place.path, place.line)})" if place is not None else said
            for line in [*wrap_cells(f"  {text}", console.width, "  "), *rules]:
                console.print_line(line)
    return 0


def iter_text_changes(
    console: LocalizedConsole, pack: Pack, overlay: PackOverlay, narrators: Sequence[Narrator], texts: Sequence[ExampleTexts]
) -> Iterator[tuple[str, SourceSpan]]:
    """Yields a sentence for each clause text that a pack adds, changes, or makes untrue, and for each of its other texts."""
    before, after = narrators
    for clause, (owner, place) in {**overlay.struck_clauses, **find_removed_clauses(overlay)}.items():
        if owner == pack.name and (was := before.clause_text(clause)):
            key = "rulebook.house.void" if clause in overlay.void else "rulebook.house.gone"
            yield f"{clause}: {console.text(key, packs=[owner], before=was)}", place
    from ..narration.member_texts import written_member_text
    for key, (owner, place) in overlay.outdated.items():
        was = written_member_text(before.game, before.words, *key.removesuffix(".text").split("."))
        if owner == pack.name and was and overlay.find_outdated_text(key) is not None:
            yield f"{key}: {console.text('rulebook.house.void', packs=[owner], before=was)}", place
    for clause, (_, place) in overlay.clauses.items():
        if overlay.texts.owner.get(f"clause.{clause}") == pack.name:
            yield text_sentence(console, clause, before.clause_text(clause) or "", after.clause_text(clause) or ""), place
    from ...dsl.packs.pack_texts import iter_by_key
    for key, _, path in iter_by_key(pack, "words"):
        yield text_sentence(console, key, *(text.render(key) for text in texts)), pack.key_place(*path)


def find_removed_clauses(overlay: PackOverlay) -> dict[str, tuple[str, SourceSpan]]:
    """Returns the clauses that packs name under `remove`, with the pack and the place."""
    owners = {clause: pack.name for pack in overlay.packs for clause in pack.names_under("remove")}
    return {clause: (owners[clause], place) for clause, place in overlay.gone_clauses.items() if clause in owners}


def iter_requirements(console: LocalizedConsole, pack: Pack) -> Iterator[tuple[str, SourceSpan]]:
    """Yields a sentence about the version of the game that a pack is for, and about the packs that it needs or excludes."""
    if "for_version" in pack.data:
        yield console.text("house.for_version", n=pack.data["for_version"]), pack.key_place("for_version")
    for key in ("needs", "not_with"):
        if names := pack.names_under(key):
            yield console.text(f"house.{key}", names=names), pack.key_place(key)


def iter_other_sections(
    console: LocalizedConsole, pack: Pack, before: LocalizedGame, after: LocalizedGame
) -> Iterator[tuple[str, SourceSpan]]:
    """Yields a sentence for each noun and each place of a member in a pack, and one for its changes of the table view."""
    from ...dsl.packs.pack_texts import iter_by_key
    for key, forms, path in iter_by_key(pack, "nouns"):
        domain, _, member = key.partition(".")
        enums = [loaded.game.model.enums for loaded, _ in (before, after)]
        is_new_member = domain in enums[1] and not (domain in enums[0] and member in enums[0][domain].first_index)
        old, new = (words.noun(key) for _, words in (before, after))
        if console.lang in forms and not is_new_member:
            name = member_label(console, key, *before) or key
            is_known = before[1].has_noun(key) and old != new
            yield text_sentence(console, name, old if is_known else "", new), pack.key_place(*path)
    for key, where in (pack.data.get("place") or {}).items():
        word, _, other = str(where).partition(" ")
        domain = key.partition(".")[0]
        sentence = console.text(f"house.place.{word}", name=member_label(console, key, *after) or key,
                                other=after[1].noun(f"{domain}.{other}") if after[1].has(f"{domain}.{other}.name") else other)
        yield sentence, pack.key_place("place", key)
    if pack.data.get("table"):
        sections = [console.text(f"house.table.{section}") for section in pack.data["table"]]
        yield console.text("house.table", names=", ".join(sections)), pack.key_place("table")


def iter_rule_lines(pack: Pack, change: PackChange, before: LoadedGame) -> Iterator[str]:
    """Yields the lines of rules that a change removes, and the lines that it adds, as they are written."""
    from ...dsl.diagnostics.render import read_lines, sanitize_argument
    source = before.game.ruleset.source
    removed: list[str] = []
    for file, line in change.lines if change.kind in ("step", "replace", "remove") else ():
        rows = read_lines(str(source.folder / file.removeprefix(f"{source.shown}/"))) or []
        removed += rows[line - 1 : line]
    added: list[str] = []
    if change.kind == "step":
        added = next((patch.chunk.text.rstrip().split("\n") for patch in pack.iter_step_patches()
                      if patch.chunk is not None and patch.place == change.place), [])
    elif change.kind in ("rules", "replace"):
        name = next((name for name in pack.bundle.files if pack.bundle.display_path(name) == change.place.path), None)
        added = declaration_rows(pack.bundle.files[name], change.place.line) if name is not None else []
    for sign, rows in (("-", removed), ("+", added)):
        yield from (sanitize_argument(f"    {sign} {row}").rstrip() for row in dedent("\n".join(rows)).split("\n") if row)


def declaration_rows(text: str, line: int) -> list[str]:
    """Returns the rows of the declaration that begins on a line of a file, without the indentation of its first row."""
    rows = text.splitlines()[line - 1 :]
    indent = len(rows[0]) - len(rows[0].lstrip())
    end = next((n for n, row in enumerate(rows[1:], 1) if row.strip() and len(row) - len(row.lstrip()) <= indent), len(rows))
    return [row[indent:] for row in rows[:end] if row.strip()]


def text_sentence(console: LocalizedConsole, name: str, before: str, after: str) -> str:
    """Returns the sentence about a text that is new (`before` is empty) or different."""
    before, after = (text[:-1] if text.endswith(".") and not text.endswith("..") else text for text in (before, after))
    return console.text("house.text" if before else "house.says", name=name, after=after, **({"before": before} if before else {}))


def change_sentences(
    console: LocalizedConsole, change: PackChange, before: LocalizedGame, after: LocalizedGame, values: Sequence[DataDescriber]
) -> Iterator[str]:
    """Yields the sentences that describe one change. `values` describe data of the game before and after it."""
    match change.kind:
        case "text":
            said = [format_text(change.name, *spoken) for spoken in (before, after)]
            if said[0] == said[1]:
                return
            if change.name.rpartition(".")[2] == "name":
                yield console.text("house.named", before=said[0], after=said[1])
            else:
                yield text_sentence(console, text_label(console, change.name, *after), *said)
        case "set" if change.before is not None and dump_inline(change.before) == dump_inline(change.after):
            return
        case "set" if named := describe_value_change(console, change.name, before, after):
            yield console.text("house.set.named", **named)
        case "set":
            was = values[0].describe(change.before, change.name) if change.before is not None else ""
            now = values[1].describe(change.after, change.name)
            key = "house.set.new" if not was else "house.set.long" if ", " in was + now else "house.set"
            yield console.text(key, name=change.name, after=now, **({"before": was} if was else {}))
        case "step":
            yield console.text(f"house.step.{change.before}", name=change.name)
        case "add" if (new := values[1].describe_new(change.name, change.after, before[0].game.model.enums)) is not None:
            yield from [new] if new else []
        case "add" if added := describe_added_values(console, change, *after, values[1]):
            model = after[0].game.model
            label = member_label(console, change.name, *after) or text_label(console, f"{change.name}.name", *after)
            name = label.removesuffix(".name")
            if change.name in model.options:
                default = describe_value(console, f"{change.name}.default", *after)
                yield console.text("house.add.option", name=name, values=added, default=default)
            else:
                yield console.text("house.add.value" if change.name in model.numbers else "house.add.values", name=name, values=added)
            yield from iter_added_text(console, change.name, name, after)
        case "add" | "remove" | "rules" | "replace":
            loaded, words = before if change.kind == "remove" else after
            name = member_label(console, change.name, loaded, words) or change.name
            yield console.text(f"house.{change.kind}", name=name)
            if change.kind == "add":
                yield from iter_added_text(console, change.name, name, after)
        case _:
            assert_never(change.kind)


def iter_added_text(console: LocalizedConsole, path: str, name: str, after: LocalizedGame) -> Iterator[str]:
    """Yields the sentence about the text of a new member or option, if it has one."""
    if text := format_text(f"{path}.text", *after):
        yield text_sentence(console, name, "", text)


def describe_added_values(
    console: LocalizedConsole, change: PackChange, loaded: LoadedGame, words: Localizer, describer: DataDescriber
) -> str:
    """Returns the value of an added number, the values of an option, or the attributes of a member. Empty for other things."""
    model = loaded.game.model
    domain, _, member = change.name.partition(".")
    if change.name in model.numbers:
        return describer.describe(change.after)
    if change.name in model.options:
        return ", ".join(words.option_value_text(change.name, value) for value in model.options[change.name].values)
    if not member or not isinstance(change.after, dict) or domain not in model.enums:
        return ""
    names = dict.fromkeys([*change.after, *model.enums[domain].attributes])          # also those that have their default
    values = {name: describe_value(console, f"{change.name}.{name}", loaded, words) for name in names}
    labels = {name: words.text(key) if words.has(key := f"attribute.{domain}.{name}") else name for name in values}
    return ", ".join(f"{labels[name]}: {value}" for name, value in values.items() if value is not None)


def member_label(console: LocalizedConsole, path: str, loaded: LoadedGame, words: Localizer) -> str | None:
    """Returns what players call a member, with the name of its type: “Drought (card)”. None for other paths."""
    domain, _, member = path.partition(".")
    enum = loaded.game.model.enums.get(domain)
    if enum is None or member not in enum.first_index or not words.has(f"{path}.name"):
        return None
    name = capitalize_first(words.noun(path))
    return console.text("house.member", name=name, kind=words.noun(domain)) if words.has(f"{domain}.name") else name


def text_label(console: LocalizedConsole, path: str, loaded: LoadedGame, words: Localizer) -> str:
    """Returns the name of the game, option, or member that a text describes, or the path if it has none."""
    owner = path.rpartition(".")[0]
    key = f"variant.{owner}.name" if owner else "game.name"
    return words.text(key) if words.has(key) else member_label(console, owner, loaded, words) or path


def format_text(name: str, loaded: LoadedGame, words: Localizer) -> str:
    """Returns the text of a game, an option, or a member, with its numbers filled in."""
    from ..i18n.placeholders import text_placeholders
    domain, _, rest = name.partition(".")
    model = loaded.game.model
    own = "game.text" if name == "text" else "game.name"
    if not words.has(own if not rest else f"variant.{name}" if domain in model.options else name):
        return ""
    if not rest:
        return words.text(own, **text_placeholders(model))
    if domain in model.options:
        return words.text(f"variant.{name}", **text_placeholders(model))
    member = rest.partition(".")[0]
    known = domain in model.enums and member in model.enums[domain].first_index
    return words.text(name, **(text_placeholders(model, domain, member) if known else text_placeholders(model)))


def describe_value_change(console: LocalizedConsole, path: str, before: LocalizedGame, after: LocalizedGame) -> dict[str, str] | None:
    """Returns the fields of the sentence about a changed value, in the words of the game.

    None if the game has no words for the path."""
    label = path_label(console, path, *after)
    values = [describe_value(console, path, *spoken) for spoken in (before, after)]
    if label is None or None in values:
        return None
    return {"name": label, "before": values[0] or "", "after": values[1] or ""}


def path_label(console: LocalizedConsole, path: str, loaded: LoadedGame, words: Localizer) -> str | None:
    """Returns what players call the value at a path, or None.

    Known are printed values of members, defaults of options, and the number of players."""
    model = loaded.game.model
    match path.split("."):
        case ["players"]:
            return console.text("column.players")
        case [option, "default"] if words.has(key := f"variant.{option}.name"):
            return console.text("house.default", name=words.text(key))
        case [domain, member, name] if domain in model.enums and member in model.enums[domain].first_index:
            if words.has(key := f"attribute.{domain}.{name}"):
                return console.text("house.printed", name=capitalize_first(words.noun(f"{domain}.{member}")), label=words.text(key))
    return None


def describe_value(console: LocalizedConsole, path: str, loaded: LoadedGame, words: Localizer) -> str | None:
    """Returns the value at such a path as the game displays it, or None."""
    from ..narration.narrator import Narrator
    model = loaded.game.model
    match path.split("."):
        case ["players"]:
            low, high = loaded.game.ruleset.source.player_range
            return console.text("show.players_exact", n=low) if low == high else console.text("show.players", low=low, high=high)
        case [option, "default"] if option in model.options:
            return words.option_value_text(option, model.options[option].default)
        case [domain, member, name] if (member, name) in model.enums[domain].own:
            return words.value(model.enums[domain].own[member, name])
        case [domain, member, name] if name in model.enums[domain].attributes and member in model.enums[domain].first_index:
            enum = model.enums[domain]
            value = Narrator(loaded.game, words).value(enum.attributes[name], enum.values[name][enum.first_index[member]])
            return words.value(value) if value is not None and value != [] else console.text("house.nothing")
    return None

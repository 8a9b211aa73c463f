"""`ludoglot packs`: lists house-rule packs, writes a template for a new one, and describes what packs change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

import click

from ...dsl.diagnostics.diagnostic import did_you_mean
from ...dsl.yaml.yaml_edit import dump_inline
from ..cli.console import LocalizedConsole, UsageError, render_findings
from ..cli.loading import load_game
from ..cli.localized_click import LocalizedGroup, argument, lang_option, option, pack_option
from ..i18n import LANGUAGES
from ..i18n.template import capitalize_first
from ..i18n.text_layout import table_lines, wrap_cells
from ..library.find import find_game_location, format_path, format_place
from ..library.load import locate_packs

if TYPE_CHECKING:
    from ...dsl.core.program import Routine
    from ...dsl.diagnostics.diagnostic import Diagnostic, SourceSpan
    from ...dsl.packs.manifest import Pack
    from ...dsl.packs.overlay import PackChange, PackOverlay
    from ..i18n import Localizer
    from ..library.loaded_game import LoadedGame
    from ..narration.narrator import Narrator

TRIAL_DECISIONS = 2_000                              # a new pack is played for so many decisions
UNFINISHED_MARK = "TODO"                               # in texts that the author of a pack must write
COMMENT_WIDTH = 100
CITATION = re.compile(r"[ \t]*@[\w-]+(?:[ \t]+@[\w-]+)*")
LocalizedGame = tuple["LoadedGame", "Localizer"]

packs_command = LocalizedGroup("packs")


@packs_command.action("list")
@argument("game", required=False)
@lang_option
@click.pass_obj
def list_command(console: LocalizedConsole, game: str | None) -> int:
    return list_packs(console, game)


@packs_command.action("new")
@argument("game")
@argument("name")
@option("--card", word="what_card")
@option("--add", word="what_card")
@lang_option
@click.pass_obj
def new_command(console: LocalizedConsole, game: str, name: str, card: str | None, add: str | None) -> int:
    return write_template(console, game, name, card, add)


@packs_command.action("diff")
@argument("game")
@argument("name", required=False)
@pack_option
@lang_option
@click.pass_obj
def diff_command(console: LocalizedConsole, game: str, name: str | None, pack_sources: tuple[str, ...]) -> int:
    return print_diff(console, game, [*pack_sources, *([name] if name else [])])


def list_packs(console: LocalizedConsole, game: str | None) -> int:
    """Prints the packs in the current folder and in the user's folder, of one game or of all."""
    from ..library.installed_packs import iter_installed_packs, iter_packs, packs_folder
    wanted = find_game_location(game).folder.resolve().name if game else None
    found = [(pack, format_path(pack.path)) for pack in iter_packs(Path(), wanted)]
    found += [(pack, pack.name) for pack in iter_installed_packs(wanted) if pack.path.parent.resolve() != Path.cwd()]
    if not found:
        console.print_message("house.none", folder=str(packs_folder()))
        return 0
    rows = [[pack.name, pack.game, f"--pack {name}", pack.description_in(console.lang)] for pack, name in found]
    for line in table_lines([[console.text(f"column.{key}") for key in ("name", "game", "pack", "about")], *rows]):
        console.print_line(line)
    console.print_message("house.folder", folder=str(packs_folder()))
    return 0


# ---------------------------------------------------------------- new pack


def write_template(console: LocalizedConsole, game: str, name: str, card: str | None, add: str | None) -> int:
    """Writes a template for a new pack that passes `check`, and plays a part of a game with it; returns the exit code.

    The template sets values to what they are now, with the rules of a member (`card`) as comments. With `add`
    it defines a new member modelled on the first member of its type."""
    from ..cli.output import check_output, write_output_file
    path = Path(f"{name}.yaml")
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,59}", name):
        raise UsageError("house.name", name=name)
    if path.exists():
        raise UsageError("house.there", file=str(path))
    check_output(path)
    loaded = load_game(console, game)
    lines = [f"house: {name}", f"for: {loaded.game.ruleset.id}"]
    if add:
        lines += new_member_lines(console, loaded, add)
    else:
        lines += member_lines(loaded, find_member(loaded, card)) if card else number_lines(loaded)
    write_output_file(path, "\n".join(lines) + "\n")
    console.print_message("house.written", file=str(path), folder=str(Path.cwd()))
    if (fault := find_trial_fault(console, game, path)) is not None:
        console.print_line(render_findings(console, [fault]))
        return 1
    console.print_message("house.next")
    for action in (f"packs diff {game} {path}", f"check {game} --pack {path}", f"play {game} --pack {path}"):
        console.print_line(f"  ludoglot {action}")
    return 0


def find_trial_fault(console: LocalizedConsole, game: str, path: Path) -> Diagnostic | None:
    """Plays a part of a game with a new pack; returns the fault, if there is one."""
    from ..lab.game_statistics import GameStatistics
    from ..lab.playout import PlayoutRun
    from .simulate import SimulationSide
    loaded = load_game(console, game, pack_sources=[path])
    side = SimulationSide(game, (), (str(path),), loaded, GameStatistics(loaded.game.players, []))
    return next(iter(side.playout_diagnostics(PlayoutRun(loaded.game, 1, ("random",), TRIAL_DECISIONS))), None)


def find_member(loaded: LoadedGame, card: str) -> str:
    """Returns the member that `card` names, as `Type.member`: in full, or without its type if only one type has it.

    Capitals and the signs between words do not matter. Raises UsageError."""
    from ...dsl.packs.data_paths import member_names, member_path
    source = loaded.game.ruleset.source
    if member_path(source, card) is not None:
        return card
    known = member_names(source)
    typed = re.sub(r"\W+", "_", card).casefold()
    found = [name for name in known if typed in (name.partition(".")[2].casefold(), name.replace(".", "_").casefold())]
    if len(found) > 1:
        raise UsageError("house.cards", name=card, names=found)
    if not found:
        by_member = {name.partition(".")[2]: name for name in known}
        meant = did_you_mean(card, known) or by_member.get(did_you_mean(card, by_member), "")
        raise UsageError("house.card", name=card, meant=meant)
    return found[0]


def number_lines(loaded: LoadedGame) -> list[str]:
    """Returns `set` lines with all numbers of a game unchanged; all but the first are comments."""
    source = loaded.game.ruleset.source
    numbers = [f"  {key}: {dump_inline(value)}" for key, value in source.data["numbers"].items()]
    if not numbers:
        return ["set:", f"  name: {dump_inline(source.data['name'])}"]
    return ["set:", numbers[0], *(f"  #{line[1:]}" for line in numbers[1:])]


def localizers(loaded: LoadedGame) -> dict[str, Localizer]:
    """Returns the texts of a game in each language, the source language first."""
    from ..i18n.languages import SOURCE_LANGUAGE
    return {lang: loaded.localizer(lang) for lang in sorted(LANGUAGES, key=lambda lang: lang != SOURCE_LANGUAGE)}


def member_lines(loaded: LoadedGame, card: str) -> list[str]:
    """Returns `set` lines with the values of a member; its text in each language and its rules are comments."""
    from ...dsl.packs.data_paths import member_path
    source = loaded.game.ruleset.source
    node: Any = source.data
    for part in member_path(source, card) or ():
        node = node[part] if isinstance(node, dict) else {}
    out, texts = ["set:"], []
    for key, value in (node or {}).items():
        if key == "text":
            texts.append(f"  # {card}.text:")
            said = {lang: words.template(f"{card}.text") for lang, words in localizers(loaded).items()}
            texts += [f"  #   {lang}: {dump_inline(text)}" for lang, text in said.items() if lang == "en" or text != said["en"]]
        elif key != "name":
            out.append(f"  {card}.{key}: {dump_inline(value)}")
    if len(out) == 1:
        out.append(f"  {card}.name: {dump_inline((node or {}).get('name', card.partition('.')[2]))}")
    out += texts                                                   # a text changes with its rule, so both start as comments
    for rows in iter_member_rules(loaded, *card.split(".", 1)):
        out += ["# replace: |", *(f"#   {row}".rstrip() for row in rows)]
    return out


def iter_member_rules(loaded: LoadedGame, domain: str, member: str) -> Iterator[list[str]]:
    """Yields the source lines of each rule that belongs to a member."""
    for family in loaded.game.ruleset.program.families.values():
        for routine in family.routines if family.domain == domain else ():
            if routine.key.endswith(f"[{member}]"):
                yield read_rule_rows(loaded, routine)


def iter_example_rules(loaded: LoadedGame, domain: str, member: str) -> Iterator[list[str]]:
    """Yields the source lines of one rule for each kind of rules that members of a type have, as rules of `member`."""
    for family in loaded.game.ruleset.program.families.values():
        routine = next((one for one in family.routines if one.key.endswith("]")), None) if family.domain == domain else None
        if routine is not None:
            old = routine.key.rpartition("[")[2].removesuffix("]")
            yield [copied_rule_row(row, old, member) for row in read_rule_rows(loaded, routine)]


def read_rule_rows(loaded: LoadedGame, routine: Routine) -> list[str]:
    """Returns the source lines of a rule."""
    from ...dsl.diagnostics.render import read_lines
    source = loaded.game.ruleset.source
    rows = read_lines(str(source.folder / routine.path.removeprefix(f"{source.shown}/"))) or []
    return rows[routine.at.line - 1 : routine.at.end_line]


def new_member_lines(console: LocalizedConsole, loaded: LoadedGame, card: str) -> list[str]:
    """Returns lines that add a member: the values, texts and rules of the first member of its type, with comments.

    Every text begins with a mark, in every language. If the first member has no rules, the rules of others are
    comments."""
    from ...dsl.diagnostics.diagnostic import did_you_mean
    source = loaded.game.ruleset.source
    domain, _, member = card.partition(".")
    section, group = ("pieces", "copies") if domain in source.data["pieces"] else ("enums", "members")
    raw = source.data[section].get(domain)
    like = next(iter(raw[group]), None) if isinstance(raw, dict) and isinstance(raw.get(group), dict) else None
    if like is None or not re.fullmatch(r"[a-z]\w*", member):
        raise UsageError("house.card", name=card, meant=did_you_mean(domain, [*source.data["enums"], *source.data["pieces"]]))
    if member in raw[group]:
        raise UsageError("house.has_card", name=card)
    name = member.replace("_", " ")
    said = localizers(loaded)
    out = comment_lines(console.text("house.comment.copied", name=f"{domain}.{like}", mark=UNFINISHED_MARK))
    out += ["add:", f"  {card}:", f"    name: {dump_inline(dict.fromkeys(said, f'{name} ({UNFINISHED_MARK})'))}"]
    out += [f"    {key}: {dump_inline(value)}" for key, value in (raw[group][like] or {}).items() if key not in ("name", "text")]
    has_text = said["en"].has(f"{domain}.{like}.text")
    out += ["    text:"]
    out += [f"      {lang}: {dump_inline(f'{UNFINISHED_MARK}: ' + (words.template(f'{domain}.{like}.text') if has_text else name))}"
            for lang, words in said.items()]
    first = loaded.game.model.enums[domain].members[0]
    rows = [copied_rule_row(row, first, member) for rule in iter_member_rules(loaded, domain, first) for row in rule]
    if not rows:
        examples = list(iter_example_rules(loaded, domain, member))
        commented = ["# rules: |", *(f"#   {row}".rstrip() for example in examples for row in example)]
        return [*out, *comment_lines(console.text("house.comment.rules")), *commented] if examples else out
    texts = {key: key.replace(f"[{first}]", f"[{member}]") for key in said["en"].english if f"[{first}]" in key}
    out += ["rules: |", *(f"  {row}".rstrip() for row in rows)]
    if texts:
        out += [*comment_lines(console.text("house.comment.words")), "words:"]
    for old, new in texts.items():
        out += [f"  {new}:", *(f"    {lang}: {dump_inline(words.template(old))}" for lang, words in said.items())]
    return out


def copied_rule_row(row: str, old: str, new: str) -> str:
    """Returns a line of a rule for another member, without citations: the rulebook does not know the new member."""
    return re.sub(rf"(?<![\w.]){old}(?=\.\w)", new, CITATION.sub("", row).replace(f"[{old}]", f"[{new}]"))


def comment_lines(text: str) -> list[str]:
    """Returns a text as lines of a YAML comment."""
    return [f"# {line}" for line in wrap_cells(text, COMMENT_WIDTH)]


# ---------------------------------------------------------------- diff


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
    for pack in overlay.packs:
        console.print_line(console.text("house.changes", name=pack.name))
        about = pack.data.get("text")
        about = about.get(console.lang, about.get("en")) if isinstance(about, dict) else about
        rows: list[tuple[str, SourceSpan | None]] = [(str(about), None)] if about else []
        rows += [(said, change.place) for change in overlay.changes if change.pack == pack.name
                 for said in change_sentences(console, change, (before, old), (after, new))]
        rows += iter_text_changes(console, pack, overlay, *narrators)
        for said, place in rows:
            text = f"{said} ({format_place(place.path, place.line)})" if place is not None else said
            for line in wrap_cells(f"  {text}", console.width, "  "):
                console.print_line(line)
    return 0


def iter_text_changes(
    console: LocalizedConsole, pack: Pack, overlay: PackOverlay, before: Narrator, after: Narrator
) -> Iterator[tuple[str, SourceSpan]]:
    """Yields a sentence for each clause text that a pack adds, changes, or makes untrue, and for each of its other texts."""
    for clause, (owner, place) in overlay.struck_clauses.items():
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
    for key in map(str, pack.data.get("words") or {}):
        key_texts = [narrator.words.template(key) if narrator.words.has(key) else "" for narrator in (before, after)]
        yield text_sentence(console, key, *key_texts), pack.key_place("words", key)


def text_sentence(console: LocalizedConsole, name: str, before: str, after: str) -> str:
    """Returns the sentence about a text that is new (`before` is empty) or different."""
    return console.text("house.text" if before else "house.says", name=name, after=after, **({"before": before} if before else {}))


def change_sentences(console: LocalizedConsole, change: PackChange, before: LocalizedGame, after: LocalizedGame) -> Iterator[str]:
    """Yields the sentences that describe one change."""
    match change.kind:
        case "text":
            said = [format_text(change.name, *spoken) for spoken in (before, after)]
            if change.name.rpartition(".")[2] == "name":
                yield console.text("house.named", before=said[0], after=said[1])
            else:
                yield text_sentence(console, text_label(console, change.name, *after), *said)
        case "set" if named := describe_value_change(console, change.name, before, after):
            yield console.text("house.set.named", **named)
        case "set":
            known = {"before": dump_inline(change.before)} if change.before is not None else {}
            yield console.text("house.set" if known else "house.set.new", name=change.name, after=dump_inline(change.after), **known)
        case "step":
            yield console.text(f"house.step.{change.before}", name=change.name)
        case "add" | "remove" | "rules" | "replace":
            loaded, words = before if change.kind == "remove" else after
            yield console.text(f"house.{change.kind}", name=member_label(console, change.name, loaded, words) or change.name)
        case _:
            assert_never(change.kind)


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
    if not rest:
        return words.text("game.text" if name == "text" else "game.name", **text_placeholders(model))
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
        case [domain, member, name] if name in model.enums[domain].attributes and member in model.enums[domain].first_index:
            enum = model.enums[domain]
            value = Narrator(loaded.game, words).value(enum.attributes[name], enum.values[name][enum.first_index[member]])
            return words.value(value) if value is not None and value != [] else console.text("house.nothing")
    return None

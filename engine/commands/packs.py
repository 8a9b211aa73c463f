"""`ludoglot packs`: lists house-rule packs, writes a template for a new one, and describes what packs change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...dsl.diagnostics.diagnostic import did_you_mean
from ...dsl.yaml.yaml_edit import dump_inline
from ..cli.console import LocalizedConsole, UsageError, render_findings
from ..cli.loading import load_game
from ..cli.localized_click import LocalizedGroup, argument, lang_option, option, pack_option
from ..i18n import LANGUAGES
from ..i18n.text_layout import table_lines, wrap_cells
from ..library.find import find_game_location, format_path

if TYPE_CHECKING:
    from ...dsl.core.program import Routine
    from ...dsl.diagnostics.diagnostic import Diagnostic
    from ..i18n import Localizer
    from ..library.loaded_game import LoadedGame

TRIAL_DECISIONS = 2_000                              # a new pack is played for so many decisions
UNFINISHED_MARK = "TODO"                               # in texts that the author of a pack must write
COMMENT_WIDTH = 100
CITATION = re.compile(r"[ \t]*@[\w-]+(?:[ \t]+@[\w-]+)*")

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
    from .packs_diff import print_diff
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

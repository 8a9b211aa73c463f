"""`ludoglot copy`: copies a game under a new id, with its tests, catalogues, and lexicons.

House-rule packs are merged into the copy (`project/merge_packs.py`)."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.safe_read import find_uncopyable, read_text
from ..cli.console import CommandError, LocalizedConsole, UsageError
from ..cli.loading import read_source
from ..cli.localized_click import argument, command, lang_option, pack_option
from ..errors import unwritable_error
from ..i18n import LANGUAGES
from ..i18n.readers import SHIPPED_LOCALE
from ..library.find import GAME_FILE, GameLocation, find_game_location, format_path, list_game_ids
from ..library.load import locate_packs

if TYPE_CHECKING:
    from ..library.find import GameLocation

GAME_ID_PATTERN = re.compile(r"[a-z][a-z0-9-]{0,59}")
LOCALE_FILES = (("LC_MESSAGES", ".po"), ("lexicon", ".yaml"))              # folder and file suffix below `locale/LANGUAGE`


@command("copy")
@argument("game")
@argument("id")
@argument("folder", required=False)
@pack_option
@lang_option
@click.pass_obj
def copy_command(console: LocalizedConsole, game: str, id: str, folder: str | None, pack_sources: tuple[str, ...]) -> int:
    from ..testing.pack_regressions import CHANGED, DROPPED
    found = find_game_location(game)
    if id in list_game_ids():
        raise UsageError("copy.taken", name=id)
    if not GAME_ID_PATTERN.fullmatch(id):
        raise UsageError("copy.id", name=id)
    target = Path(folder or id).expanduser()
    if target.exists():
        raise UsageError("house.there", file=str(target))
    packs = locate_packs(pack_sources)
    source = read_source(console, found, packs)
    moved: Counter[str] = Counter()
    try:
        copy_game_files(found, id, target)
        if packs:
            from ..project.merge_packs import merge_packs_into_copy
            moved = merge_packs_into_copy(found, source, packs, GameLocation(id, target, format_path(target)))
    except OSError as error:
        raise unwritable_error(CommandError, target, error) from error
    console.print_message("copy.done", id=id, folder=str(target))
    if left_out := moved[DROPPED] + moved[CHANGED]:
        console.print_message("copy.left_out", n=left_out)
    return 0


def copy_game_files(location: GameLocation, id: str, target: Path) -> None:
    """Copies the files of a game to `target` and gives the copy a new id."""
    shutil.copytree(location.folder, target, ignore=find_uncopyable)
    main = target / GAME_FILE
    text = read_text(main)
    old = re.search(r"(?m)^game:\s*(\S+)", text)
    name = old[1] if old else location.folder.resolve().name
    main.write_text(re.sub(r"(?m)^game:\s*\S+", f"game: {id}", text, count=1), encoding="utf-8")
    for path in target.rglob("*.yaml"):
        path.write_text(relink_schema_comment(read_text(path), path.parent), encoding="utf-8")
    for locale in (location.folder / "locale", SHIPPED_LOCALE):
        for lang in LANGUAGES:
            for kind, ending in LOCALE_FILES:
                source, copy = locale / lang / kind / f"{name}{ending}", target / "locale" / lang / kind / f"{id}{ending}"
                if source.is_file() and not copy.exists():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source, copy)


def relink_schema_comment(text: str, folder: Path) -> str:
    """Returns YAML text whose `$schema=` comment (for editors) points from the new folder to the installed schema."""
    from ...dsl.yaml.schema import SCHEMA_FOLDER

    def replace_path(match: re.Match[str]) -> str:
        path = (SCHEMA_FOLDER / match[2]).resolve()
        try:
            return match[1] + Path(os.path.relpath(path, folder.resolve())).as_posix()
        except ValueError:                                         # on another drive
            return match[1] + path.as_uri()
    return re.sub(r"(?m)^(#\s*yaml-language-server:\s*\$schema=)\S*?(\w+\.json)", replace_path, text)

"""`ludoglot copy`: a game of one's own, made from one that is there, with its tests, catalogues and lexicons; packs of house rules are
worked into it (laying_in.py)."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.safe_read import odd_ones, read_text
from ..cli.console import Refusal, Usage, Voice
from ..cli.loading import find_game, packs_from, read_source
from ..cli.localized_click import argument, command, house_option, lang_option

if TYPE_CHECKING:
    from ..library.find import Found

ID = re.compile(r"[a-z][a-z0-9-]{0,59}")
SPOKEN = (("LC_MESSAGES", ".po"), ("lexicon", ".yaml"))              # below `locale/LANGUAGE`


@command("copy")
@argument("game")
@argument("id")
@argument("folder", required=False)
@house_option
@lang_option
@click.pass_obj
def copy_command(voice: Voice, game: str, id: str, folder: str | None, houses: tuple[str, ...]) -> int:
    from ..library.find import Found, installed, shown
    from ..testing.pack_regressions import CHANGED, DROPPED
    found = find_game(game)
    if id in installed():
        raise Usage("copy.taken", name=id)
    if not ID.fullmatch(id):
        raise Usage("copy.id", name=id)
    target = Path(folder or id).expanduser()
    if target.exists():
        raise Usage("house.there", file=str(target))
    packs = packs_from(houses)
    source = read_source(voice, found, packs)
    moved: Counter[str] = Counter()
    try:
        copied(found, id, target)
        if packs:
            from ..project.merge_packs import lay_in
            moved = lay_in(found, source, packs, Found(id, target, shown(target)))
    except OSError as error:
        raise Refusal("file.unwritable", file=str(target), reason=error.strerror or "") from error
    voice.say("copy.done", id=id, folder=str(target))
    if left_out := moved[DROPPED] + moved[CHANGED]:
        voice.say("copy.left_out", n=left_out)
    return 0


def copied(found: Found, id: str, target: Path) -> None:
    """The files of a game under another id."""
    from ..i18n import LANGUAGES
    from ..i18n.readers import SHIPPED
    from ..library.find import MAIN
    shutil.copytree(found.folder, target, ignore=odd_ones)
    main = target / MAIN
    text = read_text(main)
    old = re.search(r"(?m)^game:\s*(\S+)", text)
    name = old[1] if old else found.folder.resolve().name
    main.write_text(re.sub(r"(?m)^game:\s*\S+", f"game: {id}", text, count=1), encoding="utf-8")
    for path in target.rglob("*.yaml"):
        path.write_text(with_schema(read_text(path), path.parent), encoding="utf-8")
    for locale in (found.folder / "locale", SHIPPED):
        for lang in LANGUAGES:
            for kind, ending in SPOKEN:
                source, copy = locale / lang / kind / f"{name}{ending}", target / "locale" / lang / kind / f"{id}{ending}"
                if source.is_file() and not copy.exists():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source, copy)


def with_schema(text: str, folder: Path) -> str:
    """A YAML file whose line for editors (`$schema=`) leads from its new folder to the schema that is installed."""
    from ...dsl.yaml.schema import FOLDER

    def path_to(found: re.Match[str]) -> str:
        path = (FOLDER / found[2]).resolve()
        try:
            return found[1] + Path(os.path.relpath(path, folder.resolve())).as_posix()
        except ValueError:                                         # on another drive
            return found[1] + path.as_uri()
    return re.sub(r"(?m)^(#\s*yaml-language-server:\s*\$schema=)\S*?(\w+\.json)", path_to, text)

"""`ludoglot copy`: a game of one's own, made from one that is there, with its tests, catalogues and lexicons."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click

from .frame import argument, command, lang_option
from .loading import find_game
from .voice import Refusal, Usage, Voice

ID = re.compile(r"[a-z][a-z0-9-]{0,59}")
SPOKEN = (("LC_MESSAGES", ".po"), ("lexicon", ".yaml"))              # below `locale/LANGUAGE`


@command("copy")
@argument("game")
@argument("id")
@argument("folder", required=False)
@lang_option
@click.pass_obj
def copy_command(voice: Voice, game: str, id: str, folder: str | None) -> int:
    from ..shelf.find import MAIN, installed
    from ..words import LANGUAGES
    from ..words.files import SHIPPED
    found = find_game(game)
    if not ID.fullmatch(id) or id in installed():
        raise Usage("copy.id", name=id)
    target = Path(folder or id).expanduser()
    if target.exists():
        raise Usage("house.there", file=str(target))
    try:
        shutil.copytree(found.folder, target)
        main = target / MAIN
        text = main.read_text(encoding="utf-8")
        old = re.search(r"(?m)^game:\s*(\S+)", text)
        name = old[1] if old else found.folder.name
        main.write_text(re.sub(r"(?m)^game:\s*\S+", f"game: {id}", text, count=1), encoding="utf-8")
        for locale in (found.folder / "locale", SHIPPED):
            for lang in LANGUAGES:
                for kind, ending in SPOKEN:
                    source, copy = locale / lang / kind / f"{name}{ending}", target / "locale" / lang / kind / f"{id}{ending}"
                    if source.is_file() and not copy.exists():
                        copy.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(source, copy)
    except OSError as error:
        raise Refusal("file.unwritable", file=str(target), reason=error.strerror or "") from error
    voice.say("copy.done", id=id, folder=str(target))
    return 0

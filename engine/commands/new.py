"""`ludoglot new`: a small game that checks and plays at once, to be changed into another one."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...dsl.diagnostics.safe_read import read_text
from ..cli.console import Refusal, Usage, Voice
from ..cli.localized_click import argument, command, lang_option
from ..library.find import installed

PATTERN = Path(__file__).parent.parent / "library" / "begun"          # the game as it is written; ID stands for its name
NAME = re.compile(r"[a-z][a-z0-9-]{0,59}")
WORDS = "words.yaml"


@command("new")
@argument("name")
@lang_option
@click.pass_obj
def new_command(voice: Voice, name: str) -> int:
    folder = Path(name)
    if not NAME.fullmatch(folder.name) or folder.name in installed():
        raise Usage("new.name", name=folder.name)
    if folder.exists():
        raise Refusal("new.exists", file=str(folder))
    try:
        write(folder)
    except OSError as error:
        raise Refusal("file.unwritable", file=str(folder), reason=error.strerror or "") from error
    voice.say("new.made", folder=str(folder))
    for deed in ("check", "play", "test", "simulate"):
        voice.out(f"  ludoglot {deed} {folder}")
    return 0


def write(folder: Path) -> None:
    """The files of a new game, with its words in every language."""
    from ...dsl.diagnostics.diagnostic import Findings
    from ...dsl.yaml.located_yaml import read_yaml
    from ..i18n import LANGUAGES
    from ..i18n.catalogue import update
    from ..i18n.message_sources import game_domain
    for path in sorted(PATTERN.rglob("*")):
        if path.is_file() and path.name != WORDS:
            target = folder / str(path.relative_to(PATTERN)).replace("ID", folder.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(read_text(path).replace("ID", folder.name), encoding="utf-8", newline="\n")
    words = read_yaml(PATTERN / WORDS, Findings())
    assert words is not None
    begun = {lang: {key: said[lang] for key, said in words.data.items() if lang in said} for lang in LANGUAGES}
    update(game_domain(folder, Findings()), LANGUAGES, begun)

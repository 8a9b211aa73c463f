"""`ludoglot new`: writes a small game that passes `check` and can be played at once, as a template for a new
game."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.yaml.located_yaml import read_yaml
from ..cli.console import CommandError, LocalizedConsole, UsageError
from ..cli.localized_click import argument, command, lang_option, option
from ..errors import unwritable_error
from ..i18n import LANGUAGES
from ..library.find import list_game_ids

TEMPLATE_FOLDER = Path(__file__).parent.parent / "library" / "templates"      # ID stands for the new game's name
GAME_KINDS = ("board", "cards", "dice", "trade")                             # the subfolders
GAME_NAME_PATTERN = re.compile(r"[a-z][a-z0-9-]{0,59}")
WORDS_FILE = "words.yaml"


@command("new")
@argument("name")
@option("--kind", word="kind", default=GAME_KINDS[0])
@lang_option
@click.pass_obj
def new_command(console: LocalizedConsole, name: str, kind: str) -> int:
    folder = Path(name)
    if kind not in GAME_KINDS:
        raise UsageError("new.kind", name=kind, kinds=GAME_KINDS, meant=did_you_mean(kind, GAME_KINDS, LENIENT_CUTOFF))
    if not GAME_NAME_PATTERN.fullmatch(folder.name) or folder.name in list_game_ids():
        raise UsageError("new.name", name=folder.name)
    if folder.exists():
        raise CommandError("new.exists", file=str(folder))
    try:
        write_new_game(folder, kind)
    except OSError as error:
        raise unwritable_error(CommandError, folder, error) from error
    console.print_message("new.made", folder=str(folder))
    for deed in ("check", "play", "test", "simulate"):
        console.print_line(f"  ludoglot {deed} {folder}")
    return 0


def write_new_game(folder: Path, kind: str) -> None:
    """Writes the files of a new game of one of GAME_KINDS, with its texts in every language."""
    from ..i18n.catalogue import update_catalogues
    from ..i18n.message_sources import game_domain
    template = TEMPLATE_FOLDER / kind
    for path in sorted(template.rglob("*")):
        if path.is_file() and path.name != WORDS_FILE:
            target = folder / str(path.relative_to(template)).replace("ID", folder.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(read_text(path).replace("ID", folder.name), encoding="utf-8", newline="\n")
    words = read_yaml(template / WORDS_FILE, DiagnosticList())
    assert words is not None
    translations = {lang: {key: as_plural_forms(text[lang]) for key, text in words.data.items() if lang in text} for lang in LANGUAGES}
    update_catalogues(game_domain(folder, DiagnosticList()), LANGUAGES, translations)


def as_plural_forms(text: str | dict[str, str]) -> str | tuple[str, ...]:
    """Returns a text as catalogues have it: `{one: …, other: …}` becomes a tuple."""
    return text if isinstance(text, str) else (text["one"], text["other"])

"""Commands about files: `schema` prints a JSON Schema, `fmt` lays out rule files."""

from __future__ import annotations

import os
from errno import EINVAL
from pathlib import Path

import click

from ...dsl.diagnostics.safe_read import read_text
from ..cli.console import Refusal, Usage, Voice, language_called
from ..cli.localized_click import argument, command, lang_option, option
from ..i18n.languages import SOURCE, own_names
from ..i18n.user_input import near

HOUSE = "house"                      # the schema that there is also for one game
SCHEMAS = Path(__file__).resolve().parent.parent.parent / "dsl" / "schemas"


@command("schema")
@argument("name", required=False)
@argument("game", required=False)
@lang_option
@click.pass_obj
def schema_command(voice: Voice, name: str | None, game: str | None) -> int:
    known = sorted(path.stem for path in SCHEMAS.glob("*.json"))
    if name is None:
        for one in known:
            voice.out(one)
        return 0
    if name not in known:
        raise Usage("schema.unknown", name=name, known=known, meant=near(name, known))
    from ...dsl.yaml.schema import bundled
    if game is not None and name != HOUSE:
        raise Usage("schema.game", name=name)
    if game is None:
        voice.data(bundled(name))
        return 0
    from ..cli.loading import load_game
    from ..project.pack_schema import house_schema
    voice.data(house_schema(load_game(voice, game), voice.lang))
    return 0


@command("fmt")
@argument("paths", nargs=-1, required=True)
@option("--check", is_flag=True)
@option("--keywords", word="lang")
@lang_option
@click.pass_obj
def fmt_command(voice: Voice, paths: tuple[str, ...], check: bool, keywords: str | None) -> int:
    """Lay out rule files; with --check only name those that are not laid out. `keywords`: the language whose words they shall have."""
    found = files_in(paths)
    from ...dsl.diagnostics.diagnostic import Findings, Refused
    from ...dsl.syntax.format import format_text
    from ...dsl.syntax.parse import parse
    from ..cli.loading import show_findings
    wanted = language_called(keywords) if keywords is not None else SOURCE
    changed = failed = 0
    for path in found:
        try:
            source = read_text(path)
            language = SOURCE if keywords is None else spoken_in(source, str(path))
            findings = Findings()
            parse(source, str(path), findings, language)
            if findings.errors:                                    # what cannot be read is left as it is
                show_findings(voice, findings.sorted())
                failed += 1
                continue
            laid = format_text(source, str(path)) if language == wanted == SOURCE else respelled(source, str(path), language, wanted)
            if laid == source:
                continue
            changed += 1
            voice.out(str(path))
            if not check:
                path.write_text(laid, encoding="utf-8", newline="\n")
        except Refused as error:
            show_findings(voice, error.findings.sorted())
            failed += 1
        except UnicodeDecodeError:
            raise Refusal("file.unreadable", file=str(path), reason="UTF-8") from None
        except OSError as error:
            raise Refusal("file.unwritable", file=str(path), reason=error.strerror or "") from error
    return 1 if failed or check and changed else 0


def spoken_in(source: str, path: str) -> str:
    """The language whose words rules are written in; English where they cannot be read in any."""
    from ...dsl.syntax.translate_keywords import spoken
    return spoken(source, path, (code for code in own_names() if code != SOURCE)) or SOURCE


def respelled(source: str, path: str, language: str, wanted: str) -> str:
    """Rules with the words of another language. Raises Refusal where a name of theirs is such a word."""
    from ...dsl.syntax.translate_keywords import respelt
    laid, taken = respelt(source, path, language, wanted)
    if taken:
        raise Refusal("fmt.taken", file=path, names=taken, n=len(taken), language=own_names()[wanted])
    return laid


def files_in(paths: tuple[str, ...]) -> list[Path]:
    """The rule files that were named, and those in folders that were. Raises Usage."""
    out = []
    for name in paths:
        path = Path(name)
        if not path.exists():
            raise Usage("file.missing", file=name)
        if not path.is_dir() and not path.is_file():               # a device or a pipe may have no end
            raise Usage("file.unreadable", file=name, reason=os.strerror(EINVAL))
        out += sorted(path.rglob("*.rules")) if path.is_dir() else [path]
    return out

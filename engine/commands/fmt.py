"""Commands for files: `schema` prints a JSON Schema, `fmt` formats rule files."""

from __future__ import annotations

import os
from errno import EINVAL
from pathlib import Path

import click

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, RulesRejectedError, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ..cli.console import CommandError, LocalizedConsole, UsageError, parse_language
from ..cli.localized_click import argument, command, lang_option, option
from ..errors import unwritable_error
from ..i18n.languages import SOURCE_LANGUAGE, native_language_names

PACK_SCHEMA = "house"                      # the only schema that can be specialized for a game
SCHEMA_FOLDER = Path(__file__).resolve().parent.parent.parent / "dsl" / "schemas"


@command("schema")
@argument("name", required=False)
@argument("game", required=False)
@lang_option
@click.pass_obj
def schema_command(console: LocalizedConsole, name: str | None, game: str | None) -> int:
    known = sorted(path.stem for path in SCHEMA_FOLDER.glob("*.json"))
    if name is None:
        for one in known:
            console.print_line(one)
        return 0
    if name not in known:
        raise UsageError("schema.unknown", name=name, known=known, meant=did_you_mean(name, known, LENIENT_CUTOFF))
    from ...dsl.yaml.schema import bundle_schema
    if game is not None and name != PACK_SCHEMA:
        raise UsageError("schema.game", name=name)
    if game is None:
        console.print_json(bundle_schema(name))
        return 0
    from ..cli.loading import load_game
    from ..project.pack_schema import build_pack_schema
    console.print_json(build_pack_schema(load_game(console, game), console.lang))
    return 0


@command("fmt")
@argument("paths", nargs=-1, required=True)
@option("--check", is_flag=True)
@option("--keywords", word="lang")
@lang_option
@click.pass_obj
def fmt_command(console: LocalizedConsole, paths: tuple[str, ...], check: bool, keywords: str | None) -> int:
    """Formats rule files; with `--check` it only lists the files that it would change.

    `keywords` is the language whose keywords the rules get."""
    found = collect_rule_files(paths)
    from ...dsl.syntax.format import format_text
    from ...dsl.syntax.parse import parse
    from ..cli.loading import print_findings
    wanted = parse_language(keywords) if keywords is not None else SOURCE_LANGUAGE
    changed = failed = 0
    for path in found:
        try:
            source = read_text(path)
            language = SOURCE_LANGUAGE if keywords is None else detect_keyword_language(source, str(path))
            findings = DiagnosticList()
            parse(source, str(path), findings, language)
            if findings.errors:                                    # leave files with syntax errors unchanged
                print_findings(console, findings.in_source_order())
                failed += 1
                continue
            overlay = (
                format_text(source, str(path))
                if language == wanted == SOURCE_LANGUAGE
                else translate_source(source, str(path), language, wanted)
            )
            if overlay == source:
                continue
            changed += 1
            console.print_line(str(path))
            if not check:
                path.write_text(overlay, encoding="utf-8", newline="\n")
        except RulesRejectedError as error:
            print_findings(console, error.findings.in_source_order())
            failed += 1
        except UnicodeDecodeError:
            raise CommandError("file.unreadable", file=str(path), reason="UTF-8") from None
        except OSError as error:
            raise unwritable_error(CommandError, path, error) from error
    return 1 if failed or check and changed else 0


def detect_keyword_language(source: str, path: str) -> str:
    """Returns the language whose keywords the rules use; English if no language can read them."""
    from ...dsl.syntax.translate_keywords import detect_language
    return detect_language(source, path, (code for code in native_language_names() if code != SOURCE_LANGUAGE)) or SOURCE_LANGUAGE


def translate_source(source: str, path: str, language: str, wanted: str) -> str:
    """Returns rules with the keywords of another language.

    Raises CommandError if one of their names is such a keyword."""
    from ...dsl.syntax.translate_keywords import translate_rules
    overlay, taken = translate_rules(source, path, language, wanted)
    if taken:
        raise CommandError("fmt.taken", file=path, names=taken, n=len(taken), language=native_language_names()[wanted])
    return overlay


def collect_rule_files(paths: tuple[str, ...]) -> list[Path]:
    """Returns the named rule files and those in the named folders. Raises UsageError."""
    out = []
    for name in paths:
        path = Path(name)
        if not path.exists():
            raise UsageError("file.missing", file=name)
        if not path.is_dir() and not path.is_file():               # a device or a pipe may never end
            raise UsageError("file.unreadable", file=name, reason=os.strerror(EINVAL))
        out += sorted(path.rglob("*.rules")) if path.is_dir() else [path]
    return out

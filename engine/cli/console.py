"""The console: the language of a run, standard output, and standard error.

All output goes through a LocalizedConsole, which removes control characters
(`dsl/diagnostics/sanitize.py`)."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import click

from ...dsl.diagnostics.diagnostic import Diagnostic
from ...dsl.diagnostics.sanitize import SafeText, escape_json, sanitize
from ..errors import MessageError, UsageError
from ..i18n import Localizer, engine_localizer
from ..i18n.languages import PSEUDO_LANGUAGE, native_language_names, parse_language_code, pick_language

if TYPE_CHECKING:
    from ..bots.native import NativeGame


MAX_SCREEN_COLUMNS = 1_000                       # limits for the terminal width
MIN_SCREEN_COLUMNS = 20
ROLE_STYLES = {"error": {"fg": "red", "bold": True}, "warning": {"fg": "yellow", "bold": True}, "mark": {"fg": "red"},
               "place": {"fg": "cyan"}, "help": {"fg": "green"}}


class CommandError(MessageError):
    """Correct usage, but the command cannot do it (exit code 1)."""


class SilentExit(Exception):
    """Exits with a code; everything has been printed already."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class LocalizedConsole:
    """Prints messages in one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.in_menu = False                                       # whether the menu comes back after a game
        self.command_path = "ludoglot"                             # the command that is running, such as `ludoglot packs new`

    @cached_property
    def words(self) -> Localizer:
        return engine_localizer(self.lang)

    def text(self, key: str, /, **args: Any) -> str:
        return self.words.text(key, **args)

    def print_message(self, key: str, /, **args: Any) -> None:
        """Prints a message of the catalogue on standard output."""
        self.print_line(self.text(key, **args))

    def print_line(self, text: str = "") -> None:
        """Prints a line of the result on standard output."""
        print(sanitize(text))

    def print_stderr(self, text: str) -> None:
        """Prints a line on standard error; ignored if that cannot be written."""
        with suppress(OSError, ValueError):
            print(sanitize(text), file=sys.stderr, flush=True)

    def print_json(self, value: Any) -> None:
        """Prints JSON, the same in every language."""
        print(escape_json(json.dumps(value, ensure_ascii=False, indent=2)))

    def print_error(self, key: str, /, **args: Any) -> None:
        self.print_stderr(self.text("cli.error", message=self.words.message(key, **args)))

    @property
    def colour(self) -> bool:
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    @property
    def terminal(self) -> bool:
        """Whether standard output is a terminal that can be drawn on."""
        return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    @property
    def colours(self) -> Literal["standard", "256", "truecolor"] | None:
        """How many colours the terminal supports, or None."""
        if not self.colour:
            return None
        if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
            return "truecolor"
        return "256" if "256" in os.environ.get("TERM", "") else "standard"

    @property
    def utf(self) -> bool:
        """Whether the output supports more than ASCII."""
        return "utf" in (sys.stdout.encoding or "").lower()

    @property
    def screen(self) -> tuple[int, int]:
        """The columns and lines of the terminal."""
        columns, lines = shutil.get_terminal_size((80, 24))
        return max(MIN_SCREEN_COLUMNS, min(columns, MAX_SCREEN_COLUMNS)), max(1, lines)

    @property
    def width(self) -> int:
        return max(MIN_SCREEN_COLUMNS, min(shutil.get_terminal_size((80, 24)).columns, 120))


def render_findings(console: LocalizedConsole, findings: list[Diagnostic], limit: int = 0) -> str:
    """Returns diagnostics with source excerpts, coloured if standard error is a terminal with colours.

    `limit` is the number of diagnostics that are shown in full (default: MAX_SHOWN)."""
    from ...dsl.diagnostics.render import MAX_SHOWN, render_all
    if not (console.colour and sys.stderr.isatty()):
        return render_all(findings, console.words.diagnostic_text, limit or MAX_SHOWN)
    words = console.words
    return SafeText(render_all(findings, lambda key, /, **args: sanitize(words.diagnostic_text(key, **args)), limit or MAX_SHOWN,
                               paint=paint_role))


def paint_role(role: str, words: str) -> str:
    return click.style(sanitize(words), **ROLE_STYLES.get(role, {}))             # type: ignore[arg-type]


class NativeNotice:
    """Reports on standard error why rules or bots run in Python instead of compiled C, each reason once."""

    def __init__(self, console: LocalizedConsole, games: Sequence[NativeGame]) -> None:
        self.console, self.games = console, games
        self.printed_reasons: set[str] = set()

    def print_reasons(self) -> None:
        """Prints the reasons that are known by now and were not printed before."""
        from ...dsl.backend_c.toolchain import INSTALL_COMMAND
        for reason in dict.fromkeys(native.hindrance for native in self.games):
            if reason and reason not in self.printed_reasons:
                self.printed_reasons.add(reason)
                self.console.print_stderr(self.console.text(f"native.{reason}", command=INSTALL_COMMAND))


def language_from_args(args: list[str]) -> str:
    """Returns the language that the arguments ask for, before they are parsed, so that even usage errors use it.

    Raises UsageError if the language is unknown."""
    wanted: str | None = None
    for n, arg in enumerate(args):
        if arg == "--":
            break
        if arg == "--lang" and n + 1 < len(args):
            wanted = args[n + 1]
        elif arg.startswith("--lang="):
            wanted = arg.removeprefix("--lang=")
    if wanted is not None:
        parse_language(wanted, pseudo=True)
    return pick_language(wanted, os.environ)


def parse_language(name: str, pseudo: bool = False) -> str:
    """Returns the code of an installed language; with `pseudo`, also the pseudo-language that shows untranslated
    texts.

    Raises UsageError."""
    found = parse_language_code(name)
    if found is None or found == PSEUDO_LANGUAGE and not pseudo:
        raise UsageError("usage.language", name=name, languages=", ".join(native_language_names()))
    return found


ASCII_SIGNS = str.maketrans("“”„«»‘’–—−", '"""""\'\'---')


def ascii_fallback(error: UnicodeError) -> tuple[str, int]:
    """Encoding error handler for streams with a small character set: é becomes e, curly quotes become straight ones,
    dashes and the minus sign become hyphens. Anything else becomes ?."""
    assert isinstance(error, UnicodeEncodeError)
    plain = error.object[error.start : error.end].translate(ASCII_SIGNS)
    kept = "".join(c for c in unicodedata.normalize("NFKD", plain) if ord(c) < 128)
    return kept or "?", error.end


def configure_streams() -> None:
    """Configures the standard streams so that encoding errors never raise exceptions.

    Undecodable input bytes are kept (`input_values.py` decodes them). A closed standard input or standard
    error is
    replaced by an empty one."""
    codecs.register_error("ludoglot", ascii_fallback)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")             # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")       # noqa: SIM115
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and "utf" not in (stream.encoding or "").lower():
            stream.reconfigure(errors="ludoglot")
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


__all__ = ["PSEUDO_LANGUAGE", "SilentExit", "CommandError", "UsageError", "LocalizedConsole", "language_from_args", "configure_streams"]

"""The language of this run and its two streams. Nothing is printed but through a Voice, which lets nothing through that is not to be read
(dsl/diagnostics/sanitize.py)."""

from __future__ import annotations

import codecs
import json
import os
import sys
import unicodedata
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from ...dsl.diagnostics.sanitize import escape_json, sanitize
from ..i18n.languages import PSEUDO_LANGUAGE, native_language_names, parse_language_code, pick_language

if TYPE_CHECKING:
    from ..i18n import Localizer


MAX_SCREEN_COLUMNS = 1_000                       # columns of a screen, whatever the environment says
MIN_SCREEN_COLUMNS = 20


class UsageError(Exception):
    """Wrong usage (exit code 2): a message key of the engine's catalogue and its arguments."""

    code = 2

    def __init__(self, key: str, /, **args: Any) -> None:
        super().__init__(key)
        self.key, self.details = key, args


class CommandError(UsageError):
    """Rightly called, but it cannot be done (exit code 1)."""

    code = 1


class SilentExit(Exception):
    """Leave with a code; everything has been said."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class LocalizedConsole:
    """Speaks one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    @cached_property
    def words(self) -> Localizer:
        from ..i18n import engine_localizer
        return engine_localizer(self.lang)

    def text(self, key: str, /, **args: Any) -> str:
        return self.words.text(key, **args)

    def print_message(self, key: str, /, **args: Any) -> None:
        """A sentence of the catalogue, as a result."""
        self.print_line(self.text(key, **args))

    def print_line(self, text: str = "") -> None:
        """A line of result."""
        print(sanitize(text))

    def print_stderr(self, text: str) -> None:
        """A line for people, beside the result. Where nobody can hear it, nobody does."""
        with suppress(OSError, ValueError):
            print(sanitize(text), file=sys.stderr, flush=True)

    def print_json(self, value: Any) -> None:
        """JSON, the same in every language."""
        print(escape_json(json.dumps(value, ensure_ascii=False, indent=2)))

    def print_error(self, key: str, /, **args: Any) -> None:
        self.print_stderr(self.text("cli.error", message=self.format_message(key, **args)))

    def format_message(self, key: str, /, **args: Any) -> str:
        """A sentence; where `meant` holds what was most likely wanted, the suggestion follows."""
        said = self.text(key, **args)
        return f"{said} {self.text('cli.meant', meant=args['meant'])}" if args.get("meant") else said

    @property
    def colour(self) -> bool:
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    @property
    def terminal(self) -> bool:
        """Whether what is said goes to a screen that can be drawn on."""
        return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    @property
    def colours(self) -> Literal["standard", "256", "truecolor"] | None:
        """How many colours the terminal has, or None."""
        if not self.colour:
            return None
        if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
            return "truecolor"
        return "256" if "256" in os.environ.get("TERM", "") else "standard"

    @property
    def utf(self) -> bool:
        """Whether more than ASCII can be shown."""
        return "utf" in (sys.stdout.encoding or "").lower()

    @property
    def screen(self) -> tuple[int, int]:
        """Columns and lines of the terminal."""
        import shutil
        columns, lines = shutil.get_terminal_size((80, 24))
        return max(MIN_SCREEN_COLUMNS, min(columns, MAX_SCREEN_COLUMNS)), max(1, lines)

    @property
    def width(self) -> int:
        import shutil
        return max(MIN_SCREEN_COLUMNS, min(shutil.get_terminal_size((80, 24)).columns, 120))


def language_from_args(args: list[str]) -> str:
    """The language that the arguments ask for, before they are parsed: even usage errors are in it. Raises Usage when it is none of
    ours."""
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
    """A language that is here, by its code; `pseudo`: or the one that shows what no catalogue holds. Raises Usage."""
    found = parse_language_code(name)
    if found is None or found == PSEUDO_LANGUAGE and not pseudo:
        raise UsageError("usage.language", name=name, languages=", ".join(native_language_names()))
    return found


def ascii_fallback(error: UnicodeError) -> tuple[str, int]:
    """An error handler for streams that cannot say everything: é becomes e, the rest ?."""
    assert isinstance(error, UnicodeEncodeError)
    kept = "".join(c for c in unicodedata.normalize("NFKD", error.object[error.start : error.end]) if ord(c) < 128)
    return kept or "?", error.end


def configure_streams() -> None:
    """Let output go on where the terminal's encoding lacks a letter, and input where a byte is none of its letters (inputs.py reads it).
    A stream that was closed is as one that says nothing, or lets everything go."""
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

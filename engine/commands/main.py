"""The command `ludoglot`: one entry, a lazy list of commands, and a guard that lets no traceback through."""

from __future__ import annotations

import os
import sys
from errno import EBADF

import click

from ..cli.console import Quiet, Refusal, Usage, Voice, language_of, ready_streams
from ..cli.input_values import shortened
from ..cli.localized_click import Lazy, lang_option, option, told

# Where each command lies. The order is that of the help page.
COMMANDS = {
    "games": "games", "play": "play", "replay": "replay", "show": "show", "rulebook": "rulebook", "why": "why", "explain": "explain",
    "house": "house", "new": "new", "copy": "copy", "check": "check", "test": "test", "simulate": "simulate", "balance": "balance",
    "count": "count", "trace": "trace", "debug": "debug", "fmt": "fmt", "schema": "fmt", "words": "words", "lsp": "lsp",
}


@click.pass_context
def nothing_asked(ctx: click.Context, version: bool) -> int:
    """Without a command: the version; the menu on a terminal; the help page elsewhere."""
    voice: Voice = ctx.obj
    if version:
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as installed
        try:
            number = installed("ludoglot")
        except PackageNotFoundError:
            number = "0"
        voice.out(f"ludoglot {number}")
        from ...dsl.backend_c import toolchain
        if toolchain.compiler() is not None:
            voice.out(voice.text("version.c", compiler=toolchain.version()))
        else:
            voice.out(voice.text("version.python", command=toolchain.INSTALL) if toolchain.wanted() else voice.text("version.off"))
    elif ctx.invoked_subcommand is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from .menu import menu
            return menu(voice)
        voice.out(ctx.get_help())
    return 0


def make_group() -> Lazy:
    """The group of commands, made anew for each run."""
    group = Lazy(COMMANDS, __package__, name="ludoglot", callback=nothing_asked, invoke_without_command=True)
    for add in (option("-V", "--version", is_flag=True), lang_option):
        add(group)
    return group


def main(args: list[str]) -> int:
    """Run one command line; returns the exit code: 0 fine, 1 findings, 2 wrong usage, 3 internal error."""
    deaf = sys.stdout is None
    if deaf:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")       # noqa: SIM115
    ready_streams()
    voice = Voice("en")
    try:
        try:
            lang = language_of(args)
        except Usage:
            voice = Voice(language_of([]))
            raise
        voice = Voice(lang)
        if deaf:
            raise Refusal("error.output", reason=os.strerror(EBADF))
        for arg in args:
            if "\0" in arg:
                raise Usage("usage.nul", found=shortened(arg))
        result = make_group().main(args=args, prog_name="ludoglot", standalone_mode=False, obj=voice)
        sys.stdout.flush()                                         # what cannot be written shows itself here, not when nobody listens
        return result if isinstance(result, int) else 0
    except Quiet as error:
        return error.code
    except Usage as error:
        voice.error(error.key, **error.details)
        if error.code == 2:
            voice.warn(voice.text("cli.try_help", command=command_of(args)))
        return error.code
    except click.UsageError as error:
        voice.warn(voice.text("cli.error", message=told(error, voice)))
        voice.warn(voice.text("cli.try_help", command=command_of(args)))
        return 2
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        voice.warn(voice.text("error.interrupted"))
        return 130
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")       # noqa: SIM115  the reader of our output has gone; say no more
        return 0
    except OSError as error:                                       # the system refuses: a full disk below the output, a folder closed to us
        reason = error.strerror or type(error).__name__
        if isinstance(error.filename, str | bytes):
            voice.error("file.unreadable", file=os.fsdecode(error.filename), reason=reason)
        else:
            voice.error("error.output", reason=reason)
            sys.stdout = open(os.devnull, "w", encoding="utf-8")   # noqa: SIM115
        return 1
    except Exception as error:
        from ..position.position import RuleError
        if isinstance(error, RuleError):                           # a fault of the rules, not of ours: before the first decision, say
            from ..cli.loading import show_fault
            show_fault(voice, error.diagnostic)
            return 1
        if os.environ.get("LUDOGLOT_DEBUG"):
            raise
        voice.warn(voice.text("error.internal", reason=type(error).__name__))
        return 3


def command_of(args: list[str]) -> str:
    """`ludoglot play --help`, for the hint under a usage error."""
    name = next((arg for arg in args if arg in COMMANDS), None)
    return f"ludoglot {name} --help" if name else "ludoglot --help"


def run() -> None:
    """The console script."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()

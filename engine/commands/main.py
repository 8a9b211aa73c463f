"""The command `ludoglot`: one entry point, a lazily loaded list of commands, and a guard that hides
tracebacks."""

from __future__ import annotations

import gc
import os
import sys
from errno import EBADF

import click

from ..cli.console import CommandError, LocalizedConsole, SilentExit, UsageError, configure_streams, language_from_args
from ..cli.input_values import shorten_value
from ..cli.localized_click import LazyCommandGroup, option, translate_click_error
from ..errors import MessageError

# Module of each command, by heading of the help page and in its order.
COMMAND_GROUPS = {
    "play": {"games": "games", "play": "play", "replay": "replay", "show": "show", "rulebook": "rulebook", "why": "why", "serve": "serve"},
    "change": {"packs": "packs", "copy": "copy"},
    "write": {"new": "new", "check": "check", "test": "test", "trace": "trace", "explain": "explain", "fmt": "fmt"},
    "translate": {"words": "words"},
    "research": {"simulate": "simulate", "balance": "balance", "count": "count"},
    "tools": {"debug": "debug", "schema": "fmt", "lsp": "lsp"},
}
COMMANDS = [name for group in COMMAND_GROUPS.values() for name in group]
COMMAND_ALIASES = {"house": "packs", "perft": "count"}             # an earlier name, the name of the field

# New objects before each garbage collection (Python: 700). Rules are large and live long, so collections find nothing in them.
COLLECTION_THRESHOLD = 50_000


@click.pass_context
def run_without_command(ctx: click.Context, version: bool) -> int:
    """Runs if no command is given: prints the version, opens the menu on a terminal, or prints the help page."""
    console: LocalizedConsole = ctx.obj
    if version:
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as installed
        try:
            number = installed("ludoglot")
        except PackageNotFoundError:
            number = "0"
        console.print_line(f"ludoglot {number}")
        from ...dsl.backend_c import toolchain
        if toolchain.find_compiler() is not None:
            console.print_line(console.text("version.c", compiler=toolchain.compiler_version()))
        else:
            console.print_line(
                console.text("version.python", command=toolchain.INSTALL_COMMAND)
                if toolchain.is_compiling_enabled()
                else console.text("version.off")
            )
    elif ctx.invoked_subcommand is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from .menu import run_menu
            return run_menu(console)
        console.print_line(ctx.get_help())
    return 0


def make_group() -> LazyCommandGroup:
    """Returns a new group of commands for one run."""
    group = LazyCommandGroup(COMMAND_GROUPS, COMMAND_ALIASES, __package__, name="ludoglot", callback=run_without_command)
    option("-V", "--version", is_flag=True)(group)
    return group


def main(args: list[str]) -> int:
    """Runs one command line and returns the exit code.

    0 is success, 1 diagnostics or a refusal, 2 wrong usage, 3 an internal error, 130 an interruption."""
    deaf = sys.stdout is None
    if deaf:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")       # noqa: SIM115
    configure_streams()
    console = LocalizedConsole("en")
    try:
        try:
            lang = language_from_args(args)
        except UsageError:
            console = LocalizedConsole(language_from_args([]))
            raise
        console = LocalizedConsole(lang)
        if deaf:
            raise CommandError("error.output", reason=os.strerror(EBADF))
        for arg in args:
            if "\0" in arg:
                raise UsageError("usage.nul", found=shorten_value(arg))
        result = make_group().main(args=args, prog_name="ludoglot", standalone_mode=False, obj=console)
        sys.stdout.flush()                                         # report write errors here, not at interpreter exit
        return result if isinstance(result, int) else 0
    except SilentExit as error:
        return error.code
    except MessageError as error:
        console.print_error(error.key, **error.params)
        if not isinstance(error, UsageError):
            return 1
        console.print_stderr(console.text("cli.try_help", command=f"{console.command_path} --help"))
        return 2
    except click.UsageError as error:
        console.print_stderr(console.text("cli.error", message=translate_click_error(error, console)))
        console.print_stderr(console.text("cli.try_help", command=f"{console.command_path} --help"))
        return 2
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        console.print_stderr(console.text("error.interrupted"))
        return 130
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")       # noqa: SIM115  the reader of our output has gone
        return 0
    except OSError as error:                                       # for example a full disk or a folder without permission
        reason = error.strerror or type(error).__name__
        if isinstance(error.filename, str | bytes):
            console.print_error("file.unreadable", file=os.fsdecode(error.filename), reason=reason)
        else:
            console.print_error("error.output", reason=reason)
            sys.stdout = open(os.devnull, "w", encoding="utf-8")   # noqa: SIM115
        return 1
    except Exception as error:
        from ..position.position import RuleError
        if isinstance(error, RuleError):                           # a fault in the rules, for example before the first decision
            from ..cli.loading import print_rule_fault
            print_rule_fault(console, error.diagnostic)
            return 1
        if os.environ.get("LUDOGLOT_DEBUG"):
            raise
        console.print_stderr(console.text("error.internal", reason=type(error).__name__))
        return 3


def run() -> None:
    """The entry point of the console script."""
    gc.set_threshold(COLLECTION_THRESHOLD)
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()

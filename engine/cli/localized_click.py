"""Click in the reader's language: help pages and usage errors come from the catalogue.

The summary of a command is the message `cli.<command>`, of a subcommand `cli.<command>.<subcommand>`. The help of
an option is the same key with the option's name behind it or, if it is the same for all commands,
`cli.option.<option>`; `{default}` in it is the default value. The word for a value is `cli.metavar.<word>`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, update_wrapper
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import yaml
from click.core import ParameterSource

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ..i18n.user_input import MAX_DIGITS
from ..i18n.user_input import parse_int as typed_number
from ..lab import MAX_GAME_DECISIONS
from ..position.seeds import Seed, is_secret_seed
from .console import LocalizedConsole, UsageError
from .input_values import shorten_value

if TYPE_CHECKING:                    # older releases of click have no generic ParamType
    NumberType = click.ParamType[int]
    NamesType = click.ParamType[list[str]]
    SeedParam = click.ParamType[Seed]
else:
    NumberType = NamesType = SeedParam = click.ParamType
Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)   # the decorated function or command
Request = TypeVar("Request")
GAME_ARGUMENTS = ("game", "games", "game_or_file")                  # arguments that name a game by its id or its folder


class IntParam(NumberType):
    """An integer parameter of at least `low`, with a limited number of digits."""

    name = "number"

    def __init__(self, low: int | None = None) -> None:
        self.low = low

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number = typed_number(str(value), signed=True)
        if number is None:
            digits = str(value).strip().removeprefix("-")
            if digits.isdecimal() and len(digits) > MAX_DIGITS:
                raise UsageError("usage.number_long", value=shorten_value(str(value)), most=MAX_DIGITS)
            raise UsageError("usage.number", value=shorten_value(str(value)))
        if self.low is not None and number < self.low:
            raise UsageError("cli.too_small", option=param.opts[0] if param else "", found=number, low=self.low)
        return number


class SeedType(SeedParam):
    """An integer, or a secret seed as printed by `play --json`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Seed:
        text = str(value).strip()
        return text if is_secret_seed(text) else IntParam().convert(value, param, ctx)


class CommaList(NamesType):
    """A comma-separated list, such as `human,bot:random`."""

    name = "list"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        return value if isinstance(value, list) else [part.strip() for part in str(value).split(",")]


class CommandOption(click.Option):
    """A click option whose help text is a message of the catalogue. `earlier` is an earlier name that still works."""

    def __init__(self, names: Sequence[str], *args: Any, word: str | None = None, earlier: str | None = None, **kwargs: Any) -> None:
        super().__init__([*names, *([earlier] if earlier else [])], *args, **kwargs)
        self.word = word
        self.current_names = [name for name in self.opts if name != earlier]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        if self.hidden:
            return None
        console: LocalizedConsole = ctx.obj
        names = ", ".join(self.current_names)
        if self.word:
            value = console.text(f"cli.metavar.{self.word}")
            names += f" [{value}]" if getattr(self, "_flag_needs_value", False) else f" {value}"
        path = message_key(ctx).split(".")
        own = [".".join([*path[:n], self.name or ""]) for n in range(len(path), 1, -1)]
        key = next((key for key in own if console.words.has(key)), f"cli.option.{self.name}")
        return names, console.text(key, **({"default": self.default} if isinstance(self.default, str | int) else {}))


def message_key(ctx: click.Context) -> str:
    """Returns the key of a command's messages, such as `cli.packs.new`."""
    names: list[str] = []
    while ctx.parent is not None:
        names.insert(0, ctx.command.name or "")
        ctx = ctx.parent
    return ".".join(["cli", *names])


def option(*names: str, **kwargs: Any) -> Callable[[Decorated], Decorated]:
    """Like `click.option`; `word` names the value in the help text."""
    return click.option(*names, cls=CommandOption, **kwargs)


def argument(name: str, **kwargs: Any) -> Callable[[Decorated], Decorated]:
    if name in GAME_ARGUMENTS:
        kwargs["callback"] = report_local_namesakes
    return click.argument(name, **kwargs)


def report_local_namesakes(ctx: click.Context, param: click.Parameter, value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
    """Prints a note if the working directory has a game with the id of a bundled game. Returns the value unchanged."""
    from ..library.find import has_local_namesake
    for name in [value] if isinstance(value, str) else value or ():
        if has_local_namesake(name):
            ctx.obj.print_stderr(ctx.obj.text("usage.local_game", name=name))
    return value


def lang_option(function: Decorated) -> Decorated:
    """Adds `--lang`. Its value has already been read before parsing (`console.language_from_args`)."""
    return option("--lang", word="lang", expose_value=False)(function)


def json_option(function: Decorated) -> Decorated:
    return option("--json", "as_json", is_flag=True)(function)


def pack_option(function: Decorated) -> Decorated:
    return option("--pack", "pack_sources", earlier="--house", word="path", multiple=True)(function)


def players_option(function: Decorated) -> Decorated:
    return option("--players", type=IntParam(1), word="number")(function)


def setting_option(function: Decorated) -> Decorated:
    return option("--option", "settings", word="setting", multiple=True)(function)


def playing_options(function: Decorated) -> Decorated:
    """Adds the options of commands that play many games: rules, bots, seed, and limit."""
    options = (
        players_option,
        setting_option,
        option("--bots", type=CommaList(), word="list", default="random"),
        option("--seed", type=IntParam(0), word="number", default=1),
        option("--limit", type=IntParam(1), word="number", default=MAX_GAME_DECISIONS),
        pack_option,
    )
    for one in reversed(options):
        function = one(function)
    return function


def jobs_option(function: Decorated) -> Decorated:
    return option("--jobs", type=IntParam(1), word="number", default=1)(function)


def pass_request(request: type[Request]) -> Callable[[Callable[[LocalizedConsole, Request], int]], Callable[..., int]]:
    """Like `click.pass_obj`: passes the console, and all parameters of the command line as one request."""
    def decorate(function: Callable[[LocalizedConsole, Request], int]) -> Callable[..., int]:
        return click.pass_obj(update_wrapper(lambda console, /, **given: function(console, request(**given)), function))
    return decorate


def is_on_command_line(name: str) -> bool:
    """Whether this option was given on the command line, before or after the command."""
    context: click.Context | None = click.get_current_context()
    while context is not None:
        if context.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            return True
        context = context.parent
    return False


@cache
def load_examples() -> dict[str, list[str]]:
    """Returns the examples of help pages by command. They name shipped games, so they are data."""
    found: dict[str, list[str]] = yaml.safe_load(read_text(Path(__file__).with_name("examples.yaml")))
    return found


class LocalizedHelp:
    """Mixin of commands and the group that formats help pages with messages of the catalogue."""

    params: list[click.Parameter]
    name: str | None
    example_key: str = ""                                          # in examples.yaml: `play`, `packs new`

    @property
    def examples(self) -> tuple[str, ...]:
        """The command lines that the help page shows at its end."""
        return tuple(load_examples().get(self.example_key, ()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj.command_path = ctx.command_path
        return super().parse_args(ctx, args)                       # type: ignore[misc, no-any-return]

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        def print_help(inner: click.Context, param: click.Parameter, value: bool) -> None:
            if value and not inner.resilient_parsing:
                inner.obj.print_line(inner.get_help())
                inner.exit()
        return CommandOption(["-h", "--help"], is_flag=True, is_eager=True, expose_value=False, callback=print_help)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        console: LocalizedConsole = ctx.obj
        pieces = [console.text("cli.metavar.options")]
        for param in self.params:
            if isinstance(param, click.Argument):
                word = console.text(f"cli.metavar.{param.name}")
                pieces.append((word if param.required else f"[{word}]") + ("..." if param.nargs != 1 else ""))
        if isinstance(self, click.Group):
            pieces.append(console.text("cli.metavar.command"))
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=console.text("cli.usage") + " ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(ctx.obj.text(message_key(ctx) if ctx.parent else "cli.about"))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = [record for param in self.get_params(ctx)                           # type: ignore[attr-defined]
                   if isinstance(param, click.Option) and (record := param.get_help_record(ctx)) is not None]
        if records:
            with formatter.section(ctx.obj.text("cli.options")):
                formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section(ctx.obj.text("cli.examples")):
                formatter.write("".join(f"{'':{formatter.current_indent}}{example}\n" for example in self.examples))
        if isinstance(self, click.Group):
            formatter.write_paragraph()
            formatter.write_text(ctx.obj.text("cli.more_help", command=f"{ctx.command_path} {ctx.obj.text('cli.metavar.which')} --help"))


class LocalizedCommand(LocalizedHelp, click.Command):
    """A command with localized help. Extra arguments raise a localized UsageError."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", {})["allow_extra_args"] = True
        super().__init__(*args, **kwargs)
        self.example_key = self.name or ""

    def invoke(self, ctx: click.Context) -> Any:
        if ctx.args:
            raise UsageError("cli.extra", found=" ".join(ctx.args))
        return super().invoke(ctx)


def command(name: str) -> Callable[[Any], LocalizedCommand]:
    """Makes a function a command."""
    return click.command(name, cls=LocalizedCommand)


class LocalizedGroup(LocalizedHelp, click.Group):
    """A command with subcommands, each with a help page of its own."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(name, **{"invoke_without_command": True, "callback": self.refuse_missing_action, **kwargs})
        self.example_key = name
        lang_option(self)

    def action(self, name: str) -> Callable[[Any], LocalizedCommand]:
        """Makes a function a subcommand."""
        def decorate(function: Any) -> LocalizedCommand:
            self.add_command(made := command(name)(function))
            made.example_key = f"{self.name} {name}"
            return made
        return decorate

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def refuse_missing_action(self) -> None:
        """Raises UsageError if no subcommand is given."""
        if click.get_current_context().invoked_subcommand is None:
            raise UsageError("cli.no_action", actions=list(self.commands))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in self.commands and not args[0].startswith("-"):
            meant = did_you_mean(args[0], self.commands, LENIENT_CUTOFF)
            raise UsageError("cli.no_such_action", name=args[0], actions=list(self.commands), meant=meant)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        with formatter.section(ctx.obj.text("cli.commands")):
            formatter.write_dl([(name, ctx.obj.text(f"{message_key(ctx)}.{name}")) for name in self.commands])


def expand_aliases(args: list[str]) -> list[str]:
    """Returns a command line in which `help`, `help COMMAND`, and `version` are replaced by the equivalent flags."""
    at = 2 if args[:1] == ["--lang"] else 1 if args and args[0].startswith("--lang=") else 0
    before, word, rest = args[:at], args[at : at + 1], args[at + 1 :]
    if word == ["help"]:
        return [*before, *([] if rest[:1] in (["help"], ["version"]) else rest), "--help"]
    if word == ["version"]:
        return [*before, "--version", *rest]
    return args


class LazyCommandGroup(LocalizedGroup):
    """The group of all commands; only the module of the called command is imported.

    `sections` has the module of each command within `package`, by heading of the help page. `aliases` maps further
    names to commands."""

    def __init__(self, sections: dict[str, dict[str, str]], aliases: dict[str, str], package: str | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.sections, self.aliases, self.package = sections, aliases, package
        self.table = {name: module for section in sections.values() for name, module in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, expand_aliases(args))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = self.aliases.get(cmd_name, cmd_name)
        if cmd_name not in self.table:
            return None
        module = import_module(f".{self.table[cmd_name]}", self.package)
        found: LocalizedCommand = getattr(module, f"{cmd_name}_command")
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in (*self.table, *self.aliases) and not args[0].startswith("-"):
            raise UsageError("cli.no_such_command", name=args[0], meant=did_you_mean(args[0], self.table, LENIENT_CUTOFF))
        _, found, rest = click.Group.resolve_command(self, ctx, args)
        return found and found.name, found, rest                   # not the alias that was typed

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        LocalizedHelp.format_options(self, ctx, formatter)
        width = max(map(len, self.table))                          # one column for all sections
        for heading, names in self.sections.items():
            with formatter.section(ctx.obj.text(f"cli.group.{heading}")):
                formatter.write_dl([(name.ljust(width), ctx.obj.text(f"cli.{name}")) for name in names])


def translate_click_error(error: click.UsageError, console: LocalizedConsole) -> str:
    """Returns the localized message of a click usage error."""
    if isinstance(error, click.NoSuchOption):
        known = [opt for param in (error.ctx.command.params if error.ctx else [])
                 for opt in (param.current_names if isinstance(param, CommandOption) else param.opts) if opt.startswith("--")]
        meant = did_you_mean(error.option_name, known, LENIENT_CUTOFF)
        return console.words.message("cli.no_such_option", option=error.option_name, meant=meant)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        name = console.text(f"cli.metavar.{error.param.name}") if isinstance(error.param, click.Argument) else error.param.opts[0]
        return console.text("cli.missing", name=name)
    if isinstance(error, click.BadOptionUsage):
        params = error.ctx.command.params if error.ctx else []
        flag = any(isinstance(p, click.Option) and p.is_flag and error.option_name in p.opts for p in params)
        return console.text("cli.takes_no_value" if flag else "cli.needs_value", option=error.option_name)
    return console.text("cli.wrong_usage")

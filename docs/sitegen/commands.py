"""Builds the reference of the command line: one page for each command, from its help texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import click
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.commands.main import make_group
from ludoglot.engine.library.find import list_game_ids

from .markdown import escape_cell, escape_text, table
from .staging import DOCS, ROOT, Stage

FOLDER = "reference/commands"
MAX_EXAMPLES = 6
EXAMPLE = re.compile(r"^(?:\$ )?(ludoglot [a-z]+.*?)(?:\s{2,}# ?(.*)|\s+# (.*))?$")


def add_pages(stage: Stage) -> None:
    """Adds the pages of all commands and their index."""
    group = make_group()
    context = click.Context(group, info_name="ludoglot", obj=LocalizedConsole("en"))
    rows = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context, obj=context.obj)
        stage.add(f"{FOLDER}/{name}.md", command_page(name, command, inner))
        rows.append([f"[`{name}`]({name}.md)", escape_cell(summary(inner))])
    aliases = [[f"`{alias}`", f"[`{name}`]({name}.md)"] for alias, name in group.aliases.items()]
    text = [
        "# Command line", "", "Ludoglot has one program, `ludoglot`. Without a command it opens a menu.", "",
        "```sh", "ludoglot play hex --lang hu", "```", "", table(["command", "what it does"], rows), "## Flags of the program", "",
        flag_table(group, context),
    ]
    if aliases:
        text += ["## Other names", "", "These names still work:", "", table(["name", "command"], aliases)]
    text += ["## Exit codes", "", table(["code", "meaning"], [["0", "success"], ["1", "a finding or a refusal"], ["2", "wrong usage"],
                                                             ["3", "an internal error"], ["130", "you interrupted the program"]])]
    stage.add(f"{FOLDER}/index.md", "\n".join(text))


def command_page(name: str, command: click.Command, context: click.Context) -> str:
    """Returns the page of one command: summary, usage, arguments, flags, subcommands, examples."""
    lines = [f"# ludoglot {name}", "", escape_text(summary(context)), "", *usage(command, context)]
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            found = command.get_command(context, part)
            assert found is not None
            inner = click.Context(found, info_name=part, parent=context, obj=context.obj)
            lines += [f"## ludoglot {name} {part}", "", escape_text(summary(inner)), "", *usage(found, inner), flag_table(found, inner)]
            lines += example_block(getattr(found, "examples", ()), {})
    lines += ["## Flags", "", flag_table(command, context)]
    shown = example_block(getattr(command, "examples", ()), examples().get(name, {}))
    return "\n".join([*lines, *(["## Examples", "", *shown] if shown else [])])


def example_block(own: Iterable[str], found: dict[str, str]) -> list[str]:
    """Returns a block of command lines: those of the help page, or else those that other pages show."""
    lines = dict.fromkeys(own, "") or dict(list(found.items())[:MAX_EXAMPLES])
    wide = max(map(len, lines), default=0)
    rows = [f"{line.ljust(wide)}   # {remark}" if remark else line for line, remark in lines.items()]
    return ["```sh", *rows, "```", ""] if rows else []


def summary(context: click.Context) -> str:
    """Returns the help text of a command."""
    formatter = click.HelpFormatter(width=100_000)
    context.command.format_help_text(context, formatter)
    return " ".join(formatter.getvalue().split())


def usage(command: click.Command, context: click.Context) -> list[str]:
    """Returns the usage line, and the possible values of arguments that have a fixed set."""
    pieces = command.get_usage(context).partition(":")[2].split()
    lines = ["```text", " ".join(pieces), "```", ""]
    for param in command.params:
        if isinstance(param, click.Argument) and isinstance(param.type, click.Choice):
            word = context.obj.text(f"cli.metavar.{param.name}")
            lines += [f"{word} is one of {', '.join(f'`{choice}`' for choice in param.type.choices)}.", ""]
    return lines


def flag_table(command: click.Command, context: click.Context) -> str:
    """Returns the table of the flags of a command."""
    rows = []
    for param in command.get_params(context):
        if isinstance(param, click.Option) and (record := param.get_help_record(context)) is not None:
            names, text = record
            rows.append([f"`{names}`", escape_cell(text), default_of(param, text)])
    return table(["flag", "what it does", "default"], rows)


def default_of(param: click.Option, text: str) -> str:
    """Returns the default value of a flag for its table, or nothing if it has none."""
    if param.is_flag:
        return "off" if param.expose_value else ""
    default = param.default
    if isinstance(default, str | int | float) and not isinstance(default, bool):
        return f"`{default}`"
    found = re.search(r"\(default: ([^)]+)\)", text)
    return escape_cell(found[1]) if found else ""


@cache
def examples() -> dict[str, dict[str, str]]:
    """Returns the command lines in README and the pages, with their remarks, by command.

    Lines with a remark come first, then those with a game that Ludoglot includes.
    """
    shipped = set(list_game_ids())
    found: dict[str, dict[str, str]] = {}
    pages = [ROOT / "README.md", *sorted(path for path in DOCS.rglob("*.md") if not re.search(r"\.(it|es|hu)\.md$", path.name))]
    for page in pages:
        for block in re.findall(r"^```(?:sh|text)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S):
            for line in block.splitlines():
                if match := EXAMPLE.match(line):
                    name = match[1].split()[1]
                    name = make_group().aliases.get(name, name)
                    found.setdefault(name, {}).setdefault(match[1].strip(), (match[2] or match[3] or "").strip())
    def rank(item: tuple[str, str]) -> tuple[bool, bool]:
        return not item[1], shipped.isdisjoint(item[0].split())
    return {name: dict(sorted(lines.items(), key=rank)) for name, lines in found.items()}

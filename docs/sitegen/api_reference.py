"""Builds the reference of the Python API: a page for each public module, from its docstrings. It parses modules without importing them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .markdown import escape_cell, table
from .staging import ROOT, Stage

FOLDER = "reference/api"
PUBLIC = ROOT / "engine" / "front" / "api"
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
ENTRY = re.compile(r"    (\*{0,2}\w+): (.*)")
TITLES = {"": "Load and play games", "pettingzoo": "PettingZoo", "openspiel": "OpenSpiel", "gymnasium": "Gymnasium",
          "grammar": "Grammars of languages"}


def module_names() -> list[str]:
    """Returns the public modules after `ludoglot.api`. The package itself is the empty name."""
    return ["", *sorted(path.stem for path in PUBLIC.glob("*.py") if path.stem != "__init__")]


def add_pages(stage: Stage) -> None:
    """Adds the page of each public module and their index."""
    rows = []
    for name in module_names():
        module = f"ludoglot.api.{name}".rstrip(".")
        page = name or "games"
        names = public_names(name)
        stage.add(f"{FOLDER}/{page}.md", module_page(module, name, names))
        rows.append([f"[`{module}`]({page}.md)", TITLES.get(name, name), ", ".join(f"`{one}`" for one in names)])
    text = ["# Python API", "", "Your programs can load games, play matches, and read everything that a player may see.", "",
            "```python", "from ludoglot.api import load", "", 'match = load("reversi").start(seed=1)', "while not match.over:",
            "    match.play(match.options[0])", "print(match.standing)", "```", "", table(["module", "purpose", "names"], rows)]
    stage.add(f"{FOLDER}/index.md", "\n".join(text))


def public_names(name: str) -> list[str]:
    """Returns the names that a public module promises, in its own order."""
    return exported(source_of(name))


def source_of(name: str) -> Path:
    return PUBLIC / f"{name or '__init__'}.py"


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements of a module, also those in its `with`, `if` and `try` blocks."""
    for node in body:
        yield node
        if isinstance(node, ast.With | ast.If | ast.Try):
            yield from statements([*node.body, *getattr(node, "orelse", [])])


def exported(path: Path) -> list[str]:
    """Returns `__all__` of a module, or the names that it defines."""
    for node in statements(parse(path).body):
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    found = [imported_file(path, node) for node in statements(parse(path).body)
             if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    return exported(found[0]) if found and found[0] else []


def find_definition(path: Path, name: str) -> tuple[Path, ast.AST] | None:
    """Returns the definition of a name and its file. It follows imports."""
    for node in statements(parse(path).body):
        if isinstance(node, Definition) and node.name == name:
            return path, node
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == name for target in node.targets):
            return path, node
        if isinstance(node, ast.ImportFrom):
            original = next((alias.name for alias in node.names if (alias.asname or alias.name) == name), None)
            source = imported_file(path, node) if original or node.names[0].name == "*" else None
            if source is not None and (found := find_definition(source, original or name)) is not None:
                return found
    return None


def imported_file(path: Path, node: ast.ImportFrom) -> Path | None:
    """Returns the file of the project that an import names."""
    if node.level:
        folder = path.parents[node.level - 1]
        target = folder.joinpath(*(node.module or "").split("."))
    elif (node.module or "").startswith("ludoglot.api"):
        target = PUBLIC.joinpath(*(node.module or "").split(".")[2:])
    elif (node.module or "").startswith("ludoglot."):
        target = ROOT.joinpath(*(node.module or "").split(".")[1:])
    else:
        return None
    return next((file for file in (target.with_suffix(".py"), target / "__init__.py") if file.is_file()), None)


def module_page(module: str, name: str, names: list[str]) -> str:
    """Returns the page of a module: its docstring, then each name."""
    found = {one: where for one in names if (where := find_definition(source_of(name), one)) is not None}
    about = ast.get_docstring(parse(source_of(name))) or ""
    imports = [node for node in statements(parse(source_of(name)).body)
               if isinstance(node, ast.ImportFrom) and {alias.name for alias in node.names} & set(names)]
    origin = imported_file(source_of(name), imports[0]) if imports else None
    longer = ast.get_docstring(parse(origin)) or "" if origin else ""
    lines = [f"# {module}", "", docstring(max(about, longer, key=len)), ""]
    for one, (_, node) in found.items():
        lines += definition(one, node)
    return "\n".join(lines)


def definition(name: str, node: ast.AST) -> list[str]:
    """Returns the section of a class, a function or a value."""
    if isinstance(node, ast.ClassDef):
        return class_section(name, node)
    if isinstance(node, ast.FunctionDef):
        return [f"## {name}()", "", "```python", signature(node, name), "```", "", docstring(ast.get_docstring(node) or ""), ""]
    return [f"## {name}", "", "```python", ast.unparse(node), "```", ""]


def class_section(name: str, node: ast.ClassDef) -> list[str]:
    """Returns the section of a class: fields and properties as a table, methods one by one."""
    lines = [f"## {name}", "", docstring(ast.get_docstring(node) or ""), ""]
    rows = []
    methods: list[ast.FunctionDef] = []
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and not part.target.id.startswith("_"):
            rows.append([f"`{part.target.id}`", f"`{ast.unparse(part.annotation)}`", ""])
        elif isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
            kinds = {ast.unparse(one) for one in part.decorator_list}
            if kinds & {"property", "cached_property", "functools.cached_property"}:
                about = escape_cell(ast.get_docstring(part) or "")
                rows.append([f"`{part.name}`", f"`{ast.unparse(part.returns)}`" if part.returns else "", about])
            elif not any(kind.endswith(".setter") for kind in kinds):
                methods.append(part)
    if rows:
        lines += [table(["attribute", "type", "meaning"], rows)]
    for method in methods:
        lines += [f"### {name}.{method.name}()", "", "```python", signature(method, method.name), "```", "",
                  docstring(ast.get_docstring(method) or ""), ""]
    return lines


def signature(node: ast.FunctionDef, name: str) -> str:
    """Returns a call with its parameters, types and defaults, on several lines if it is long."""
    parts = [part for part in split_parameters(ast.unparse(node.args)) if part not in ("self", "cls")]
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{name}({', '.join(parts)}){result}"
    return line if len(line) <= 88 else f"{name}(\n    " + ",\n    ".join(parts) + f",\n){result}"


def split_parameters(text: str) -> list[str]:
    """Returns the parameters of a signature. Commas within brackets do not count."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[({") - (letter in "])}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def entry_list(rows: list[str]) -> str:
    """Returns the arguments or attributes of a docstring as a list. Lines with more indentation continue an entry."""
    out: list[str] = []
    for row in rows:
        if found := ENTRY.match(row):
            out.append(f"- `{found[1]}`: {found[2]}")
        else:
            out[-1] += f" {row.strip()}"
    return "\n".join(out)


def docstring(text: str) -> str:
    """Returns a docstring as Markdown: indented paragraphs are code."""
    out: list[str] = []
    for part in re.split(r"\n{2,}", text):
        rows = part.split("\n")
        if part.startswith("    "):
            body = [row.removeprefix("    ") for row in rows]
            if out and out[-1].endswith("\n```"):
                out[-1] = out[-1].removesuffix("\n```") + "\n\n" + "\n".join(body) + "\n```"
            else:
                out.append("\n".join(["```python", *body, "```"]))
        elif len(rows) > 1 and re.match(r"[A-Z]\w+:$", rows[0]) and ENTRY.match(rows[1]):
            out += [f"**{rows[0]}**", entry_list(rows[1:])]
        elif len(rows) > 1 and rows[1].startswith("    "):         # a line that introduces an example
            out += [rows[0], "\n".join(["```python", *(row.removeprefix("    ") for row in rows[1:]), "```"])]
        else:
            out.append(part)
    return "\n\n".join(out)

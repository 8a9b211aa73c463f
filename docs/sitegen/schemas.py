"""Builds the reference of the YAML files: one page for each JSON schema."""

from __future__ import annotations

import json
from typing import Any

import yaml

from .markdown import escape_cell, table
from .staging import ROOT, Stage

FOLDER = "reference/files"
SCHEMAS = ROOT / "dsl" / "schemas"
# The files that a schema describes, and where they are in a game folder.
FILES = {
    "game": "`game.yaml`, the main file of a game", "data": "the YAML files that `game.yaml` lists under `data`, for example `cards.yaml`",
    "messages": "`messages.yaml`, the texts of a game", "clauses": "`clauses.yaml`, the clauses of its rulebook",
    "table": "`table.yaml`, the table on the screen", "notation": "`notation.yaml`, the notation of moves and positions",
    "scenario": "the scenario tests in `tests/`", "lexicon": "the noun forms in `locale/LANGUAGE/lexicon/`",
    "equivalent": "`equivalent.yaml`, mutations that change nothing", "house": "a pack of house rules",
}
Node = dict[str, Any]


def schema_names() -> list[str]:
    """Returns the names of all schemas, in the order of the index."""
    names = [path.stem for path in sorted(SCHEMAS.glob("*.json"))]
    return sorted(names, key=lambda name: list(FILES).index(name) if name in FILES else len(FILES))


def add_pages(stage: Stage) -> None:
    """Adds the page of each schema and their index."""
    rows = []
    for name in schema_names():
        schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
        stage.add(f"{FOLDER}/{name}.md", SchemaPage(name, schema).text())
        rows.append([f"[{name}]({name}.md)", FILES.get(name, escape_cell(schema.get("description", "")))])
    text = ["# YAML files", "", "A game is a folder of YAML files and rule files. These pages list the keys of each YAML file.", "",
            table(["page", "file"], rows),
            "Your editor can check the files while you type. `ludoglot schema game` prints the JSON schema of a file.", ""]
    stage.add(f"{FOLDER}/index.md", "\n".join(text))


def keys_of(name: str) -> set[str]:
    """Returns all keys in a schema, at any depth."""
    def collect(node: Any) -> set[str]:
        if isinstance(node, list):
            return set().union(*map(collect, node))
        if not isinstance(node, dict):
            return set()
        own = {key for key, value in node.get("properties", {}).items() if is_described(value)}
        return own.union(*map(collect, node.values()))
    return collect(json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8")))


class SchemaPage:
    """The page of one schema: a table for its own keys, then one for each object inside it."""

    def __init__(self, name: str, schema: Node) -> None:
        self.name, self.schema = name, schema
        self.waiting: list[tuple[str, Node]] = []                  # sections to write: heading, node
        self.known: dict[str, str] = {}                            # definitions that have a section
        self.active: set[str] = set()                              # definitions on the current path, because some contain themselves

    def text(self) -> str:
        """Returns the page as Markdown."""
        lines = [f"# {self.name}: YAML file", "", f"This page lists the keys of {FILES.get(self.name, f'`{self.name}`')}.", ""]
        if about := self.schema.get("description"):
            lines += [sentence(about), ""]
        lines += self.section(self.schema, "")
        while self.waiting:
            heading, node = self.waiting.pop(0)
            lines += [f"## {heading}", ""]
            if about := node.get("description"):
                lines += [sentence(about), ""]
            lines += self.section(node, heading)
        return "\n".join(lines)

    def section(self, node: Node, path: str) -> list[str]:
        """Returns the table of the keys of an object, or of the entries of a mapping or a list."""
        rows = [self.row(key, value, path, key in node.get("required", [])) for key, value in self.properties(node).items()]
        for pattern, value in {**node.get("patternProperties", {}), **self.free_keys(node)}.items():
            rows.append(self.row(pattern, value, path, False))
        variants = [found for part in node.get("allOf", []) if (found := part.get("then", {}).get("$ref"))]
        if variants:
            return ["It has the keys of one of these:", "", *(f"- {self.link(ref)}" for ref in variants), ""]
        if not rows:
            return [f"Value: {self.describe(node, path)}.", ""]
        return [table(["key", "value", "meaning"], rows)]

    def properties(self, node: Node) -> Node:
        """Returns the properties of an object, including those of conditions and alternatives."""
        found = dict(node.get("properties", {}))
        for part in [*node.get("allOf", []), *node.get("anyOf", []), *node.get("oneOf", [])]:
            for branch in (part, part.get("then", {}), part.get("else", {})):
                for key, value in branch.get("properties", {}).items():
                    if is_described(value):
                        found.setdefault(key, value)
        return {key: value for key, value in found.items() if isinstance(value, dict)}

    def free_keys(self, node: Node) -> Node:
        """Returns the values of keys that authors choose."""
        more = node.get("additionalProperties")
        if not isinstance(more, dict) or not more:
            return {}
        names = node.get("propertyNames", {})
        word = names["$ref"].rsplit("/", 1)[-1] if "$ref" in names else "name"
        return {f"<{word}>": more}

    def row(self, key: str, node: Node, path: str, required: bool) -> list[str]:
        """Returns the row of a key: its name, its type and default, its description and an example."""
        inner = self.resolve(node)
        value = self.describe(node, f"{path}.{key}" if path else key)
        notes = ["**required**"] if required else []
        if "default" in node:
            notes.append(f"default: `{in_yaml(node['default'])}`")
        about = node.get("description") or inner.get("description") or node.get("title") or ""
        meaning = sentence(about)
        if node.get("examples"):
            example = node["examples"][0]
            meaning += f" Example: `{in_yaml(example) if key.startswith('<') else in_yaml({key: example})[1:-1]}`"
        return [f"`{key}`", ". ".join([value, *notes]), meaning]

    def describe(self, node: Node, path: str) -> str:
        """Returns the type of a value in words. An object with keys gets a section, and a link to the section."""
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[-1]
            inner = self.resolve(node)
            if has_section(inner) or name in self.active:
                return self.link(node["$ref"])
            self.active.add(name)
            try:
                return self.describe(inner, name)
            finally:
                self.active.remove(name)
        if "const" in node:
            return f"`{in_yaml(node['const'])}`"
        if "enum" in node:
            return "one of " + ", ".join(f"`{in_yaml(value)}`" for value in node["enum"])
        if (choices := alternatives(node)) and not node.get("properties"):
            if all(set(choice) == {"required"} for choice in choices):
                return self.own_section(node, path)
            return ", or ".join(dict.fromkeys(self.describe(choice, f"{path}") for choice in choices))
        kind = node.get("type")
        if isinstance(kind, list):
            return " or ".join(WORDS.get(str(one), str(one)) for one in kind)
        if kind == "array" or "items" in node:
            items = node.get("items")
            return f"list of {plural(self.describe(items, path))}" if isinstance(items, dict) else "list"
        if has_section(node):
            return self.own_section(node, path)
        if kind == "object":
            more = node.get("additionalProperties")
            return f"mapping of names to {plural(self.describe(more, path))}" if isinstance(more, dict) and more else "mapping"
        if kind is None:
            return "text" if "pattern" in node else "any value"
        return limits(node, WORDS.get(str(kind), str(kind)))

    def own_section(self, node: Node, path: str) -> str:
        """Returns a link to a section for this object, which has no name in the schema."""
        heading = path.replace("<", "").replace(">", "") or "value"
        if heading not in self.known:
            self.known[heading] = heading
            self.waiting.append((heading, node))
        return f"[{heading}](#{anchor(heading)})"

    def link(self, ref: str) -> str:
        """Returns a link to the section of a definition."""
        name = ref.rsplit("/", 1)[-1]
        if ref not in self.known:
            self.known[ref] = name
            self.waiting.append((name, self.resolve({"$ref": ref})))
        return f"[{name}](#{anchor(name)})"

    def resolve(self, node: Node) -> Node:
        """Returns the definition that a node refers to, or the node itself."""
        while "$ref" in node:
            found: Any = self.schema
            if not node["$ref"].startswith("#/"):
                return node
            for part in node["$ref"][2:].split("/"):
                found = found[part]
            node = found
        return node


WORDS = {"string": "text", "integer": "number", "number": "number", "boolean": "`true` or `false`", "object": "mapping", "array": "list",
         "null": "nothing"}


def is_described(value: Any) -> bool:
    """Whether the schema of a key describes more than the values that a condition requires."""
    return isinstance(value, dict) and not set(value) <= {"const", "enum", "not"}


def alternatives(node: Node) -> list[Node]:
    """Returns the forms that a value may have, if there are several."""
    branches = [node.get("then") or node["if"], node.get("else", {})] if "if" in node else []
    return [*node.get("anyOf", []), *node.get("oneOf", []), *filter(None, branches)]


def has_section(node: Node) -> bool:
    """Whether a value has keys and therefore needs a table."""
    return bool(node.get("properties") or any("then" in part for part in node.get("allOf", [])))


def plural(words: str) -> str:
    """Returns the type of the entries of a list."""
    return {"text": "texts", "number": "numbers", "any value": "any values"}.get(words, words)


def limits(node: Node, words: str) -> str:
    """Returns a type with its smallest and largest value, if it has any."""
    low, high = node.get("minimum"), node.get("maximum")
    if low is not None and high is not None:
        return f"{words} from {low} to {high}"
    return f"{words}, at least {low}" if low is not None else f"{words}, at most {high}" if high is not None else words


def sentence(text: str) -> str:
    """Returns a description as a sentence for a table."""
    shown = escape_cell(text)
    return shown[:1].upper() + shown[1:] + ("" if shown.endswith((".", "`")) or not shown else ".")


def in_yaml(value: Any) -> str:
    """Returns a value in the short form of YAML."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True, sort_keys=False).strip()
    return text.removesuffix("...").strip().replace("`", "'")


def anchor(heading: str) -> str:
    return heading.lower().replace(".", "").replace(" ", "-")

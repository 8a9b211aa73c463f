"""Builds the reference of the diagnostics: a page for each group of codes and each language, with an anchor for each code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from ludoglot.dsl.diagnostics.diagnostic import load_codes
from ludoglot.engine.i18n.localizer import engine_localizer

from .markdown import escape_cell, escape_text, table
from .staging import LANGUAGE_NAMES, Stage

FOLDER = "reference/codes"
TEXTS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "code_groups.yaml").read_text(encoding="utf-8"))


def group_of(code: str) -> str:
    """Returns the group of a code: its letter, and its hundred if the letter has several."""
    return next(name for name in (f"{code[0]}{code[1]}", code[0]) if name in TEXTS["groups"])


def page_of(code: str) -> str:
    """Returns the English page of a code."""
    return f"{FOLDER}/{group_of(code).lower()}.md"


def add_pages(stage: Stage) -> None:
    """Adds the pages of all codes in four languages, and their index."""
    groups: dict[str, list[str]] = {}
    for code in sorted(load_codes()):
        groups.setdefault(group_of(code), []).append(code)
    for lang in LANGUAGE_NAMES:
        ending = ".md" if lang == "en" else f".{lang}.md"
        for group, codes in groups.items():
            stage.add(f"{FOLDER}/{group.lower()}{ending}", group_page(group, codes, lang))
        stage.add(f"{FOLDER}/index{ending}", index_page(groups, lang))


def index_page(groups: dict[str, list[str]], lang: str) -> str:
    """Returns the list of all codes with their messages."""
    lines = [f"# {TEXTS['title'][lang]}", "", TEXTS["about"][lang], ""]
    for group, codes in groups.items():
        page = f"{group.lower()}{'' if lang == 'en' else f'.{lang}'}.md"
        rows = [[f"[{code}]({page}#{code.lower()})", escape_cell(message(code, lang))] for code in codes]
        lines += [f"## {TEXTS['groups'][group][lang]}", "", table([TEXTS["code"][lang], TEXTS["message"][lang]], rows)]
    return "\n".join(lines)


def group_page(group: str, codes: list[str], lang: str) -> str:
    """Returns the page of a group: each code with its message, its note and its explanation."""
    lines = [f"# {group}: {TEXTS['groups'][group][lang]}", ""]
    kind = "rules" if group[0] in "RFW" else "yaml"
    for code in codes:
        explanation = template(f"diagnostic.{code}.explain", lang)
        lines += [f"## {code}", "", f"**{escape_text(message(code, lang))}**", "", *explanation_lines(explanation, kind), ""]
    return "\n".join(lines)


def message(code: str, lang: str) -> str:
    """Returns the message of a code, with its fields as inline code: `{name}`."""
    text = template(f"diagnostic.{code}.message", lang)
    return re.sub(r"`?(\{\w+\})(?:~[\w.]+)?`?", lambda field: f"`{field[1]}`", text)


def template(key: str, lang: str) -> str:
    return str(engine_localizer(lang).template(key)).rstrip()


def explanation_lines(text: str, kind: str) -> list[str]:
    """Returns an explanation as Markdown. Indented paragraphs are examples."""
    out: list[str] = []
    for part in re.split(r"\n{2,}", text):
        if part.startswith(" "):
            rows = part.split("\n")
            cut = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
            body = [row[cut:] for row in rows]
            if out[-2:] == ["```", ""]:                            # an example that contains an empty line
                del out[-2:]
                out += ["", *body, "```", ""]
            else:
                out += [f"```{kind}", *body, "```", ""]
        else:
            out += [escape_text(" ".join(part.split())), ""]
    return out

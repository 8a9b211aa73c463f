"""Prepares the folder that MkDocs reads: copies of the pages of docs/, and the generated pages."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
from pathlib import Path
from typing import Any

import yaml

from .markdown import first_heading, rewrite_page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SETTINGS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "nav.yaml").read_text(encoding="utf-8"))
LANGUAGE_NAMES = {"en": "English", "it": "Italiano", "es": "Español", "hu": "Magyar"}
TRANSLATED = re.compile(r"^(.+)\.(it|es|hu)\.md$")
# A line with links to translations, for readers of the repository.
OWN_LANGUAGE_BAR = re.compile(r"^(?:\[?(?:English|Italiano|Español|Magyar)\]?(?:\([^)\n]*\))?(?: · |$))+\n", re.M)
PICTURES = (".svg", ".png", ".jpg", ".gif", ".webp")
FILE_FENCES = {".rules": "rules", ".yaml": "yaml", ".json": "json", ".py": "python", ".toml": "toml", ".js": "js"}
MAX_SHOWN_FILE = 60_000                                            # characters


class Stage:
    """The pages of the site before MkDocs renders them. Paths are relative to the site, with forward slashes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: dict[str, str] = {}                            # path to text
        self.titles: dict[str, str] = {}
        self.sources: dict[Path, str] = {}                         # file of the repository to its page
        self.waiting: list[tuple[Path, str]] = []                  # linked files that have no page yet

    def add(self, path: str, text: str) -> None:
        """Adds a page, with links to its translations, which are named `page.it.md`."""
        self.pages[path] = text
        self.titles[path] = first_heading(text) or path

    def add_file(self, path: str, content: str | bytes) -> None:
        """Adds a file that MkDocs copies without changes."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)

    def write(self) -> None:
        """Writes all pages into the folder."""
        for path, text in self.pages.items():
            self.add_file(path, _with_language(path, text, self.translations(path)))

    def translations(self, path: str) -> dict[str, str]:
        """Returns the versions of a page by language, or nothing if it exists in English only."""
        base = base_page(path)
        found = {lang: name for lang in LANGUAGE_NAMES if (name := base if lang == "en" else f"{base[:-3]}.{lang}.md") in self.pages}
        return found if len(found) > 1 else {}

    # ------------------------------------------------------------ pages of docs/

    def add_documents(self) -> None:
        """Adds the pages of docs/, those from other folders, and every file that they link to."""
        pages = {path: path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md")) if not _is_hidden(path)}
        pages |= {ROOT / name: page for name, page in SETTINGS["copied"].items() if (ROOT / name).is_file() and not (DOCS / page).is_file()}
        self.sources |= {path: re.sub(r"\bREADME\.md$", "index.md", page) for path, page in pages.items()}
        for path in pages:
            self.add(self.sources[path], self.rewritten(path))
        while self.waiting:
            path, page = self.waiting.pop()
            self.add(page, self.show_file(path))

    def rewritten(self, path: Path) -> str:
        """Returns a page of the repository in the form that MkDocs needs."""
        return rewrite_page(path.read_text(encoding="utf-8"), lambda link: self.link(path, link))

    def link(self, at: Path, target: str) -> str:
        """Returns the target of a link in the file `at`, relative to its page."""
        path, _, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return target
        found = (at.parent / path).resolve()
        if not found.exists() or not found.is_relative_to(ROOT):
            return target                                          # MkDocs reports it
        if found.suffix in PICTURES:
            name = found.relative_to(DOCS if found.is_relative_to(DOCS) else ROOT).as_posix()
            self.add_file(name, found.read_bytes())
            return relative(self.sources[at], name)
        return relative(self.sources[at], self.page_of(found)) + (f"#{anchor}" if anchor else "")

    def page_of(self, path: Path) -> str:
        """Returns the page that shows a file or folder of the repository. A new page is queued until it is written."""
        name = path.relative_to(ROOT).as_posix()
        if path not in self.sources:
            for pattern, page in SETTINGS["shown"].items():
                if fnmatch.fnmatch(name, pattern) and name.count("/") == pattern.count("/"):
                    return str(page).replace("*", path.stem)
            if path.is_dir() and (path / "README.md") in self.sources:
                return self.sources[path / "README.md"]
            self.sources[path] = f"files/{name}{'/index' if path.is_dir() else ''}.md"
            self.waiting.append((path, self.sources[path]))
        return self.sources[path]

    def show_file(self, path: Path) -> str:
        """Returns the page of a file or of a folder."""
        name = path.relative_to(ROOT).as_posix()
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and not _is_hidden(file) and file.suffix != ".mo")
            here = self.sources[path]
            rows = [f"- [{file.relative_to(path).as_posix()}]({relative(here, self.page_of(file))})" for file in inside]
            return "\n".join([f"# {name}/", "", "This folder contains these files:", "", *rows, ""])
        if path.suffix == ".md":
            return self.rewritten(path)
        text = path.read_text(encoding="utf-8")
        cut = text[:MAX_SHOWN_FILE]
        note = "The file is long. This page shows its beginning.\n\n" if len(cut) < len(text) else ""
        fence = "~" * (max(map(len, re.findall(r"~+", cut)), default=2) + 3)
        kind = FILE_FENCES.get(path.suffix, "text")
        return f"# {path.name}\n\nThis is the file `{name}`.\n\n{note}{fence}{kind}\n{cut.rstrip()}\n{fence}\n"


def base_page(path: str) -> str:
    """Returns the English page of a page: `start/play.md` for `start/play.it.md`."""
    found = TRANSLATED.match(path)
    return f"{found[1]}.md" if found else path


def language_of(path: str) -> str:
    """Returns the language of a page."""
    found = TRANSLATED.match(path)
    return found[2] if found else "en"


def relative(page: str, target: str) -> str:
    """Returns the link from one page to another."""
    return os.path.relpath(target, os.path.dirname(page) or ".").replace(os.sep, "/")


def empty_folder(folder: Path) -> Path:
    """Deletes a folder with everything in it, and creates it again."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def language_link(page: str, lang: str, target: str) -> str:
    """Returns a link to the version of a page in a language."""
    return f'[{LANGUAGE_NAMES[lang]}]({relative(page, target)}){{ hreflang="{lang}" lang="{lang}" }}'


def _with_language(path: str, text: str, versions: dict[str, str]) -> str:
    """Returns a page with its language in the header, and links to its translations below its title.

    The search excludes pages that show a file.
    """
    lang = language_of(path)
    if versions:
        links = " · ".join(LANGUAGE_NAMES[other] if page == path else language_link(path, other, page) for other, page in versions.items())
        bar = f'\n<p markdown="span" class="languages">{links}</p>\n'
        text = re.sub(r"^# .*\n", lambda title: title[0] + bar, OWN_LANGUAGE_BAR.sub("", text, count=1), count=1, flags=re.M)
    header = ["search:", "  exclude: true"] if path.startswith("files/") else []
    header += [f"language: {lang}"] if lang != "en" else []
    return "\n".join(["---", *header, "---", "", text]) if header and not text.startswith("---\n") else text


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part in ("__pycache__", "sitegen") for part in path.relative_to(ROOT).parts)

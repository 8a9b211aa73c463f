"""Builds the navigation of the site: the menu of nav.yaml, filled with the existing pages."""

from __future__ import annotations

from typing import Any

from .staging import LANGUAGE_NAMES, SETTINGS, Stage, base_page, language_of

Entry = str | dict[str, Any]


def build_navigation(stage: Stage) -> list[Entry]:
    """Returns the navigation in the form of MkDocs. Each page has one place in it, except pages that show a file."""
    left = {page: None for page in sorted(stage.pages) if not page.startswith("files/") and language_of(page) == "en"}
    left |= {base_page(page): None for page in sorted(stage.pages) if base_page(page) not in stage.pages}
    named = list(_folders_and_pages(SETTINGS["menu"]))
    return [entry for item in SETTINGS["menu"] for entry in _entries(stage, item, left, named)]


def _folders_and_pages(items: list[Any]) -> Any:
    for item in items:
        if isinstance(item, str):
            yield item
        else:
            yield from _folders_and_pages(item if isinstance(item, list) else [part for value in item.values() for part in value])


def _entries(stage: Stage, item: Any, left: dict[str, None], named: list[str]) -> list[Entry]:
    if isinstance(item, list):
        return [entry for part in item for entry in _entries(stage, part, left, named)]
    if isinstance(item, dict):
        title, parts = next(iter(item.items()))
        inside = _entries(stage, parts, left, named)
        if len(inside) == 1 and not isinstance(inside[0], dict):
            return [{title: inside[0]}]
        if len(inside) == 1 and isinstance(inside[0], dict) and isinstance(next(iter(inside[0].values())), str):
            return [{title: next(iter(inside[0].values()))}]
        return [{title: inside}] if inside else []
    pages = _pages_of(item, left, named)
    for page in pages:
        del left[page]
    return [entry for page in pages for entry in _page_entries(stage, page)]


def _pages_of(item: str, left: dict[str, None], named: list[str]) -> list[str]:
    """Returns the pages of an entry that have no place yet. For `./`, these are all pages that no other entry names."""
    if not item.endswith("/"):
        return [item] if item in left else []
    if item == "./":
        found = [page for page in left if not any(page == other or other != "./" and page.startswith(other) for other in named)]
    else:
        deeper = [other for other in named if other != item and other.startswith(item)]
        found = [page for page in left if page.startswith(item) and not any(page.startswith(other) or page == other for other in deeper)]
    first = ["index.md", *SETTINGS["first"].get(item, [])]
    return sorted(found, key=lambda page: (_place(page.removeprefix(item), first), page))


def _place(name: str, first: list[str]) -> int:
    return first.index(name) if name in first else len(first)


def _page_entries(stage: Stage, page: str) -> list[Entry]:
    """Returns a page, or a heading with its versions if it exists in several languages.

    An index is the page of its section, so its other versions get a separate heading.
    """
    title = stage.titles[page]
    versions: list[Entry] = [{LANGUAGE_NAMES[lang]: name} for lang, name in stage.translations(page).items()]
    if not versions:
        return [{title: page}]
    if page.endswith("/index.md") or page == "index.md":
        return [{title: page}, {"Other languages": versions[1:]}]
    return [{title: versions}]

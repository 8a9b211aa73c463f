"""Defines MkDocs hooks: a page in another language has that language in its HTML and in the texts of the theme."""

from __future__ import annotations

from typing import Any

SEARCH = {"en": "Search", "it": "Cerca", "es": "Buscar", "hu": "Keresés"}


def on_page_context(context: dict[str, Any], page: Any, config: Any, nav: Any) -> dict[str, Any]:
    """Sets the language of the theme for the next page."""
    config["theme"]["language"] = page.meta.get("language", "en")
    return context


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Returns the HTML of the page with three changes: English as the menu language, a name for the search, scrolling of code by keys."""
    lang = page.meta.get("language", "en")
    config["theme"]["language"] = "en"
    if lang != "en":
        output = output.replace('<nav class="md-nav md-nav--primary', '<nav lang="en" class="md-nav md-nav--primary')
        output = output.replace('<nav class="md-tabs', '<nav lang="en" class="md-tabs')
    dialog = 'data-md-component="search" role="dialog"'
    output = output.replace(dialog, f'{dialog} aria-label="{SEARCH[lang]}"')
    return output.replace("<pre><span></span><code>", '<pre tabindex="0"><span></span><code>')

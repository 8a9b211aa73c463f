"""MkDocs hooks: a page in another language has that language in its HTML and in the words of the theme."""

from __future__ import annotations

import re
from typing import Any

NAVIGATION = re.compile(r'<(nav class="md-nav md-nav--primary|nav class="md-tabs)')


def on_page_context(context: dict[str, Any], page: Any, config: Any, nav: Any) -> dict[str, Any]:
    """Sets the language of the theme for the page that is rendered next."""
    config["theme"]["language"] = page.meta.get("language", "en")
    return context


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Returns the HTML of the page. The menu stays in English, and blocks of code can be scrolled with the keyboard."""
    config["theme"]["language"] = "en"
    if page.meta.get("language", "en") != "en":
        output = NAVIGATION.sub(r'<\1', output).replace('<nav class="md-', '<nav lang="en" class="md-')
    return output.replace("<pre><span></span><code>", '<pre tabindex="0"><span></span><code>')

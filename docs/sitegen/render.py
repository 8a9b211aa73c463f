"""Runs MkDocs on the staged pages."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build
from mkdocs.config import load_config

from .highlighting import register_rules_lexer
from .navigation import build_navigation
from .staging import LANGUAGE_NAMES, Stage

HERE = Path(__file__).parent
EXTENSIONS: list[Any] = [
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "sane_lists",
    {"toc": {"permalink": True, "toc_depth": 3}},
    {"pymdownx.highlight": {"anchor_linenums": False}},
    "pymdownx.superfences", "pymdownx.details", "pymdownx.inlinehilite",
]

FEATURES = ["navigation.tabs", "navigation.indexes", "navigation.top", "navigation.prune", "search.suggest", "search.highlight",
            "content.code.copy", "toc.follow"]


def palette(scheme: str, name: str, icon: str, other: str) -> dict[str, Any]:
    """Returns the colours of one mode, with the button that changes to the other mode."""
    return {"media": f"(prefers-color-scheme: {scheme})", "scheme": name, "primary": "custom", "accent": "custom",
            "toggle": {"icon": f"material/{icon}", "name": f"Switch to {other} mode"}}


def settings(stage: Stage, out: Path) -> dict[str, Any]:
    """Returns the configuration of MkDocs."""
    from pymdownx.slugs import slugify
    extensions = [one if not isinstance(one, dict) or "toc" not in one else {"toc": {**one["toc"], "slugify": slugify(case="lower")}}
                  for one in EXTENSIONS]
    return {
        "site_name": "Ludoglot",
        "site_description": "A multilingual, declarative rules engine for board games",
        "docs_dir": str(stage.folder), "site_dir": str(out), "use_directory_urls": False,
        "theme": {
            "name": "material", "language": "en", "font": False,
            "features": FEATURES,
            "palette": [palette("light", "default", "weather-night", "dark"), palette("dark", "slate", "weather-sunny", "light")],
            "icon": {"logo": "material/dice-multiple"},
        },
        "plugins": [{"search": {"lang": list(LANGUAGE_NAMES)}}],
        "hooks": [str(HERE / "hooks.py")],
        "markdown_extensions": extensions,
        "extra_css": ["assets/site.css"], "extra": {"generator": False},
        "nav": build_navigation(stage),
        "validation": {"nav": {"omitted_files": "ignore"}, "links": {"anchors": "warn", "unrecognized_links": "warn"}},
    }


def render_site(stage: Stage, out: Path) -> list[str]:
    """Renders the site into a folder and returns the warnings of MkDocs."""
    register_rules_lexer()
    stage.add_file("assets/site.css", (HERE / "site.css").read_bytes())
    heard = Warnings()
    log = logging.getLogger("mkdocs")
    log.addHandler(heard)
    values = settings(stage, out)
    config_file = stage.folder.with_suffix(".yml")
    config_file.write_text("site_name: Ludoglot\n", encoding="utf-8")
    try:
        build(load_config(str(config_file), **values))
    finally:
        config_file.unlink()
        log.removeHandler(heard)
    return heard.lines


class Warnings(logging.Handler):
    """Collects the warnings of MkDocs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

"""Renders the templates. Everything that comes from data or people is escaped; only pictures of boards and QR codes are markup.

No page contains characters that control a screen or turn the direction of writing."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ...dsl.diagnostics.sanitize import sanitize, sanitize_markup
from ..i18n import LANGUAGES, Localizer
from ..i18n.languages import native_language_names
from .qr_code import draw_qr_svg

FOLDER = Path(__file__).resolve().parent
STATIC_FOLDER = FOLDER / "static"


@cache
def template_environment() -> Environment:
    """Returns the templates."""
    found = Environment(loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
                        lstrip_blocks=True, auto_reload=False)
    found.filters["line"] = sanitize
    found.filters["qr"] = draw_qr_svg
    return found


def render_template(template: str, words: Localizer, /, **values: Any) -> str:
    """Returns a page. `words` has its texts, in its language."""
    names = native_language_names()
    return sanitize_markup(template_environment().get_template(template).render(
        t=words.text, lang=words.lang, languages={code: names[code] for code in LANGUAGES}, **values))


def preload_templates() -> None:
    """Loads all templates. So pages need no further files while the server has no free ones."""
    for name in template_environment().list_templates():
        template_environment().get_template(name)

"""The frame of all web pages of Ludoglot, with escaped texts and tables.

A content security policy allows no requests and no scripts except the page's own, whatever names players
have."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from string import Template

from .svg_renderer import sanitize_text

PAGE_TEMPLATE = Template("""<!DOCTYPE html>
<html lang="$lang">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="$policy">
<title>$title</title>
<style>
$style
</style>
</head>
<body>
$body
</body>
</html>
""")
SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render_html_page(lang: str, title: str, style: str, body: str, script: str = "") -> str:
    """Returns a whole page. `title` is escaped. `style`, `body`, and `script` are inserted as they are."""
    policy = SECURITY_POLICY
    if script:
        policy += f"; script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
        body += f"\n<script>{script}</script>"
    return PAGE_TEMPLATE.substitute(lang=lang, policy=policy, title=escape_html(title), style=style.strip("\n"), body=body)


def escape_html(text: str) -> str:
    """Returns a text escaped for HTML, also within attributes."""
    return escape(sanitize_text(text))


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """Returns an HTML table of texts. The first entry of each row is its heading. `kind`: the class of the table, if
    any."""
    top = "".join(f'<th scope="col">{escape_html(head)}</th>' for head in heads)
    body = "".join(f'<tr><th scope="row">{escape_html(row[0])}</th>{"".join(f"<td>{escape_html(entry)}</td>" for entry in row[1:])}</tr>'
                   for row in rows)
    opening = f'<table class="{kind}">' if kind else "<table>"
    return f"{opening}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"

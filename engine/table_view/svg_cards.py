"""Draws cards as SVG: small ones in a line of text, and larger ones for a hand."""

from __future__ import annotations

from rich.cells import cell_len

from .html_page import escape_xml
from .svg_pen import SvgPen
from .view_model import Line, StyledText

CARD_WIDTH, CARD_HEIGHT, CARD_GAP, SMALL_HEIGHT = 46, 64, 6, 19    # in SVG units


def face_text(span: StyledText) -> str:
    """Returns the text that takes the room of a part in a line: the face of a card with its margins, a sign, or words."""
    return f" {span.face} " if span.face else span.sign_with_amount if span.signed else span.words


def draw_small_card(pen: SvgPen, x: float, y: float, span: StyledText, wide: float) -> None:
    """Draws a card in a line of text with this base line."""
    pen.parts.append(
        f'<g><title>{escape_xml(span.words)}</title><rect class="card" x="{x + 1:g}" y="{y - 14.5:g}" width="{wide - 2:.1f}" '
        f'height="{SMALL_HEIGHT}" rx="3"/><text class="{card_ink(pen, span)}" x="{x + wide / 2:.1f}" y="{y:g}" text-anchor="middle">'
        f"{escape_xml(span.face)}</text></g>"
    )


def draw_hand(pen: SvgPen, cards: Line, margin: float) -> None:
    """Draws cards side by side, in as many rows as they need."""
    each = max(1, int((pen.wide - 2 * margin) / (CARD_WIDTH + CARD_GAP)))
    for n, span in enumerate(cards):
        x, y = margin + n % each * (CARD_WIDTH + CARD_GAP), pen.y + n // each * (CARD_HEIGHT + CARD_GAP)
        rank, suit = (span.face.removesuffix(span.shape), span.shape) if span.shape else (span.face, "")
        middle, kind = x + CARD_WIDTH / 2, card_ink(pen, span)
        size = 20 if cell_len(rank) < 4 else 14
        pen.parts.append(
            f'<g><title>{escape_xml(span.words)}</title><rect class="card" x="{x:g}" y="{y:g}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" '
            f'rx="6"/><text class="{kind}" x="{middle:g}" y="{y + 26:g}" text-anchor="middle" font-size="{size}">{escape_xml(rank)}</text>'
            f'<text class="{kind}" x="{middle:g}" y="{y + 54:g}" text-anchor="middle" font-size="26">{escape_xml(suit)}</text></g>'
        )
    pen.reach = max(pen.reach, margin + min(each, len(cards)) * (CARD_WIDTH + CARD_GAP))
    pen.y += -(-len(cards) // each) * (CARD_HEIGHT + CARD_GAP)


def card_ink(pen: SvgPen, span: StyledText) -> str:
    """Returns the CSS class of the signs on a card."""
    colour = pen.theme.colour(span.style)
    return f"k{colour[1:]}" if colour else "on"

"""Fits panels into the lines of a terminal: shorter variants of tables, legends where the codes are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .compact_grid import compact_variants
from .rich_panels import TerminalRenderer
from .view_model import BoardPanel, GridPanel, Panel


def fit_panels(panels: list[Panel], screen: TerminalRenderer, height: int) -> tuple[int, list[str]]:
    """Returns the number of leading panels that fit into `height` lines, and the lines of all panels that fit.

    A panel may be shown in a shorter variant. If the legend of another panel that would explain its codes is
    missing, it gets its full legend, or at least complete headings. If there is no space for those, the
    incomplete headings are removed, because a reader takes a part for the whole. Pictures of pieces lose their legend if
    another panel fits then."""
    seen, out, shown = stack_panels(panels, screen, height)
    if screen.utf and len(shown) < len(panels) and any(map(has_pictures_only, shown)):
        without = stack_panels([screen.cache.get_variant(panel, without_legend, "bare") if has_pictures_only(panel) else panel
                                for panel in panels], screen, height)
        if without[0] >= seen and len(without[2]) > len(shown):
            seen, out, shown = without
    told = {sign.style for panel in shown if not isinstance(panel, GridPanel) and panel.key not in screen.boards.unexplained
            for entries in panel.legend.values() for sign in entries.values()}
    untold = {head for panel in shown if not isinstance(panel, GridPanel)
              for head, entries in panel.whole.items() if any(sign.style not in told for sign in entries.values())}
    if untold:
        forms: list[tuple[Callable[[Panel], Panel], str]] = [
            (with_full_legend, "legend"), (with_full_headings, "headings"),
            (lambda panel: without_headings(panel, untold), repr(sorted(untold)))]
        for form, name in forms:
            changed = [screen.cache.get_variant(panel, form, name) if panel in shown else panel for panel in panels]
            alone = stack_panels(changed, screen, height)
            if alone[0] >= seen and len(alone[2]) >= len(shown):
                return alone[0], alone[1]
    return seen, out


def has_pictures_only(panel: Panel) -> bool:
    """Whether a board shows only single pieces with a shape of their own, which its legend explains."""
    return isinstance(panel, BoardPanel) and panel.is_simple and bool(panel.legend) and all(
        sign.shape for entries in panel.legend.values() for sign in entries.values())


def without_legend(panel: Panel) -> Panel:
    """Returns a panel without its legend."""
    return panel if isinstance(panel, GridPanel) else replace(panel, legend={})


def with_full_legend(panel: Panel) -> Panel:
    """Returns a panel with its full legend."""
    return panel if isinstance(panel, GridPanel) or not panel.whole else replace(panel, legend={
        **panel.whole, **{head: entries for head, entries in panel.legend.items() if head not in panel.whole}})


def with_full_headings(panel: Panel) -> Panel:
    """Returns a panel in which every heading of its legend is complete."""
    return panel if isinstance(panel, GridPanel) or not panel.whole else replace(
        panel, legend={head: panel.whole.get(head, entries) for head, entries in panel.legend.items()})


def without_headings(panel: Panel, without: set[str]) -> Panel:
    """Returns a panel without these headings of its legend."""
    return panel if isinstance(panel, GridPanel) else replace(
        panel, legend={head: entries for head, entries in panel.legend.items() if head not in without})


def stack_panels(panels: list[Panel], screen: TerminalRenderer, height: int) -> tuple[int, list[str], list[Panel]]:
    """Stacks panels without changing their legends.

    Returns the number of leading panels that fit, the lines, and the panels shown."""
    out: list[str] = []
    shown: list[Panel] = []
    seen, whole = 0, True
    todo = [screen.frame_panel(panel) for panel in panels]
    while todo:
        before, waiting = len(todo), [one.panel for one in todo]
        first, rest = todo[0].panel, todo[1:]
        block = screen.to_ansi_lines(screen.pop_shelf(todo))
        if len(out) + len(block) > height and isinstance(first, GridPanel):
            for form in compact_variants(first, height - len(out)):
                tried = [screen.frame_panel(form), *rest]
                less = screen.to_ansi_lines(screen.pop_shelf(tried))
                if len(out) + len(less) <= height:
                    todo, block = tried, less
                    break
        whole = whole and len(out) + len(block) <= height
        if len(out) + len(block) <= height:
            out += block
            shown += [panel for panel in waiting if all(panel is not one.panel for one in todo)]
        seen += (before - len(todo)) * whole
    return seen, out, shown

"""Builds the gallery: a page for each shipped game, with its picture, options, rulebooks and packs."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import yaml
from ludoglot.api import Match, load
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.commands.rulebook import build_rulebook, format_rulebook
from ludoglot.engine.i18n.placeholders import text_placeholders
from ludoglot.engine.library.find import GAME_FILE, RULES_FOLDER, describe_game, list_game_ids
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.table_view.svg_renderer import render_svg

from .markdown import escape_cell, escape_text, table
from .staging import DOCS, LANGUAGE_NAMES, Stage, relative

FOLDER = "games"
PACKS = DOCS / "examples" / "packs"
PICTURE_PLAYERS = 4
MAX_PICTURE_DECISIONS = 100                                        # decisions of random players before the picture


def add_pages(stage: Stage, fast: bool, jobs: int) -> None:
    """Adds the page of each game and the gallery. With `fast`, it leaves out rulebooks and pictures."""
    games = list_game_ids()
    packs = packs_by_game()
    if not fast:
        add_files(stage, games, jobs)
    cards = []
    for game in games:
        entry = GameEntry(game)
        stage.add(f"{FOLDER}/{game}.md", game_page(stage, entry, packs.get(game, []), fast))
        cards.append([f"[{escape_cell(entry.names['en'])}]({game}.md)", entry.players, escape_cell(entry.about)])
    text = ["# Games", "", f"Ludoglot includes {len(games)} games. You can play each of them in four languages, alone or together.", "",
            table(["game", "players", "what it is about"], cards)]
    stage.add(f"{FOLDER}/index.md", "\n".join(text))


class GameEntry:
    """The data of a game for its gallery page: names, description, players and options."""

    def __init__(self, game: str) -> None:
        found = describe_game(RULES_FOLDER / game / GAME_FILE)
        assert found is not None
        self.id, self.data = game, found
        loaded = load(game).loaded
        self.words = loaded.localizer("en")
        self.names = {lang: loaded.localizer(lang).text("game.name") for lang in LANGUAGE_NAMES}
        placeholders = text_placeholders(loaded.game.model)
        self.about = self.words.text("game.text", **placeholders) if self.words.has("game.text") else ""
        low, high = found["players"]
        self.players = str(low) if low == high else f"{low}–{high}"

        def text_or_empty(key: str) -> str:
            return self.words.text(key, **placeholders) if self.words.has(key) else ""
        self.option_text: Callable[[str], str] = text_or_empty


def game_page(stage: Stage, entry: GameEntry, packs: list[dict[str, Any]], fast: bool) -> str:
    """Returns the page of a game."""
    page = f"{FOLDER}/{entry.id}.md"
    lines = [f"# {escape_text(entry.names['en'])}", "", escape_text(entry.about), ""]
    lines += [f"**Players:** {entry.players}. Start a game with this command:", "", "```sh", f"ludoglot play {entry.id}", "```", ""]
    if not fast:
        picture = f"The table of {escape_text(entry.names['en'])} in the middle of a game"
        lines += [f"![{picture}](pictures/{entry.id}.svg){{ .table-picture }}", ""]
    heads = ["language", "name", *([] if fast else ["rulebook"])]
    rows = [[LANGUAGE_NAMES[lang], f'<span lang="{lang}">{escape_cell(name)}</span>',
             *([] if fast else [f'<a href="{entry.id}/rulebook.{lang}.html" hreflang="{lang}">{RULEBOOK[lang]}</a>'])]
            for lang, name in entry.names.items()]
    lines += ["## Names and rulebooks" if not fast else "## Names", "", table(heads, rows)]
    if entry.data["options"]:
        lines += ["## Options", "", "Choose an option with `--option NAME=VALUE`. The default is in bold.", "",
                  table(["option", "what it changes", "values"], [option_row(entry, name) for name in entry.data["options"]])]
    if packs:
        lines += ["## House rules", "", "These example packs change the game:", "",
                  table(["pack", "what it changes"], [pack_row(stage, page, pack) for pack in packs]), "Play with a pack like this:", "",
                  "```sh", f"ludoglot play {entry.id} --pack {packs[0]['path'].relative_to(DOCS.parent).as_posix()}", "```", ""]
    return "\n".join(lines)


RULEBOOK = {"en": "Rulebook", "it": "Regolamento", "es": "Reglamento", "hu": "Szabálykönyv"}


def option_row(entry: GameEntry, name: str) -> list[str]:
    """Returns the row of an option: its name, its text, and its values with their spelling on the command line."""
    option = entry.data["options"][name]
    values = []
    for value in option["values"]:
        typed = str(value).lower() if isinstance(value, bool) else str(value)
        shown = escape_cell(entry.words.option_value_text(name, value))
        text = f"`{typed}`" if shown == typed else f"`{typed}` ({shown})"
        values.append(f"**{text}**" if value == option["default"] else text)
    title = entry.option_text(f"variant.{name}.name")
    about = escape_cell(". ".join(filter(None, [title, entry.option_text(f"variant.{name}.text")])))
    return [f"`{name}`", about, "<br>".join(values)]


def pack_row(stage: Stage, page: str, pack: dict[str, Any]) -> list[str]:
    """Returns the row of a pack: a link to its file, and its text."""
    text = pack.get("text", "")
    about = text.get("en", "") if isinstance(text, dict) else str(text)
    return [f"[{pack['house']}]({relative(page, stage.page_of(pack['path']))})", escape_cell(about)]


def packs_by_game() -> dict[str, list[dict[str, Any]]]:
    """Returns the example packs by their game, each with its path."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted([*PACKS.glob("*.yaml"), *PACKS.glob("*/house.yaml")]):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        found.setdefault(data["for"], []).append({**data, "path": path})
    return found


# ---------------------------------------------------------------- rulebooks and pictures


def add_files(stage: Stage, games: list[str], jobs: int) -> None:
    """Adds the picture and the rulebooks of each game. Several processes share the work."""
    ordered = sorted(games, key=lambda game: -sum(path.stat().st_size for path in (RULES_FOLDER / game).glob("*.*")))   # long work first
    work = [(game, lang) for game in ordered for lang in LANGUAGE_NAMES]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for (game, lang), text in zip(work, pool.map(write_rulebook, *zip(*work, strict=True)), strict=True):
            stage.add_file(f"{FOLDER}/{game}/rulebook.{lang}.html", text)
        for game, text in zip(ordered, pool.map(draw_picture, ordered), strict=True):
            stage.add_file(f"{FOLDER}/pictures/{game}.svg", text)


def write_rulebook(game: str, lang: str) -> str:
    """Returns the rulebook of a game as a web page."""
    return format_rulebook(build_rulebook(LocalizedConsole(lang), game), ".html")


def draw_picture(game: str) -> str:
    """Returns the table in the middle of a game between random players, as SVG. The same game gives the same picture."""
    match, taken = play_random(game, MAX_PICTURE_DECISIONS)
    if match.over:
        match, _ = play_random(game, taken * 2 // 3)
    return render_svg(match.position, Narrator(match.loaded.game, match.loaded.localizer("en")), None)


def play_random(game: str, decisions: int) -> tuple[Match, int]:
    """Returns a match after some random decisions, and the number of decisions."""
    found = describe_game(RULES_FOLDER / game / GAME_FILE)
    assert found is not None
    low, high = found["players"]
    match, rng = load(game, min(max(PICTURE_PLAYERS, low), high)).start(seed=1), random.Random(1)
    taken = 0
    while not match.over and taken < decisions:
        match.play(rng.choice(match.options))
        taken += 1
    return match, taken

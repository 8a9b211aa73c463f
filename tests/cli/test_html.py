"""Checks `replay --html` and `--svg`: a game as one self-contained page, and its table as a picture."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.match.save_file import read_save
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.table_view.replay_frames import BOARD_HEIGHT, PANEL_WIDTH, ReplayFrames
from ludoglot.engine.table_view.svg_renderer import render_svg
from save_fixtures import chained, unchained
from shared_games import shared

from .conftest import LANGUAGES

HOSTILE_NAMES = ["<script>alert(1)</script>", "</script>", "\"'&amp;", "Béla"]


class Page(HTMLParser):
    """Parses a page: `tags` with their attributes, `texts` by the tags around them, scripts, and data."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.feed(text)
        self.close()
        assert self.open == [], f"not closed: {self.open}"
        self.scripts = [words for around, words in self.texts if around and around[-1] == "script"]
        self.game = json.loads(self.scripts[0])

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"{tag} is closed within {self.open}"
        self.open.pop()

    def handle_data(self, data):
        self.texts.append((tuple(self.open), data))

    def inside(self, tag: str) -> str:
        return "".join(words for around, words in self.texts if tag in around)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]

    def step(self, number: int) -> list[tuple[str, list[str]]]:
        """Returns the panels of a step: their titles and parts."""
        kept: list[list[str]] = []
        titles = []
        for title, _, base, front, back, between in self.game["panels"]:
            old = kept[base] if base >= 0 else []
            kept.append([*old[:front], *between, *old[len(old) - back:]])
            titles.append(self.game["titles"][title])
        return [(titles[n], [self.game["parts"][k] for k in kept[n]]) for n in self.game["steps"][number]]


@pytest.fixture(scope="module")
def recorded_games():
    """Caches recorded games by command line. A game of bots with a seed is always the same."""
    return {}


@pytest.fixture
def save_game(ludoglot, tmp_path, recorded_games):
    def play(game, *more, seats="bot:random,bot:random", lines=None):
        path, typed = tmp_path / "game.save", (str(game), seats, *more)
        if typed not in recorded_games:
            assert ludoglot("play", game, "--seats", seats, "--seed", "3", "--save", path, *more).code == 0
            recorded_games[typed] = path.read_text(encoding="utf-8")
        path.write_text("".join(recorded_games[typed].splitlines(keepends=True)[:lines]), encoding="utf-8")
        return path
    return play


@pytest.fixture
def render_page(ludoglot, tmp_path):
    def page(save, *more):
        out = tmp_path / "game.html"
        said = ludoglot("replay", save, "--html", out, *more)
        assert said.code == 0 and (not said.err or "--view" in more and "more than this seat may see" in said.err), said.err
        return Page(out.read_text(encoding="utf-8"))
    return page


def replay_positions(rules, save):
    """Returns the positions of a saved game, and a narrator."""
    setup, lines, _ = read_save(save)
    game = shared(rules / setup.game, setup.players)
    table = MatchTable(game, setup)
    positions = [table.position.copy()]
    for n, line in enumerate(lines, start=1):
        table.retake(line, n)
        positions.append(table.position.copy())
    texts = {key: text for key, (text, _) in game.model.texts.items()}
    return positions, Narrator(game, game_localizer("en", game.ruleset.id, game.ruleset.folder, texts), setup.names)


@pytest.mark.long
def test_the_page_has_each_decision_and_sentence(ludoglot, save_game, render_page):
    save = save_game("connect-four")
    page = render_page(save)
    _, lines, _ = read_save(save)
    assert len(page.game["steps"]) == len(lines) + 1 and page.all("input")[0]["max"] == str(len(lines))
    told = [line.strip() for line in ludoglot("replay", save).out.splitlines() if line.strip()]
    story = page.inside("section")
    assert all(line in story for line in told)
    items = [int(attrs["value"]) for attrs in page.all("li")]
    assert items == list(range(len(lines) + 1))                     # in this game, every decision has a sentence


@pytest.mark.heavy_long
@pytest.mark.parametrize("name", ["breakthrough", "trias", "evolution"])
def test_the_table_of_each_step_matches_its_position(rules, save_game, render_page, name):
    save = save_game(name, lines=60)
    page = render_page(save)
    positions, narrator = replay_positions(rules, save)
    film = ReplayFrames(narrator, None)
    for position in positions:
        film.add(position)
    film.finish()
    for n in range(0, len(positions), 6):
        drawn = render_svg(positions[n], narrator, None, PANEL_WIDTH, BOARD_HEIGHT, film.frames)
        kept = re.findall(r'<rect class="panel"[^>]*/>\n(.*?)\n</g>\n(?=<g transform|</svg>)', drawn, re.DOTALL)
        assert ["\n".join(parts) for _, parts in page.step(n)] == kept


@pytest.mark.long
def test_the_spaces_of_a_board_do_not_move(save_game, render_page):
    page = render_page(save_game("trias"))
    where: dict[str, set[str]] = {}
    for n in range(len(page.game["steps"])):
        for part in dict(page.step(n))["Map"]:
            if found := re.match(r'<g><title>([^:<]*).*?points="([^"]*)"', part):
                where.setdefault(found[1], set()).add(found[2])
    assert len(where) > 20 and all(len(places) == 1 for places in where.values())


@pytest.mark.long
def test_hostile_names_are_only_text(save_game, render_page):
    names = ",".join(HOSTILE_NAMES)
    save = save_game("dominant-species", "--max-rounds", "1", "--names", names, seats=",".join(["bot:random"] * 4), lines=30)
    page = render_page(save)
    assert len(page.scripts) == 2 and "alert" not in page.scripts[1]
    assert all(name in page.inside("header") for name in HOSTILE_NAMES[1:])
    assert all(name in page.inside("li") for name in HOSTILE_NAMES)
    assert not any(key.startswith("on") for _, attrs in page.tags for key in attrs)
    for part in page.game["parts"]:
        ET.fromstring(f"<svg>{part}</svg>")
    policy = next(attrs["content"] for attrs in page.all("meta") if attrs.get("http-equiv"))
    assert "default-src 'none'" in policy and "script-src 'sha256-" in policy


def test_the_policy_allows_only_the_script_of_the_page(save_game, render_page):
    from base64 import b64encode
    from hashlib import sha256
    page = render_page(save_game("tic-tac-toe"))
    policy = next(attrs["content"] for attrs in page.all("meta") if attrs.get("http-equiv"))
    assert f"'sha256-{b64encode(sha256(page.scripts[1].encode()).digest()).decode()}'" in policy


@pytest.mark.long
def test_the_page_fetches_nothing(save_game, render_page):
    page = render_page(save_game("hex"))
    assert not {"link", "img", "iframe", "object", "embed", "base"} & {tag for tag, _ in page.tags}
    for _, attrs in page.tags:
        assert "src" not in attrs and (attrs.get("href") or "#").startswith("#")


@pytest.mark.long
def test_the_page_is_readable_without_scripts(rules, save_game, render_page):
    save = save_game("breakthrough")
    page = render_page(save)
    assert all("open" in attrs for attrs in page.all("details")) and page.inside("noscript").strip()
    assert next(attrs for tag, attrs in page.tags if attrs.get("id") == "controls").keys() >= {"hidden"}
    labels = {words.strip() for around, words in page.texts if "main" in around and "svg" in around}
    positions, _ = replay_positions(rules, save)
    assert {"a1", "h8"} <= labels and positions[-1].over


def test_all_controls_have_labels(save_game, render_page):
    page = render_page(save_game("tic-tac-toe"))
    buttons = page.all("button")
    assert len(buttons) == 5 and all(attrs.get("aria-label") or attrs.get("data-play") for attrs in buttons)
    assert page.all("input")[0]["aria-label"] and all(attrs["aria-label"] for attrs in page.all("svg"))


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_is_translated(save_game, render_page, lang):
    save = save_game("trias", lines=20)
    page, english = render_page(save, "--lang", lang), render_page(save, "--lang", "en")
    assert page.all("html")[0]["lang"] == lang
    words = {"it": "Passo successivo", "es": "Paso siguiente", "hu": "Következő lépés", "en": "Next step"}
    assert words[lang] in [attrs.get("title") for attrs in page.all("button")]
    if lang != "en":
        for tag in ("header", "summary", "noscript", "h2", "button"):
            assert page.inside(tag) != english.inside(tag), tag
        assert page.game["titles"] != english.game["titles"]


@pytest.mark.long
def test_the_page_of_a_finished_game_has_the_standings(ludoglot, save_game, render_page):
    save = save_game("trias")
    end = ludoglot("replay", save).out.splitlines()
    said = render_page(save).inside("section")
    assert all(line in said for line in end[end.index("Final standings"):])
    assert "Final standings" not in render_page(save_game("trias", lines=9)).inside("section")


@pytest.mark.long
def test_a_seat_sees_only_its_own_hand(ludoglot, save_game, render_page):
    save = save_game("evolution", lines=40)
    pages = [render_page(save, "--view", seat) for seat in ("0", "1")] + [render_page(save)]
    hands = [{part for n in range(len(page.game["steps"])) for title, parts in page.step(n) if title == "Hand" for part in parts}
             for page in pages]
    assert hands[0] and hands[1] and hands[0] != hands[1] and not hands[2]
    assert len({page.inside("li") for page in pages}) == 3


@pytest.mark.long
def test_svg_shows_the_last_position(rules, ludoglot, save_game, tmp_path):
    save, out = save_game("hex"), tmp_path / "hex.svg"
    said = ludoglot("replay", save, "--svg", out)
    assert (said.code, said.out.strip()) == (0, f"Wrote {out}.")
    positions, narrator = replay_positions(rules, save)
    assert out.read_text(encoding="utf-8") == render_svg(positions[-1], narrator, None)


def test_pages_combine_with_other_flags(ludoglot, save_game, tmp_path):
    save, page, picture = save_game("tic-tac-toe"), tmp_path / "a.html", tmp_path / "a.svg"
    said = ludoglot("replay", save, "--html", page, "--svg", picture, "--verify")
    assert said.code == 0 and "Every position matches" in said.out and str(page) in said.out and str(picture) in said.out
    assert page.is_file() and ET.parse(picture)
    page.unlink()
    said = ludoglot("replay", save, "--html", page, "--json")
    assert json.loads(said.out)["game"] == "tic-tac-toe" and page.is_file()


def test_unwritable_files_give_a_sentence(ludoglot, save_game, tmp_path):
    save = save_game("tic-tac-toe")
    before = save.read_bytes()
    for option in ("--html", "--svg"):
        for out in (tmp_path, tmp_path / "nowhere" / "a.html", save / "a.html"):
            said = ludoglot("replay", save, option, out)
            assert said.code == 1 and str(out) in said.err and len(said.err.splitlines()) == 1
    link = tmp_path / "link.html"
    link.symlink_to(save)
    for out in (save, os.path.relpath(save), link):
        said = ludoglot("replay", save, "--html", out)
        assert said.code == 2 and "would be overwritten" in said.err
    assert ludoglot("replay", save, "--html", tmp_path / "a", "--svg", tmp_path / "a").code == 2
    assert save.read_bytes() == before and not (tmp_path / "a").exists()


@pytest.mark.parametrize("spoil", ["hash", "option", "json", "empty"])
def test_a_damaged_save_does_not_overwrite_the_page(ludoglot, save_game, tmp_path, spoil):
    save, out = save_game("tic-tac-toe"), tmp_path / "old.html"
    out.write_text("the old page", encoding="utf-8")
    lines = unchained(save)
    if spoil in ("hash", "option"):
        lines[2][spoil] = "0"
    raw = b"" if spoil == "empty" else chained(lines)
    save.write_bytes(raw.replace(b'{"seat"', b"{", 1) if spoil == "json" else raw)
    said = ludoglot("replay", save, "--html", out)
    assert said.code == 1 and len(said.err.splitlines()) == 1 and "wrong inside" not in said.err
    assert out.read_text(encoding="utf-8") == "the old page" and not list(tmp_path.glob(".old*"))


@pytest.mark.long
def test_names_with_invalid_characters_are_written_safely(ludoglot, save_game, render_page, tmp_path):
    save = save_game("hex")
    head, *lines = unchained(save)
    save.write_bytes(chained([{**head, "names": ["\ud800\x00\x1b[31m", "日本語の名前"]}, *lines]))
    assert "日本語の名前" in render_page(save).inside("header")
    assert ludoglot("replay", save, "--svg", tmp_path / "a.svg").code == 0 and ET.parse(tmp_path / "a.svg")


def test_hostile_texts_of_a_game_are_only_text(ludoglot, orchard, save_game, render_page):
    hostile = "</script><script>alert(2)</script><!--"
    (orchard / "table.yaml").write_text("panels: [{table: Player, name: keepers, columns: [apples]}]\n", encoding="utf-8")
    (orchard / "messages.yaml").write_text(f"panel.keepers: '{hostile}'\ndid.game.card: '{hostile} {{card}}'\n", encoding="utf-8")
    page = render_page(save_game(orchard))
    assert len(page.scripts) == 2 and "alert" not in page.scripts[1]
    assert page.game["titles"] == [hostile] and hostile in page.inside("li")


@pytest.mark.long
def test_a_long_game_is_a_small_page(ludoglot, save_game, tmp_path):
    save, out = save_game("dominant-species", "--seed", "7", seats=",".join(["bot:greedy"] * 4)), tmp_path / "long.html"
    assert ludoglot("replay", save, "--html", out).code == 0
    assert len(read_save(save)[1]) > 700 and out.stat().st_size < 5_000_000

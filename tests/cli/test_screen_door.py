"""Checks that hostile names, messages, catalogues, saves and rule files appear on screens as harmless text, with every character
visible.
"""

from __future__ import annotations

import json
import re
import unicodedata
import xml.etree.ElementTree as ET

import pytest
from ludoglot.dsl.diagnostics.sanitize import escape_json, sanitize
from save_fixtures import chained, unchained

TITLE, CLEAR, TURN, C1 = "\x1b]0;owned\x07", "\x1b[2J\x1b[3J", "\u202elive\u2066", "\x9b31m\x90"
EVIL = f"{TITLE}x{CLEAR}{TURN}{C1}\x7f\r\x08"
IN_YAML = EVIL.translate({ord(c): f"\\u{ord(c):04x}" for c in EVIL if not c.isprintable() or c in "\u202e\u2066"})
STYLES = re.compile(r"\x1b\[[0-9;]*m")


def harmful(text):
    return sorted({f"U+{ord(c):04X}" for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")})


@pytest.fixture
def evil(orchard):
    """Creates a game in which every text is hostile."""
    path = orchard / "game.yaml"
    text = path.read_text(encoding="utf-8")
    for old in ("name: Orchard", "name: player", "name: ann", "name: bea", "name: Harvest", "name: Rest"):
        key, name = old.split(": ")
        text = text.replace(old, f'{key}: "{name}{IN_YAML}"')
    path.write_text(text.replace("Take {apples} apples.", f"Take {{apples}} {IN_YAML}."), encoding="utf-8")
    (orchard / "messages.yaml").write_text(f'ask.game.card: "Which? {IN_YAML}"\ndid.game.card: "{{who}} {IN_YAML} {{card}}"\n'
                                           f'state.apples: "apples {IN_YAML}"\n', encoding="utf-8")
    (orchard / "clauses.yaml").write_text(f'a1: "A clause {IN_YAML}"\n', encoding="utf-8")
    (orchard / "tests").mkdir()
    scenario = f'- scenario: "odd {IN_YAML}"\n  setup: {{apples: {{"ann{IN_YAML}": 1}}}}\n'
    (orchard / "tests" / "one.yaml").write_text(scenario, encoding="utf-8")
    po = orchard / "locale" / "it" / "LC_MESSAGES" / "orchard.po"
    po.parent.mkdir(parents=True)
    said = EVIL.replace("\r", "\\r").replace("\x07", "\\a").replace("\x08", "\\b")
    po.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
                  f'msgctxt "Card.rest.text"\nmsgid "Do nothing."\nmsgstr "{said} niente"\n\n'
                  f'msgctxt "panel.row"\nmsgid "row"\nmsgstr "{said} fila"\n', encoding="utf-8")
    return orchard


@pytest.mark.long
def test_every_command_shows_it_and_does_nothing_of_it(ludoglot, evil, own_folders, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = f"Anna{EVIL},B\u200fela"
    saved = tmp_path / f"game{TITLE}{TURN}.ludoglot"
    seen = []
    for lang in ("en", "it"):
        for line, typed in [
            (("play", evil, "--seats", "human,human", "--seed", "1", "--names", names, "--save", saved),
             f"help\nboard\nboard {EVIL}\ncards\ncards {EVIL}\noptions {EVIL}\n? {EVIL}\nlang {EVIL}\n{EVIL}\n1\nlog\nnews\nundo\nsave\n"
             f"save {tmp_path}/x/{TITLE}\n1\nwhy\nquit\n"),
            (("play", "--resume", saved), "log\n"),
            *((line, "") for line in [
                ("replay", saved), ("replay", saved, "--verify"), ("why", saved, EVIL), ("replay", saved, "--json"), ("show", evil),
                ("show", evil, "rest"), ("show", evil, EVIL), ("check", evil), ("check", evil, "--json"), ("test", evil), ("trace", evil),
                ("words", "status", evil), ("words", "check", evil), ("explain", EVIL), ("play", EVIL),
                ("play", evil, "--option", f"{EVIL}=1"), ("play", evil, "--seats", f"human,{EVIL}"), ("play", "hex", "--langs", EVIL),
                ("replay", f"{tmp_path}/{EVIL}"), ("fmt", f"{tmp_path}/{EVIL}"), ("schema", EVIL), (EVIL,), (f"--{EVIL}",),
                ("play", "hex", EVIL), ("play", "hex", "--seed", EVIL), ("--lang", EVIL),
                ("play", evil, "--seats", "bot:random,bot:random", "--seed", "1")]),
        ]:
            said = ludoglot(*line, "--lang", lang, typed=typed)
            where = (line, said.code, said.err[-300:])
            assert said.code != 3, where
            assert not harmful(said.out) and not harmful(said.err), (line, harmful(said.out), harmful(said.err))
            seen.append(said.out + said.err)
    shown = "".join(seen)
    for part in (TITLE, CLEAR, TURN, C1, "\x7f\r\x08"):
        assert sanitize(part, keep="") in shown


@pytest.mark.long
def test_a_save_of_a_stranger_carries_nothing_to_the_screen(ludoglot, own_folders, tmp_path):
    ludoglot("play", "tic-tac-toe", "--seats", "human,human", "--seed", "1", typed="a1\n")
    (path,) = own_folders.iterdir()
    head, *lines = unchained(path)
    path.write_bytes(chained([{**head, "names": [EVIL + "\nBot wins.", "\ud800"]}, *lines]))
    for line in (("play", "--resume"), ("replay", path), ("play", "--resume", path, "--lang", "hu"), ("why", path)):
        said = ludoglot(*line, typed="news\nlog\n")
        assert said.code == 0 and not harmful(said.out + said.err)
        assert "\nBot wins." not in said.out
    path.write_bytes(chained([{**head, "game": f"/no/{EVIL}", "house": [{"path": EVIL, "name": EVIL, "hash": ""}]}, *lines]))
    for line in (("play", "--resume"), ("replay", path)):
        said = ludoglot(*line)
        assert said.code == 1 and not harmful(said.out + said.err) and sanitize(TITLE) in said.err


@pytest.mark.long
def test_pages_and_pictures_hold_only_text(ludoglot, evil, tmp_path):
    save, page, picture = tmp_path / "s.ludoglot", tmp_path / "a.html", tmp_path / "a.svg"
    ludoglot("play", evil, "--seats", "human,human", "--names", f"Anna{EVIL},\u202eBea", "--seed", "1", "--save", save, typed="1\n1\n1\n")
    assert ludoglot("replay", save, "--html", page, "--svg", picture).code == 0
    for path in (page, picture):
        assert harmful(path.read_text(encoding="utf-8")) == []
    ET.parse(picture)
    assert "&lt;U+202E&gt;" in page.read_text(encoding="utf-8")


def test_json_is_exact(ludoglot, evil, tmp_path):
    said = ludoglot("check", tmp_path / f"none{EVIL}", "--json")
    assert not harmful(said.out)
    value = {"a": EVIL + "\ud800\n\U000e0041é😀", "b": [1]}
    assert json.loads(escape_json(json.dumps(value, ensure_ascii=False, indent=2))) == value


def test_on_a_terminal_too(evil, tmp_path):
    """On a terminal with colours, all styles in the output are Ludoglot's own."""
    from ludoglot.dsl.game.ruleset import load_ruleset
    from ludoglot.engine.i18n import game_localizer
    from ludoglot.engine.narration.narrator import Narrator
    from ludoglot.engine.position.position import Game
    from ludoglot.engine.table_view.build_panels import build_panels
    from ludoglot.engine.table_view.rich_renderer import render_terminal
    from ludoglot.engine.table_view.theme import theme_of
    game = Game(load_ruleset(evil, 2, {}))
    words = game_localizer("it", "orchard", evil, {key: text for key, (text, _) in game.ruleset.model.texts.items()})
    position = game.start(1)
    lines = render_terminal(build_panels(position, Narrator(game, words, [EVIL, EVIL]), 0), theme_of(game), 100)
    drawn = "\n".join(lines)
    assert STYLES.search(drawn) and not harmful(STYLES.sub("", drawn)) and "<U+001B>]0;owned" in drawn


@pytest.mark.parametrize("text", [
    "árvíztűrő tükörfúrógép", "1\u00a0000 €", "日本語", "\U0001f469\u200d\U0001f467", "naïve · “x” – …", "a\tb\nc", "1\u202f000",
    "\u0915\u094d\u200d\u0937",
])
def test_what_is_harmless_stays(text):
    assert sanitize(text) == text == escape_json(text)


LINES = "Two\nlines\tand\u2028more"


@pytest.mark.long
def test_a_name_is_on_one_line_wherever_it_stands(ludoglot, orchard, own_folders, tmp_path):
    """Covers names of games, members, packs and players in titles, lists of saves, rulebooks, and pages."""
    path = orchard / "game.yaml"
    text = path.read_text(encoding="utf-8")
    for name in ("Orchard", "ann", "Harvest"):
        text = text.replace(f"name: {name}", f'name: "{name}\\nTwo\\nlines"')
    path.write_text(text, encoding="utf-8")
    assert ludoglot("check", orchard).code == 0
    page, book = tmp_path / "a.html", tmp_path / "a.md"
    said = ludoglot("play", orchard, "--seats", "human,human", "--names", f"Bob{LINES},Eve", typed="1\nboard\nlog\nquit\n")
    shown = said.out + said.err
    menu = ludoglot("play", "--resume", typed="quit\n")
    shown += menu.out + menu.err + ludoglot("show", orchard).out + ludoglot("replay", next(own_folders.iterdir()), "--html", page).out
    ludoglot("rulebook", orchard, "--out", book)
    for written in (page, book):
        shown += written.read_text(encoding="utf-8")
    assert not [line for line in shown.splitlines() if line.strip().startswith("lines")]
    assert "BobTwo<U+000A>lines<U+0009>and<U+2028>more" in shown and "Orchard<U+000A>Two<U+000A>lines" in shown
    assert "Orchard&lt;U+000A&gt;Two" in page.read_text(encoding="utf-8")
    assert "Orchard\\<U+000A\\>Two" in book.read_text(encoding="utf-8")

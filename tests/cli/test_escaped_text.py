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
HOSTILE = f"{TITLE}x{CLEAR}{TURN}{C1}\x7f\r\x08"
HOSTILE_YAML = HOSTILE.translate({ord(c): f"\\u{ord(c):04x}" for c in HOSTILE if not c.isprintable() or c in "\u202e\u2066"})
STYLE_CODES = re.compile(r"\x1b\[[0-9;]*m")


def find_harmful(text):
    return sorted({f"U+{ord(c):04X}" for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")})


@pytest.fixture
def hostile_game(orchard):
    """Creates a game in which every text is hostile."""
    path = orchard / "game.yaml"
    text = path.read_text(encoding="utf-8")
    for old in ("name: Orchard", "name: player", "name: ann", "name: bea", "name: Harvest", "name: Rest"):
        key, name = old.split(": ")
        text = text.replace(old, f'{key}: "{name}{HOSTILE_YAML}"')
    path.write_text(text.replace("Take {apples} apples.", f"Take {{apples}} {HOSTILE_YAML}."), encoding="utf-8")
    (orchard / "messages.yaml").write_text(f'ask.game.card: "Which? {HOSTILE_YAML}"\ndid.game.card: "{{who}} {HOSTILE_YAML} {{card}}"\n'
                                           f'state.apples: "apples {HOSTILE_YAML}"\n', encoding="utf-8")
    (orchard / "clauses.yaml").write_text(f'a1: "A clause {HOSTILE_YAML}"\n', encoding="utf-8")
    (orchard / "tests").mkdir()
    scenario = f'- scenario: "odd {HOSTILE_YAML}"\n  setup: {{apples: {{"ann{HOSTILE_YAML}": 1}}}}\n'
    (orchard / "tests" / "one.yaml").write_text(scenario, encoding="utf-8")
    po = orchard / "locale" / "it" / "LC_MESSAGES" / "orchard.po"
    po.parent.mkdir(parents=True)
    said = HOSTILE.replace("\r", "\\r").replace("\x07", "\\a").replace("\x08", "\\b")
    po.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
                  f'msgctxt "Card.rest.text"\nmsgid "Do nothing."\nmsgstr "{said} niente"\n\n'
                  f'msgctxt "panel.row"\nmsgid "row"\nmsgstr "{said} fila"\n', encoding="utf-8")
    return orchard


@pytest.mark.long
def test_every_command_escapes_hostile_text(ludoglot, hostile_game, save_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = f"Anna{HOSTILE},B\u200fela"
    saved = tmp_path / f"game{TITLE}{TURN}.ludoglot"
    seen = []
    for lang in ("en", "it"):
        for line, typed in [
            (("play", hostile_game, "--seats", "human,human", "--seed", "1", "--names", names, "--save", saved),
             f"help\nboard\nboard {HOSTILE}\ncards\ncards {HOSTILE}\noptions {HOSTILE}\n? {HOSTILE}\nlang {HOSTILE}\n{HOSTILE}\n1\nlog\n"
             f"news\nundo\nsave\nsave {tmp_path}/x/{TITLE}\n1\nwhy\nquit\n"),
            (("play", "--resume", saved), "log\n"),
            *((line, "") for line in [
                ("replay", saved), ("replay", saved, "--verify"), ("why", saved, HOSTILE), ("replay", saved, "--json"),
                ("show", hostile_game), ("show", hostile_game, "rest"), ("show", hostile_game, HOSTILE), ("check", hostile_game),
                ("check", hostile_game, "--json"), ("test", hostile_game), ("trace", hostile_game),
                ("words", "status", hostile_game), ("words", "check", hostile_game), ("explain", HOSTILE), ("play", HOSTILE),
                ("play", hostile_game, "--option", f"{HOSTILE}=1"), ("play", hostile_game, "--seats", f"human,{HOSTILE}"),
                ("play", "hex", "--langs", HOSTILE),
                ("replay", f"{tmp_path}/{HOSTILE}"), ("fmt", f"{tmp_path}/{HOSTILE}"), ("schema", HOSTILE), (HOSTILE,), (f"--{HOSTILE}",),
                ("play", "hex", HOSTILE), ("play", "hex", "--seed", HOSTILE), ("--lang", HOSTILE),
                ("play", hostile_game, "--seats", "bot:random,bot:random", "--seed", "1")]),
        ]:
            said = ludoglot(*line, "--lang", lang, typed=typed)
            where = (line, said.code, said.err[-300:])
            assert said.code != 3, where
            assert not find_harmful(said.out) and not find_harmful(said.err), (line, find_harmful(said.out), find_harmful(said.err))
            seen.append(said.out + said.err)
    shown = "".join(seen)
    for part in (TITLE, CLEAR, TURN, C1, "\x7f\r\x08"):
        assert sanitize(part, keep="") in shown


@pytest.mark.long
def test_hostile_text_in_a_save_is_escaped(ludoglot, save_folder, tmp_path):
    ludoglot("play", "tic-tac-toe", "--seats", "human,human", "--seed", "1", typed="a1\n")
    (path,) = save_folder.iterdir()
    head, *lines = unchained(path)
    path.write_bytes(chained([{**head, "names": [HOSTILE + "\nBot wins.", "\ud800"]}, *lines]))
    for line in (("play", "--resume"), ("replay", path), ("play", "--resume", path, "--lang", "hu"), ("why", path)):
        said = ludoglot(*line, typed="news\nlog\n")
        assert said.code == 0 and not find_harmful(said.out + said.err)
        assert "\nBot wins." not in said.out
    path.write_bytes(chained([{**head, "game": f"/no/{HOSTILE}", "house": [{"path": HOSTILE, "name": HOSTILE, "hash": ""}]}, *lines]))
    for line in (("play", "--resume"), ("replay", path)):
        said = ludoglot(*line)
        assert said.code == 1 and not find_harmful(said.out + said.err) and sanitize(TITLE) in said.err


@pytest.mark.long
def test_pages_and_pictures_escape_hostile_text(ludoglot, hostile_game, tmp_path):
    save, page, picture = tmp_path / "s.ludoglot", tmp_path / "a.html", tmp_path / "a.svg"
    names = f"Anna{HOSTILE},\u202eBea"
    ludoglot("play", hostile_game, "--seats", "human,human", "--names", names, "--seed", "1", "--save", save, typed="1\n1\n1\n")
    assert ludoglot("replay", save, "--html", page, "--svg", picture).code == 0
    for path in (page, picture):
        assert find_harmful(path.read_text(encoding="utf-8")) == []
    ET.parse(picture)
    assert "&lt;U+202E&gt;" in page.read_text(encoding="utf-8")


def test_escaped_json_keeps_its_value(ludoglot, hostile_game, tmp_path):
    said = ludoglot("check", tmp_path / f"none{HOSTILE}", "--json")
    assert not find_harmful(said.out)
    value = {"a": HOSTILE + "\ud800\n\U000e0041é😀", "b": [1]}
    assert json.loads(escape_json(json.dumps(value, ensure_ascii=False, indent=2))) == value


def test_coloured_output_escapes_hostile_text(hostile_game, tmp_path):
    """On a terminal with colours, all styles in the output are Ludoglot's own."""
    from ludoglot.dsl.game.ruleset import load_ruleset
    from ludoglot.engine.i18n import game_localizer
    from ludoglot.engine.narration.narrator import Narrator
    from ludoglot.engine.position.position import Game
    from ludoglot.engine.table_view.build_panels import build_panels
    from ludoglot.engine.table_view.rich_renderer import render_terminal
    from ludoglot.engine.table_view.theme import theme_of
    game = Game(load_ruleset(hostile_game, 2, {}))
    words = game_localizer("it", "orchard", hostile_game, {key: text for key, (text, _) in game.ruleset.model.texts.items()})
    position = game.start(1)
    lines = render_terminal(build_panels(position, Narrator(game, words, [HOSTILE, HOSTILE]), 0), theme_of(game), 100)
    drawn = "\n".join(lines)
    assert STYLE_CODES.search(drawn) and not find_harmful(STYLE_CODES.sub("", drawn)) and "<U+001B>]0;owned" in drawn


@pytest.mark.parametrize("text", [
    "árvíztűrő tükörfúrógép", "1\u00a0000 €", "日本語", "\U0001f469\u200d\U0001f467", "naïve · “x” – …", "a\tb\nc", "1\u202f000",
    "\u0915\u094d\u200d\u0937",
])
def test_harmless_text_is_unchanged(text):
    assert sanitize(text) == text == escape_json(text)


SEVERAL_LINES = "Two\nlines\tand\u2028more"


@pytest.mark.long
def test_a_name_with_line_breaks_is_printed_on_one_line(ludoglot, orchard, save_folder, tmp_path):
    """Covers names of games, members, packs and players in titles, lists of saves, rulebooks, and pages."""
    path = orchard / "game.yaml"
    text = path.read_text(encoding="utf-8")
    for name in ("Orchard", "ann", "Harvest"):
        text = text.replace(f"name: {name}", f'name: "{name}\\nTwo\\nlines"')
    path.write_text(text, encoding="utf-8")
    assert ludoglot("check", orchard).code == 0
    page, book = tmp_path / "a.html", tmp_path / "a.md"
    said = ludoglot("play", orchard, "--seats", "human,human", "--names", f"Bob{SEVERAL_LINES},Eve", typed="1\nboard\nlog\nquit\n")
    shown = said.out + said.err
    menu = ludoglot("play", "--resume", typed="quit\n")
    shown += menu.out + menu.err + ludoglot("show", orchard).out + ludoglot("replay", next(save_folder.iterdir()), "--html", page).out
    ludoglot("rulebook", orchard, "--out", book)
    for written in (page, book):
        shown += written.read_text(encoding="utf-8")
    assert not [line for line in shown.splitlines() if line.strip().startswith("lines")]
    assert "BobTwo<U+000A>lines<U+0009>and<U+2028>more" in shown and "Orchard<U+000A>Two<U+000A>lines" in shown
    assert "Orchard&lt;U+000A&gt;Two" in page.read_text(encoding="utf-8")
    assert "Orchard\\<U+000A\\>Two" in book.read_text(encoding="utf-8")

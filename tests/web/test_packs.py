"""Checks house rules at tables, and saves that move between the terminal and the browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from ludoglot.engine.match.save_file import format_save
from ludoglot.engine.match.save_reader import parse_save

from .browser import Browser, Page
from .conftest import serving

PACKS = Path(__file__).parent.parent.parent / "docs/examples/packs"
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose operator has installed three packs, one of them with an error."""
    folder = tmp_path_factory.mktemp("packs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        house = folder / "ludoglot/house"
        house.mkdir(parents=True)
        for name in ("connect-five", "pie-rule"):
            shutil.copy(PACKS / f"{name}.yaml", house)
        (house / "broken.yaml").write_text("house: broken\nfor: connect-four\nset: {nothing.here: 5}\n")
        with serving(folder) as (url, _):
            yield url


def upload(browser: Browser, raw: bytes, name: str = "mine.ludoglot") -> Page:
    """Sends a file with the form of the lobby."""
    form, end = browser.open("/").find(r'name="form" value="([^"]+)"'), uuid.uuid4().hex
    parts = [f'--{end}\r\ncontent-disposition: form-data; name="form"\r\n\r\n{form}\r\n'.encode(),
             f'--{end}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode(), raw,
             f"\r\n--{end}--\r\n".encode()]
    return browser.open("/upload", b"".join(parts), content_type=f"multipart/form-data; boundary={end}")


def start_with_pack(server: str) -> Browser:
    """A browser at a new table of Connect Four on the larger board."""
    anna = Browser(server)
    _, links = anna.create("connect-four", **{"pack.connect-five": "yes"})
    Browser(server).join(links[1], "Piero")
    anna.join(links[0], "Anna")
    return anna


def test_the_form_offers_valid_packs_of_the_game(server):
    page = Browser(server, "it").open("/new/connect-four")
    assert page.find_all(r'name="(pack\.[^"]+)"') == ["pack.connect-five"]
    assert "vince" in page.find(r'pack\.connect-five".*?<span class="dim">(.*?)</span>').lower()


def test_a_table_is_played_with_a_pack_and_shows_it(server):
    anna = start_with_pack(server)
    assert len(anna.page.options) > 7                              # the board of the pack is wider
    assert anna.page.find(r'<dl class="choices">.*?<dt>([^<]+)</dt>') == "connect-five"
    assert "connect-five" in anna.open(anna.page.base + "?log=all").find(r'<div class="lines".*?</div>'.replace(".*?", "(.*?)", 1))


def test_missing_pack_is_rejected(server):
    anna = Browser(server, "hu")
    anna.open("/new/connect-four")
    page = anna.send("/new/connect-four", **{"pack.<b>": "yes"})
    assert page.status == 400 and "„&lt;b&gt;”" in page.text


def test_the_terminal_opens_a_save_of_the_browser_with_its_pack(server, tmp_path):
    anna = start_with_pack(server)
    anna.play(anna.page.options[-1])
    raw = anna.open(f"{anna.page.base}/save").raw
    (tmp_path / "mine.ludoglot").write_bytes(raw)
    assert str(tmp_path.parent).encode() not in raw                # no folder of the server
    command = [sys.executable, "-m", "ludoglot.engine.commands.main", "play", "--resume", "mine.ludoglot", "--lang", "en"]
    found = subprocess.run(command, cwd=tmp_path, input="moves\nquit\n", capture_output=True, text=True, timeout=120,
                           env={**os.environ, "XDG_DATA_HOME": str(tmp_path)})
    assert "connect-five" in found.stdout and "Traceback" not in found.stderr


def test_the_browser_continues_a_save_of_the_terminal_with_its_pack(server, tmp_path):
    command = [sys.executable, "-m", "ludoglot.engine.commands.main", "play", "connect-four", "--pack", str(PACKS / "connect-five.yaml"),
               "--save", "mine.ludoglot", "--seats", "human,human", "--names", "Anna,Béla"]
    subprocess.run(command, cwd=tmp_path, input="1\n2\n3\nquit\n", capture_output=True, text=True, timeout=120)
    raw = (tmp_path / "mine.ludoglot").read_bytes()
    host = upload(Browser(server), raw)
    assert host.status == 200 and "/host/" in host.url, host.text
    links = host.find_all(r'href="([^"]+/join/[^"]+)"')
    bela = Browser(server)
    page = bela.join(links[1])
    assert page.is_asked and "Béla" in page.text and len(set(page.find_all(r"<p class=\"depth0\">(.*?)</p>"))) == 4
    again = parse_save(tmp_path, bela.open(f"{page.base}/save").raw)
    assert [line.hash for line in again.lines] == [line.hash for line in parse_save(tmp_path, raw).lines]


@pytest.mark.parametrize("spoil", ["pack", "game", "text", "decision", "path"])
def test_invalid_save_is_rejected(server, tmp_path, spoil):
    anna = start_with_pack(server)
    anna.play(anna.page.options[0])
    found = parse_save(tmp_path, anna.open(f"{anna.page.base}/save").raw)
    setup, lines = found.setup, found.lines
    if spoil == "pack":                                            # rules from a stranger
        setup.house[0]["files"]["house.yaml"] = setup.house[0]["files"]["house.yaml"].replace("five", "six")
        setup.house[0]["hash"] = "0" * 64
    elif spoil == "path":
        setup.house[0].pop("files")
        setup.house[0] |= {"path": "/etc/passwd", "name": "/etc/passwd"}
    elif spoil == "game":
        setup.game = str(tmp_path)
    elif spoil == "decision":
        lines = [lines[0], lines[0]]
    raw = b"<script>" if spoil == "text" else format_save(setup, lines)
    page = upload(Browser(server), raw, "<script>.ludoglot")
    assert page.status == 400 and "<script>" not in page.text and "Traceback" not in page.text and "/host/" not in page.url


def test_uploads_are_limited(server):
    anna = Browser(server)
    assert upload(anna, b"x" * 3_000_000).status == 413
    assert anna.open("/upload", b"--x--\r\n", content_type="multipart/form-data; boundary=x").status == 403
    began = time.monotonic()
    assert upload(anna, b'{"ludoglot":' + b"[" * 900_000).status == 400 and time.monotonic() - began < 20


def test_a_bot_plays_with_a_pack(server):
    anna = Browser(server)
    _, links = anna.create("connect-four", kind1="bot:random", **{"pack.connect-five": "yes"})
    anna.join(links[0], "Anna")
    anna.play(anna.page.options[0])
    end = time.monotonic() + 60
    while not anna.open(anna.page.base).is_asked and time.monotonic() < end:
        time.sleep(0.1)
    assert anna.page.is_asked

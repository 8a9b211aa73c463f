"""Checks saves that were damaged, or that a stranger wrote.

Ludoglot names the damage with its place and continues with the sound part. Nothing in a file harms the program or hides another save."""

from __future__ import annotations

import io
import json
import os
import random
import time
from pathlib import Path

import pytest
from ludoglot.engine.match import save_index
from ludoglot.engine.match.line_checksums import is_valid_line
from ludoglot.engine.match.save_file import MatchSetup, SavedDecision, SaveError, SaveFile
from ludoglot.engine.match.save_reader import parse_save, read_contents
from ludoglot.engine.match.save_schema import SaveSchemaError, parse_line
from ludoglot.engine.match.setup import DamagedSaveError
from ludoglot.engine.match.table import MatchTable
from save_fixtures import chained, first_format, unchained

SAMPLES = sorted((Path(__file__).parent / "format1").glob("*.ludoglot"))
CLASSICS = ("breakthrough", "connect-four", "hex", "tic-tac-toe")
PLACE = Path("game.ludoglot")


@pytest.fixture
def saved_game(game, tmp_path):
    """A game of Connect Four in which a language was changed and a decision was taken back."""
    connect = game("connect-four")
    setup = MatchSetup(
        "connect-four", 2, 3, dict(connect.ruleset.settings), [], ["Anna", "Béla"], ["human", "human"], ["it", "hu"], lang="it"
    )
    table = MatchTable.new(connect, setup, tmp_path / "saves" / "one.ludoglot")
    for n in range(8):
        table.play(table.position.decision.options[n % 3])
        if n == 3:
            table.set_language(1, "es")
        if n == 5:
            table.undo(1, 1)
    table.save.close()
    return table.save.path


# ------------------------------------------------------------ earlier formats


def read_first_format(path):
    """Reads the decisions of a save of the first format, following only its description."""
    head, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    decisions, langs = [], list(head["langs"])
    for line in lines:
        if "undo" in line:
            del decisions[-line["undo"] :]
        elif "lang" in line:
            for seat in [line["seat"]] if "seat" in line else [n for n, lang in enumerate(langs) if lang == head["lang"]]:
                langs[seat] = line["lang"]
        else:
            decisions.append((line["seat"], line["key"], line["option"], line["hash"], line.get("auto", False), line.get("over", False)))
    return head, decisions, langs


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_save_of_the_first_format_is_read(path):
    head, decisions, langs = read_first_format(path)
    record = read_contents(path)
    assert [(one.seat, one.key, one.option, one.hash, one.auto, one.over) for one in record.lines] == decisions and len(decisions) > 8
    assert (record.setup.game, record.setup.seed, record.setup.names) == (path.stem, 11, ["Anna", "Béla"]) and head["ludoglot"] == 1
    assert record.setup.langs == langs and record.setup.options == head["options"] and record.setup.rules == head["rules"]


def test_each_game_of_the_first_format_has_a_sample():
    assert {path.stem for path in SAMPLES} == {*CLASSICS, "dominant-species", "evolution", "trias"}


@pytest.mark.parametrize("name", CLASSICS)
def test_a_save_of_the_first_format_keeps_its_format(game, tmp_path, name):
    """The save contains the current hashes of the rules, which belong to the rules and not to the format."""
    old = read_contents(next(path for path in SAMPLES if path.stem == name))
    old.setup.rules = game(name).fingerprint
    table = MatchTable(game(name), old.setup)
    lines = []
    for one in old.lines:
        step = table.play(one.option) if not one.auto else table.take(table.position.decision, table.position.decision.options[0], True)
        lines.append(SavedDecision(step.seat, step.key, step.option.spelling, table.position.digest(), one.auto, table.over).to_data())
    path = tmp_path / "old.ludoglot"
    path.write_bytes(first_format([old.setup.header(), *lines]))
    again = MatchTable.resume(game(name), path)
    assert again.position == table.position
    if not again.over:
        list(again.take_automatic())
        again.play(again.position.decision.options[0])
    again.save.close()
    assert b'"sum"' not in path.read_bytes() and len(read_contents(path).lines) == len(again.steps)


@pytest.mark.long
@pytest.mark.parametrize("path", [pytest.param(path, marks=[pytest.mark.long] if path.stem == "dominant-species" else [])
                                  for path in SAMPLES], ids=lambda path: path.stem)
def test_a_save_of_an_earlier_version_is_replayed_and_converted(ludoglot, tmp_path, path):
    """This is an original file of that version, which hashed the meaning of the rules in another way."""
    mine = tmp_path / path.name
    mine.write_bytes(path.read_bytes())
    said = ludoglot("replay", mine, "--verify", "--lang", "en")
    assert said.code == 1 and "cannot be compared" in said.out and mine.read_bytes() == path.read_bytes()
    said = ludoglot("play", "--resume", mine, "--lang", "en", typed="")
    assert said.code == 0 and f"{path.name}~" in said.err
    old, new = read_contents(path), read_contents(mine)
    played = [(one.seat, one.option) for one in new.lines[: len(old.lines)]]         # bots have decided more since
    assert played == [(one.seat, one.option) for one in old.lines] and new.chained
    assert (tmp_path / f"{path.name}~").read_bytes() == path.read_bytes()
    assert ludoglot("replay", mine, "--verify").code == 0


def test_a_save_of_unknown_rules_is_refused(ludoglot, tmp_path):
    mine = tmp_path / "hex.ludoglot"
    head, *rest = (Path(__file__).parent / "format1" / "hex.ludoglot").read_bytes().splitlines(keepends=True)
    mine.write_bytes(b"".join([json.dumps({**json.loads(head), "rules": "0" * 16}).encode() + b"\n", *rest]))
    said = ludoglot("play", "--resume", mine)
    assert said.code == 1 and "different rules" in said.err


# ------------------------------------------------------------ damage by accident


@pytest.mark.long
def test_a_flipped_byte_is_found(saved_game):
    """Changes every third byte of a game in turn. Everything before it is read, and the place is named."""
    raw, whole, rng = saved_game.read_bytes(), read_contents(saved_game), random.Random(5)
    size = len(split_lines(raw)[0])
    for at in range(0, len(raw), 3):
        hurt = raw[:at] + bytes([raw[at] ^ rng.randrange(1, 256)]) + raw[at + 1 :]
        record = parse_save(PLACE, hurt, strict=False)
        assert record.lines == whole.lines[: len(record.lines)], at
        if at < 2 * size:
            assert record.restored_header == 1 + at // size and record.raw == raw and not record.damage, at
        else:
            assert record.damage == 1 + raw.count(b"\n", 0, at), at
            assert record.lines == parse_save(PLACE, raw[: raw.rindex(b"\n", 0, at) + 1]).lines, at


def test_a_flipped_line_end_is_damage(saved_game):
    raw = saved_game.read_bytes()
    with pytest.raises(DamagedSaveError) as fault:
        parse_save(PLACE, raw[:-1] + b"x")
    assert fault.value.params["line"] == raw.count(b"\n")
    assert not parse_save(PLACE, raw[:-1]).damage                      # half written: nobody saw this decision as saved


def test_the_header_of_a_game_without_decisions_is_restored(saved_game):
    head = b"".join(split_lines(saved_game.read_bytes())[:2])
    for at in (len(head) - 1, len(head) - 2, len(head) // 2 - 1, 0):
        hurt = head[:at] + bytes([head[at] ^ 0x81]) + head[at + 1 :]
        record = parse_save(PLACE, hurt)
        assert record.restored_header and record.raw == head and record.lines == [], at
    assert not parse_save(PLACE, head[:-1]).restored_header            # half written: nobody saw this game as saved


def split_lines(raw):
    return raw.splitlines(keepends=True)


@pytest.mark.parametrize("seed, times", [(6, 2), pytest.param(7, 8, marks=pytest.mark.long)])
def test_missing_added_and_moved_lines_are_found(saved_game, seed, times):
    parts, whole = split_lines(saved_game.read_bytes()), read_contents(saved_game)
    rng = random.Random(seed)
    for _ in range(times):
        n, m = sorted(rng.sample(range(2, len(parts)), 2))
        for hurt, place in ((parts[:n] + parts[n + 1 :], n), (parts[: n + 1] + parts[n:], n + 1),
                            (parts[:n] + [parts[m]] + parts[n + 1 : m] + [parts[n]] + parts[m + 1 :], n),
                            (parts[:n] + [b"\0" * len(parts[n])] + parts[n + 1 :], n)):
            if b"".join(hurt) == b"".join(parts[: len(hurt)]):       # nobody can notice that the last line is missing
                continue
            with pytest.raises(SaveError) as fault:
                parse_save(PLACE, b"".join(hurt))
            assert fault.value.params["line"] == place + 1 and isinstance(fault.value, DamagedSaveError)
            found = parse_save(PLACE, b"".join(hurt), strict=False)
            before = parse_save(PLACE, b"".join(parts[:place]))
            assert found.lines == before.lines and len(found.lines) <= len(whole.lines) + 1


@pytest.mark.parametrize("change", [{"names": ["Anna", "Bea"]}, {"auto": False}, {"langs": ["en", "en"]}, {"seed": 44}])
def test_an_edited_header_is_noticed_and_restored(saved_game, change):
    whole = read_contents(saved_game)
    first, second, *rest = split_lines(saved_game.read_bytes())
    head = json.loads(first)
    edited = json.dumps({**head, **change}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    record = parse_save(PLACE, b"".join([edited, second, *rest]))
    assert record.restored_header == 1 and record.setup.names == whole.setup.names and record.lines == whole.lines
    with pytest.raises(SaveError, match="headless"):
        parse_save(PLACE, b"".join([edited, edited, *rest]))


def test_an_inserted_line_is_noticed(saved_game):
    parts = split_lines(saved_game.read_bytes())
    with pytest.raises(SaveError) as fault:
        parse_save(PLACE, b"".join([*parts[:4], b'{"seat":0,"lang":"hu"}\n', *parts[4:]]))
    assert fault.value.params["line"] == 5


def test_an_erased_copy_of_the_header_is_restored(saved_game):
    raw, whole = saved_game.read_bytes(), read_contents(saved_game)
    size = len(split_lines(raw)[0])
    for hurt in (b"\0" * size + raw[size:], raw[:size] + b"\0" * (size - 1) + b"\n" + raw[2 * size :]):
        record = parse_save(PLACE, hurt)
        assert record.restored_header and record.lines == whole.lines and record.raw == raw


# ------------------------------------------------------------ resuming


@pytest.fixture
def damaged_save(saved_game):
    """A save whose fifth line is beyond repair."""
    parts = split_lines(saved_game.read_bytes())
    parts[4] = b"x" * 40 + parts[4][40:]
    saved_game.write_bytes(b"".join(parts))
    return saved_game


@pytest.mark.long
def test_mend_resumes_from_the_last_good_decision(ludoglot, damaged_save):
    before = damaged_save.read_bytes()
    said = ludoglot("play", "--resume", damaged_save, typed="1\n")
    assert said.code == 1 and "line 5" in said.err and "2 decisions" in said.err and "--mend" in said.err
    assert damaged_save.read_bytes() == before and len(list(damaged_save.parent.iterdir())) == 1
    said = ludoglot("play", "--resume", damaged_save, "--mend", "--lang", "en", typed="1\n")
    assert said.code == 0 and "one.ludoglot~" in said.err
    assert damaged_save.with_name("one.ludoglot~").read_bytes() == before
    assert len(read_contents(damaged_save).lines) == 3 and ludoglot("replay", damaged_save, "--verify").code == 0
    again = ludoglot("play", "--resume", damaged_save, typed="")
    assert again.code == 0 and "damaged" not in again.err


@pytest.mark.long
@pytest.mark.parametrize("answer, code, decisions", [("1\n", 0, 2), ("2\n", 1, None), ("", 1, None)])
def test_people_at_a_terminal_are_asked_before_mending(ludoglot, damaged_save, monkeypatch, answer, code, decisions):
    class Screen(io.StringIO):
        def isatty(self):
            return True
    before = damaged_save.read_bytes()
    monkeypatch.setattr(io, "StringIO", Screen)
    said = ludoglot("play", "--resume", damaged_save, typed=answer)
    assert said.code == code and "line 5" in said.err and "--mend" not in said.err and "Continue with the intact part" in said.out
    assert (damaged_save.read_bytes() == before) is (decisions is None)
    assert decisions is None or len(read_contents(damaged_save).lines) == decisions


@pytest.mark.long
@pytest.mark.parametrize("lang, wanted", [("it", "danneggiato alla riga 5"), ("es", "dañado en la línea 5"),
                                          ("hu", "az 5. sorban megsérült")])
def test_damage_is_reported_in_each_language(ludoglot, damaged_save, lang, wanted):
    assert wanted in ludoglot("play", "--resume", damaged_save, "--lang", lang).err
    said = ludoglot("replay", damaged_save, "--lang", lang)
    assert said.code == 1 and wanted in said.err
    assert ludoglot("replay", damaged_save, "--mend", "--verify", "--lang", lang).code == 1


@pytest.mark.long
def test_a_changed_byte_of_the_header_is_repaired_without_asking(ludoglot, saved_game):
    raw = saved_game.read_bytes()
    at = raw.index(b"Anna")
    saved_game.write_bytes(raw[:at] + b"E" + raw[at + 1 :])
    assert ludoglot("replay", saved_game, "--verify").code == 1
    said = ludoglot("play", "--resume", saved_game, typed="")
    assert said.code == 0 and "Nothing is lost" in said.err and saved_game.read_bytes() == raw
    assert ludoglot("replay", saved_game, "--verify").code == 0


def test_a_first_format_save_resumes_before_an_illegal_move(ludoglot, saved_game):
    lines = unchained(saved_game)
    lines[3]["option"] = "cell=z9"
    saved_game.write_bytes(first_format(lines))
    said = ludoglot("play", "--resume", saved_game, typed="1\n")
    assert said.code == 1 and "Decision 3" in said.err and "--mend" in said.err
    said = ludoglot("play", "--resume", saved_game, "--mend", typed="1\n")
    assert said.code == 0 and len(read_contents(saved_game).lines) == 3
    assert ludoglot("replay", saved_game, "--verify").code == 0


@pytest.mark.long
def test_the_backup_does_not_overwrite_another_file(ludoglot, damaged_save):
    other = damaged_save.with_name(damaged_save.name + "~")
    other.write_bytes(b"mine")
    assert ludoglot("play", "--resume", damaged_save, "--mend", typed="").code == 0
    assert other.read_bytes() == b"mine" and damaged_save.with_name(damaged_save.name + "~2").exists()


# ------------------------------------------------------------ files of strangers


HEAD = MatchSetup("tic-tac-toe", 2, 1, {}, [], ["", ""], ["human", "human"], ["", ""]).header()
DEEP = b"[" * 100_000


def make_save(**change):
    return chained([{**HEAD, **change}])


STRANGE_FILES = {
    "huge undo": b"".join([make_save(), b'{"undo":1e400}\n']), "huge number": b"".join([make_save(), b'{"undo":' + b"9" * 5000 + b"}\n"]),
    "deep": make_save() + DEEP + b"\n", "deep header": b'{"ludoglot":2,"game":' + DEEP + b"\n",
    "deep names": make_save(more=[[[[[1]]]]] * 3),
    "players": make_save(players=3_000_000_000, names=[]), "no players": make_save(players=0, names=[], seats=[], langs=[]),
    "true players": make_save(players=True), "minus": make_save(players=-2), "float": make_save(players=2.0),
    "long name": make_save(names=["a" * 5000, ""]), "many options": make_save(options={str(n): n for n in range(5000)}),
    "list in options": make_save(options={"a": [1]}), "house": make_save(house=[{"path": "a" * 10_000, "name": "b", "hash": ""}]),
    "game": make_save(game="a" * 100_000), "nan": make_save(seed=float("nan")), "text seed": make_save(seed="1"),
    "first format, huge": first_format([HEAD]) + b'{"undo":1e400}\n', "first format, deep": first_format([HEAD]) + DEEP + b"\n",
    "first format, players": first_format([{**HEAD, "players": 3_000_000_000, "names": []}]),
    "surrogates": b'{"ludoglot":1,"game":"\\ud800","players":1,"seed":1,"seats":["human"]}\n', "not text": b'{"ludoglot":2,"\xff\xfe":1}\n',
    "long line": make_save() + b"x" * 1_000_000, "NUL game": make_save(game="a\0b"), "nothing but ends": b"\n" * 1000,
}


@pytest.mark.long_cases("deep header", "many options", "text seed", "first format, deep", "long line")
@pytest.mark.parametrize("name", STRANGE_FILES)
def test_a_strange_file_is_damaged_and_does_not_hide_others(ludoglot, saved_game, save_folder, name):
    strange = save_folder / "zzz.ludoglot"
    strange.write_bytes(STRANGE_FILES[name])
    os.utime(strange, (time.time() + 100,) * 2)
    began = time.monotonic()
    for command in (("play", "--resume", strange), ("replay", strange), ("why", strange)):
        said = ludoglot(*command)
        assert said.code in (0, 1) and "inside Ludoglot" not in said.err
    listed = {one.path: one for one in save_index.list_saved_games()}
    assert saved_game in listed and listed[saved_game].decisions == 7
    strange_one = listed[strange]
    if not strange_one.game or strange_one.game == "tic-tac-toe":
        assert strange_one.damaged or name in ("deep names", "long line", "NUL game", "surrogates"), name
    strange_ones_away = [one for one in save_index.list_saved_games() if one.game == "connect-four"]
    assert len(strange_ones_away) == 1
    assert ludoglot("play", "connect-four", "--resume", typed="1\n").code == 0
    assert time.monotonic() - began < 5


def test_special_and_giant_files_are_not_saves(ludoglot, saved_game, save_folder, tmp_path):
    if hasattr(os, "mkfifo"):
        os.mkfifo(save_folder / "pipe.ludoglot")
    (save_folder / "folder.ludoglot").mkdir()
    with (save_folder / "giant.ludoglot").open("wb") as file:
        file.truncate(10 << 30)
    (save_folder / "gone.ludoglot").symlink_to(save_folder / "nowhere")
    for one in save_folder.iterdir():
        if one != saved_game:
            said = ludoglot("play", "--resume", one)
            assert said.code in (1, 2) and str(one) in said.err and "inside Ludoglot" not in said.err
            assert ludoglot("replay", one).code in (1, 2)
    assert {one.path.name for one in save_index.list_saved_games() if one.damaged} >= {"pipe.ludoglot", "folder.ludoglot", "giant.ludoglot"}
    assert ludoglot("play", "--resume", typed="1\n").code == 0
    for device in ("/dev/zero", "/dev/null"):
        if Path(device).exists():
            assert ludoglot("play", "--resume", device).code == 1


def test_limits_of_a_line():
    for wrong in (b"[]", b"1", b"null", b'{"a":1.5}', b'{"a":NaN}', b'{"a":-Infinity}', b'{"a":' + b"1" * 41 + b"}", DEEP, b"", b"\xff",
                  b'{"a":"' + b"x" * 600_000 + b'"}', b'{"a":' * 17 + b"1" + b"}" * 17):
        with pytest.raises(SaveSchemaError):
            parse_line(wrong)
    assert len(parse_line(b'{"a":"' + b"[{" * 5000 + b'"}')["a"]) == 10_000, "a text can be long, such as the rules of a pack"
    began = time.monotonic()
    with pytest.raises(SaveSchemaError):
        parse_line(b'{"a":' + b'"\\' * 200_000)
    assert time.monotonic() - began < 1
    assert parse_line('{"a":"é[[[[[","b":[[1]]}'.encode()) == {"a": "é[[[[[", "b": [[1]]}


def test_unknown_keys_of_a_header_are_kept(game, tmp_path):
    """A later version may store more about a game."""
    tic = game("tic-tac-toe")
    table = MatchTable.new(
        tic, MatchSetup("tic-tac-toe", 2, 1, dict(tic.ruleset.settings), [], ["", ""], ["human"] * 2, ["", ""]), tmp_path / "s"
    )
    table.save.close()
    (head,) = unchained(tmp_path / "s")
    (tmp_path / "s").write_bytes(chained([{**head, "packs": [{"name": "é", "text": "x" * 10_000}]}]))
    table = MatchTable.resume(tic, tmp_path / "s")
    table.play("cell=a1")
    table.save.close()
    assert unchained(tmp_path / "s")[0]["packs"][0]["name"] == "é" and len(read_contents(tmp_path / "s").lines) == 1


def test_checksums_are_chained_as_described(saved_game):
    """Checks the chain of checksums against its description.

    Each is SHA-256 of the checksum before, a line feed, and the line without its tail."""
    import hashlib
    before = b""
    for n, part in enumerate(split_lines(saved_game.read_bytes())):
        body, _, said = part.rpartition(b',"sum":"')
        assert hashlib.sha256((b"" if n < 2 else before) + b"\n" + body).hexdigest()[:16].encode() + b'"}\n' == said
        assert is_valid_line(b"" if n < 2 else before, part)
        before = said[:16]


def test_a_mended_file_is_locked(game, damaged_save):
    save, _ = SaveFile.reopen(damaged_save, mend=True)
    with pytest.raises(SaveError, match="busy"):
        SaveFile.reopen(damaged_save)
    save.close()


def test_too_many_lines_are_rejected(saved_game):
    raw = saved_game.read_bytes()
    with pytest.raises(SaveError) as fault:
        parse_save(saved_game, raw + b'{"seat":0,"lang":"hu","sum":"0"}\n' * 40_000)
    assert fault.value.key == "save.long" and fault.value.params["limit"] == 40_000

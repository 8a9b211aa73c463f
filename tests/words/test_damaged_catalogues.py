"""Checks catalogues that are damaged or not in UTF-8. Ludoglot reads them, or names the place and loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli import conftest as commands
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import characters, text
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ludoglot.engine.i18n.catalogue import update_catalogues
from ludoglot.engine.i18n.check_texts import check_domain
from ludoglot.engine.i18n.message_sources import game_domain
from ludoglot.engine.i18n.readers import catalogue_path, read_catalogue

ludoglot = commands.ludoglot          # the fixture that runs a command line


def check_hungarian(game: Path) -> list[Diagnostic]:
    findings = DiagnosticList()
    check_domain(game_domain(game, findings), findings, languages=["hu"])
    return findings.items


def write_catalogue(game: Path, lines: str, header: str = "Content-Type: text/plain; charset=UTF-8", encoding: str = "utf-8") -> Path:
    """The Hungarian catalogue of the pond, with these lines for its first text."""
    path = catalogue_path(game / "locale", "hu", "pond")
    path.parent.mkdir(parents=True, exist_ok=True)
    text = f'# Words.\nmsgid ""\nmsgstr ""\n"Language: hu\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n"{header}\\n"\n\n{lines}\n'
    path.write_bytes(text.encode(encoding))
    return path


WRITABLE_CHARACTERS = characters(exclude_categories=["Cs"])
SEA_ENTRY = 'msgctxt "Terrain.sea.name"\nmsgid "sea"\nmsgstr "{}"'
FAULTS = {
    "merge marks": (f"<<<<<<< mine\n{SEA_ENTRY.format('tenger')}\n=======\n>>>>>>> theirs", 8),
    "no closing quote": (SEA_ENTRY.format("tenger")[:-1], 10),
    "no opening quote": (SEA_ENTRY.format("tenger").replace('msgstr "', "msgstr "), 10),
    "quote inside": (SEA_ENTRY.format('ten"ger'), 10),
    "bare word": (SEA_ENTRY.format("tenger") + "\ntenger", 11),
    "word without a text": (SEA_ENTRY.format("tenger") + "\nmsgstr", 11),
    "merge marks of a po editor": (SEA_ENTRY.format("tenger") + "\n#-#-#-#-# mine #-#-#-#-#", 11),
}


@pytest.mark.parametrize("name", FAULTS)
def test_broken_line_is_reported_and_file_is_unchanged(game, ludoglot, name):
    lines, line = FAULTS[name]
    path = write_catalogue(game, lines)
    before = path.read_bytes()
    for command in ("update", "status"):
        said = ludoglot("words", command, str(game), "--lang", "hu")
        assert said.code == 1 and f"pond.po:{line}" in said.out + said.err and "T014" in said.out + said.err
    assert path.read_bytes() == before
    assert {("T014", line)} == {(found.code, found.place.line) for found in check_hungarian(game) if found.code in ("T008", "T014")}


@pytest.mark.parametrize(("name", "hint"), [("merge marks", "version control"), ("merge marks of a po editor", "version control"),
                                            ("no closing quote", "quotation mark")])
def test_the_cause_of_a_broken_line_is_named(game, name, hint):
    write_catalogue(game, FAULTS[name][0])
    (found,) = (found for found in check_hungarian(game) if found.code == "T014")
    assert hint in (found.hint_text() or "") and ("quotation" in (found.hint_text() or "")) == (hint == "quotation mark")


@pytest.mark.parametrize(("header", "encoding"), [
    ("Content-Type: text/plain; charset=ISO-8859-2", "iso-8859-2"), ("Content-Type: text/plain; charset=windows-1250", "cp1250"),
    ("Content-Type: text/plain; charset=UTF-8", "utf-8-sig"), ("Content-Type: text/plain", "utf-8"),
])
def test_a_catalogue_is_read_in_its_charset_and_written_in_utf8(game, ludoglot, header, encoding):
    path = write_catalogue(game, SEA_ENTRY.format("nyílt víz, őszi köd").replace("\n", "\r\n"), header, encoding)
    assert read_catalogue(path)["Terrain.sea.name"] == ("sea", "nyílt víz, őszi köd")
    assert not [found for found in check_hungarian(game) if found.code in ("T008", "T014")]
    assert ludoglot("words", "update", str(game)).code == 0
    text = path.read_text(encoding="utf-8")
    assert 'msgstr "nyílt víz, őszi köd"' in text and "charset=UTF-8" in text and text.startswith("# Words.")


@pytest.mark.parametrize(("header", "encoding"), [
    ("Content-Type: text/plain; charset=UTF-8", "cp1250"), ("Content-Type: text/plain; charset=klingon", "utf-8"),
])
def test_wrong_charset_declaration_is_reported(game, ludoglot, header, encoding):
    path = write_catalogue(game, SEA_ENTRY.format("nyílt víz, őszi köd"), header, encoding)
    before = path.read_bytes()
    said = ludoglot("words", "update", str(game))
    assert said.code == 1 and "T008" in said.out + said.err and path.read_bytes() == before
    assert "T008" in {found.code for found in check_hungarian(game)}


@pytest.mark.long
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(said=text(WRITABLE_CHARACTERS, min_size=1), comment=text(WRITABLE_CHARACTERS))
def test_written_translations_can_be_read_again(game, said, comment):
    path, domain = catalogue_path(game / "locale", "hu", "pond"), game_domain(game, DiagnosticList())
    update_catalogues(domain, ["hu"], replacements={"hu": {"Terrain.sea.name": said}})
    lines = path.read_text(encoding="utf-8").split("\n")
    at = lines.index('msgctxt "Terrain.sea.name"')
    path.write_text("\n".join([*lines[:at], *(f"# {line}" for line in comment.split("\n")), *lines[at:]]), encoding="utf-8", newline="")
    update_catalogues(domain, ["hu"])
    assert read_catalogue(path)["Terrain.sea.name"] == ("sea", said)
    assert not [found for found in check_hungarian(game) if found.code in ("T008", "T014")]

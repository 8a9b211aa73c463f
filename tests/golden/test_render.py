"""Checks the frame around a diagnostic: columns, long lines, many findings, other languages, colours, and data."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic, SourceSpan
from ludoglot.dsl.diagnostics.render import (
    char_width,
    diagnostic_data,
    english_text,
    mark_line,
    read_lines,
    render_all,
    render_diagnostic,
    sanitize_argument,
)


def render_frame(line: str, column: int, end: int = 0) -> list[str]:
    found = Diagnostic("R101", SourceSpan("x.rules", 1, column, end or column + 1), {"name": "it"})
    return render_diagnostic(found, read_line=lambda path: [line]).split("\n")[2:4]


@pytest.mark.parametrize("line, column, end, source, run", [
    ("let it = 3", 5, 7, "let it = 3", "    ^^"),
    ("let it = 3", 5, 0, "let it = 3", "    ^^"),                          # one column means the whole word
    ("\tlet\tit", 6, 8, "    let it", "        ^^"),
    ("\u6771\u4eac it", 4, 6, "\u6771\u4eac it", "     ^^"),
    ("\u6771\u4eac it", 1, 3, "\u6771\u4eac it", "^^^^"),
    ("e\u0301 it", 4, 6, "e\u0301 it", "  ^^"),
    ("\uff21 it", 3, 5, "\uff21 it", "   ^^"),
    ("a\x1b[2J it", 7, 9, "a\u241b[2J it", "      ^^"),
    ("\u202eabc it", 6, 8, "\ufffdabc it", "     ^^"),
    ("it", 3, 4, "it", "  ^"),                                             # just after the end
    ("it", 9, 12, "it", "        ^"),
    ("", 1, 2, "", "^"),
])
def test_the_mark_is_under_its_word(line: str, column: int, end: int, source: str, run: str):
    shown, marked = render_frame(line, column, end)
    assert shown.removeprefix(" 1 |").removeprefix(" ") == source
    assert marked == f"   | {run} unknown name"


@pytest.mark.parametrize("column", [1, 40, 500, 4990, 5000])
def test_a_long_line_is_cut_around_the_mark(column: int):
    line = "".join(chr(97 + n % 26) for n in range(5000))
    shown, gap, run = mark_line(line, SourceSpan("x", 1, column, column + 3))
    assert len(shown) <= 124
    assert shown[gap : gap + run] == line[column - 1 : column + 2]


def test_all_parts_of_the_frame():
    place, other = SourceSpan("rules/x.rules", 13, 9, 18), SourceSpan("rules/x.rules", 2, 1, 4)
    found = Diagnostic("R101", place, {"name": "arthropod", "meant": "arachnid"}, "did_you_mean", "DS-CRD-HIB-01", (other,))
    lines = ["", "def spare = 1", *[""] * 10, "  spare: arthropod"]
    assert render_diagnostic(found, read_line=lambda path: lines) == "\n".join([
        'error[R101]: There is nothing called "arthropod" here.',
        "  --> rules/x.rules:13:9",
        "13 |   spare: arthropod",
        "   |         ^^^^^^^^^ unknown name",
        "  --> rules/x.rules:2:1",
        " 2 | def spare = 1",
        "   | ^^^ see also here",
        '   = did you mean "arachnid"?      = explain R101 · clause DS-CRD-HIB-01',
    ])


def test_a_missing_file_gives_no_source_line():
    found = Diagnostic("W103", SourceSpan("nowhere/x.rules", 7, 2, 5), {"name": "f"})
    assert render_diagnostic(found) == 'warning[W103]: "f" is never used.\n  --> nowhere/x.rules:7:2\n   = explain W103'
    assert render_diagnostic(Diagnostic("R111", SourceSpan("games/x"))).split("\n")[1] == "  --> games/x"


def test_the_number_of_findings_is_limited():
    found = [Diagnostic("W103", SourceSpan("x", n, 1, 2), {"name": f"f{n}"}) for n in range(1, 33)]
    text = render_all(found, limit=20)
    assert text.count("warning[") == 20 and text.endswith("\n\nand 12 more")
    assert "more" not in render_all(found[:20], limit=20)
    assert render_all([]) == ""


def test_texts_and_colours_come_from_the_caller():
    asked = []

    def localize(key: str, **args: object) -> str:
        asked.append((key, args))
        return f"<{key}>"

    found = Diagnostic("R101", SourceSpan("x", 1, 1, 3), {"name": "it", "meant": "at"}, "did_you_mean", "A-1")
    shown = render_diagnostic(found, localize, lambda path: ["it"], lambda role, words: f"{role}({words})")
    assert shown.startswith("error(<frame.error>[R101]): <diagnostic.R101.message>\n")
    assert "mark(^^ <diagnostic.R101.note>)" in shown and "source(it)" in shown and "place(x:1:1)" in shown
    assert "help(= <hint.did_you_mean>      = explain R101 · <frame.clause>)" in shown
    assert ("diagnostic.R101.message", {"name": "it", "meant": "at"}) in asked


def test_arguments_are_sanitized():
    found = Diagnostic("R101", SourceSpan("a\x1b[2Jb", 1, 1, 2), {"name": "\x1b]0;x\x07\u202e\n" + "n" * 1000})
    shown = render_diagnostic(found)
    assert "\x1b" not in shown and "\u202e" not in shown and shown.count("\n") == 2 and len(shown) < 500
    assert sanitize_argument("tab\there") == "tab<U+0009>here"


def test_diagnostic_data_for_programs():
    found = Diagnostic("R101", SourceSpan("x.rules", 2, 3, 5), {"name": "it", "meant": "at"}, "did_you_mean", "A-1")
    assert diagnostic_data(found) == {"code": "R101", "severity": "error", "file": "x.rules", "line": 2, "column": 3, "end": 5,
                              "message": 'There is nothing called "it" here.', "hint": 'did you mean "at"?', "clause": "A-1"}
    assert diagnostic_data(Diagnostic("R111", SourceSpan("x")))["hint"] is None


def test_lines_are_split_as_in_the_passes(tmp_path):
    path = tmp_path / "x.rules"
    path.write_bytes("\ufeffone\r\ntwo\x0b\u2028two\rthree\n".encode())
    assert read_lines(str(path)) == ["one", "two\x0b\u2028two", "three", ""]
    assert read_lines(str(tmp_path)) is None and read_lines("\0") is None


def test_english_texts_and_character_widths():
    assert english_text("diagnostic.R101.message", name="x") == 'There is nothing called "x" here.'
    assert (
        english_text("diagnostic.R999.message") == "" and english_text("hint") == "" and english_text("diagnostic.R101.message.more") == ""
    )
    assert [char_width(c) for c in "a\u6771\u0301\u202e"] == [1, 2, 0, 1]

"""Tests the language server through the messages of an editor."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from tmp_files import filled

from .conftest import CLAUSES, GAME, MESSAGES, RULES, TESTS, Editor, position_of_word


def open_rules(editor: Editor, orchard: Path) -> Path:
    """Opens the rules, and waits for their first check."""
    path = orchard / "orchard.rules"
    editor.open(path)
    editor.wait_for_findings(path, lambda found: True)
    return path


def apply_edits(text: str, edits: list[lsp.TextEdit]) -> str:
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        line = lines[edit.range.start.line]
        lines[edit.range.start.line] = line[: edit.range.start.character] + edit.new_text + line[edit.range.end.character :]
    return "\n".join(lines)


def test_a_correct_game_has_no_findings(editor: Editor, orchard: Path) -> None:
    path = orchard / "orchard.rules"
    editor.open(path)
    assert editor.wait_for_findings(path, lambda found: True) == []


def test_a_typo_is_found_and_fixed_before_the_file_is_saved(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)
    wrong = RULES.replace("apples[player] += harvest", "aples[player] += harvest")
    editor.write(path, wrong)
    (found,) = editor.wait_for_findings(path, bool)
    assert (found.code, found.severity, found.source) == ("R101", lsp.DiagnosticSeverity.Error, "ludoglot")
    assert found.message.startswith("Qui non c'è niente che si chiami «aples»")
    assert (found.range.start, found.range.end) == (lsp.Position(9, 30), lsp.Position(9, 35))
    asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(path.as_uri()), found.range, lsp.CodeActionContext([found]))
    (action,) = editor.wait(editor.client.text_document_code_action_async(asked))
    assert action.title == "Scrivi invece «apples»"
    assert apply_edits(wrong, action.edit.changes[path.as_uri()]) == RULES
    editor.write(path, RULES)
    assert editor.wait_for_findings(path, lambda found: not found) == []


def test_a_mistake_in_one_file_is_reported_in_another(editor: Editor, orchard: Path) -> None:
    rules, data = open_rules(editor, orchard), orchard / "game.yaml"
    editor.open(data)
    editor.wait_for_findings(data, lambda found: True)
    editor.write(data, GAME.replace("numbers: {goal: 6}", "numbers: {gaol: 6}"))
    with editor.condition:
        assert editor.condition.wait_for(
            lambda: any(one.code == "R101" for published in editor.published[rules.as_uri()] for one in published.diagnostics), 60)
    editor.write(data, GAME.replace("players: 2", "players: many"))
    (found,) = editor.wait_for_findings(data, bool)
    assert found.range.start.line == 2


def test_scenarios_and_texts_are_checked(editor: Editor, orchard: Path) -> None:
    open_rules(editor, orchard)
    path = orchard / "tests" / "cards.yaml"
    editor.open(path)
    editor.write(path, TESTS.replace("effect[harvest]", "effect[harvst]"))
    (found,) = editor.wait_for_findings(path, bool)
    assert found.code == "Y018" and "effect[harvest]" in found.message
    texts = orchard / "messages.yaml"
    editor.open(texts)
    editor.write(texts, MESSAGES.replace("ask.game.card", "ask.game.crad"))
    (found,) = editor.wait_for_findings(texts, bool)
    assert found.code == "W209"


def test_columns_count_utf_16_units(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)
    letter = "\U0001d49c"                                          # one letter, two units of UTF-16
    editor.write(path, RULES.replace("state row: set of Card", f"state {letter}{letter}: set of Crad"))
    found = editor.wait_for_findings(path, lambda found: any(one.code == "R102" for one in found))
    here = next(one for one in found if one.code == "R102")
    assert here.range == lsp.Range(lsp.Position(1, 19), lsp.Position(1, 23))


def escape_path(path: Path, safe: str) -> str:
    """Returns a file URI that escapes everything except letters, digits and these characters."""
    return "file://" + quote(path.as_posix(), safe=safe)


@pytest.mark.parametrize("safe", ["/!$&'()*+,:=@~", *(pytest.param(safe, marks=pytest.mark.long) for safe in ("/", "/+:", "/ áéíóöőúüű'"))])
def test_unsaved_text_is_found_for_each_escaping_of_the_path(editor: Editor, tmp_path: Path, safe: str) -> None:
    folder = tmp_path / "c:" / "Ágota's 50% + (2) games; a&b=c" / "one#two" / "orchard"
    path = filled(folder, {"game.yaml": GAME, "orchard.rules": RULES, "messages.yaml": MESSAGES}) / "orchard.rules"
    editor.open(path, escape_path(path, safe))
    editor.wait_for_findings(path, lambda found: True)
    wrong = RULES.replace("row = set(card in Card)", "row = set(card in Card where card == harvest or crad == rest)")
    editor.write(path, wrong)
    found = editor.wait_for_findings(path, bool)
    start = position_of_word(path, wrong, "crad")[1]
    assert [(one.code, one.range) for one in found] == [("R101", lsp.Range(start, lsp.Position(start.line, start.character + 4)))]
    editor.write(path, RULES)
    places = lsp.DefinitionParams(lsp.TextDocumentIdentifier(editor.uris[path]), position_of_word(path, RULES, "effect", 1)[1])
    assert {one.uri for one in editor.wait(editor.client.text_document_definition_async(places))} == {editor.uris[path]}
    editor.close(path)


@pytest.mark.parametrize(("word", "nth", "wanted"), [
    ("apples", 1, ["state apples[Player]: 0..99", "Parte della posizione"]),
    ("effect", 1, ["proc effect[Card](player: Player)", "Una procedura"]),
    ("effect", 2, ["proc effect[harvest](player: Player)", "Una procedura"]),
    ("goal", 1, ["goal = 6", "Un numero del gioco"]),
    ("player", 1, ["player: Player", "Un nome che vale solo in questa dichiarazione."]),
    ("harvest", 1, ["harvest: Card", "Harvest", "Take 3 apples."]),
    ("OR-01", 1, ["OR-01", "Players take turns."]),
    ("rounds", 1, ["Ripete i giri"]),
    ("or stop", 1, ["`or stop`", "Termina la procedura se"]),
    ("any", 1, ["Indica se ce n'è almeno uno."]),
    ("ripe", 1, ["Card.ripe: bool"]),
])
def test_hover_describes_a_word(editor: Editor, orchard: Path, word: str, nth: int, wanted: list[str]) -> None:
    path = open_rules(editor, orchard)
    found = editor.wait(editor.client.text_document_hover_async(lsp.HoverParams(*position_of_word(path, RULES, word, nth, 1))))
    assert found is not None
    for part in wanted:
        assert part in found.contents.value
    editor.close(path)


def test_a_name_leads_to_its_declaration(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)

    def find_declaration(word: str, nth: int) -> tuple[str, int]:
        asked = lsp.DefinitionParams(*position_of_word(path, RULES, word, nth, 1))
        (found,) = editor.wait(editor.client.text_document_definition_async(asked))
        return Path(found.uri).name, found.range.start.line

    assert find_declaration("apples", 2) == ("orchard.rules", 0)
    assert find_declaration("goal", 1) == ("game.yaml", 4)
    assert find_declaration("ripe", 1) == ("game.yaml", 9)
    assert find_declaration("harvest", 1) == ("game.yaml", 12)
    assert find_declaration("Card", 2) == ("game.yaml", 7)
    assert find_declaration("OR-01", 1) == ("clauses.yaml", 0)
    assert find_declaration("player", 3) == ("orchard.rules", 5)   # `player == bea`: of the rounds, not of a procedure


def test_the_declarations_of_a_file_are_listed(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)
    asked = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(path.as_uri()))
    found = editor.wait(editor.client.text_document_document_symbol_async(asked))
    assert [one.name for one in found] == ["apples", "row", "game", "effect", "effect", "rich"]


def test_references_to_a_name_are_found_in_every_file(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)
    asked = lsp.ReferenceParams(lsp.ReferenceContext(True), *position_of_word(path, RULES, "apples", 1, 2))
    found = editor.wait(editor.client.text_document_references_async(asked))
    assert {(Path(one.uri).name, one.range.start.line) for one in found} == {
        ("orchard.rules", 0), ("orchard.rules", 5), ("orchard.rules", 9), ("orchard.rules", 12), ("orchard.rules", 14),
        ("cards.yaml", 3), ("cards.yaml", 5)}


def test_a_name_is_renamed_in_rules_data_scenarios_and_texts(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)

    def rename(word: str, name: str) -> dict[str, str]:
        asked = lsp.RenameParams(*position_of_word(path, RULES, word, 1, 1), name)
        found = editor.wait(editor.client.text_document_rename_async(asked))
        texts = {"orchard.rules": RULES, "game.yaml": GAME, "cards.yaml": TESTS, "messages.yaml": MESSAGES, "clauses.yaml": CLAUSES}
        return {Path(uri).name: apply_edits(texts[Path(uri).name], edits) for uri, edits in found.changes.items()}

    found = rename("apples", "fruit")
    assert found["orchard.rules"] == RULES.replace("apples[", "fruit[")        # `harvest.apples` is something else and stays
    assert found["cards.yaml"] == TESTS.replace("apples: {", "fruit: {")
    assert found["messages.yaml"] == MESSAGES.replace("state.apples", "state.fruit")
    found = rename("harvest", "gather")
    assert found["orchard.rules"] == RULES.replace("harvest", "gather")
    assert found["game.yaml"] == GAME.replace("harvest:", "gather:")
    assert found["cards.yaml"] == TESTS.replace("effect[harvest]", "effect[gather]")


@pytest.mark.parametrize(("word", "name", "why"), [
    ("apples", "row", "C'è già qualcosa che si chiama «row»."),
    ("card in row", "row", "C'è già qualcosa che si chiama «row»."),
    ("apples", "choose", "«choose» non è un nome valido nelle regole."),
    ("apples", "Big one", "«Big one» non è un nome valido nelle regole."),
])
def test_an_invalid_new_name_is_rejected_with_the_reason(editor: Editor, orchard: Path, word: str, name: str, why: str) -> None:
    path = open_rules(editor, orchard)
    with pytest.raises(JsonRpcException, match=why.replace(".", r"\.")):
        editor.wait(editor.client.text_document_rename_async(lsp.RenameParams(*position_of_word(path, RULES, word, 1, 1), name)))


def test_a_choice_that_texts_use_cannot_be_renamed(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)
    asked = lsp.RenameParams(*position_of_word(path, RULES, "card in row", 1, 1), "chosen")
    with pytest.raises(JsonRpcException, match=r"W209 in messages\.yaml:1"):
        editor.wait(editor.client.text_document_rename_async(asked))


def test_a_new_name_that_would_break_the_game_is_rejected(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)
    with pytest.raises(JsonRpcException, match="causerebbe un errore"):
        editor.wait(editor.client.text_document_rename_async(lsp.RenameParams(*position_of_word(path, RULES, "card in row"), "player")))


@pytest.mark.parametrize(("before", "offered", "not_offered"), [
    ("    ch", {"choose", "move", "effect", "apples"}, {"where", "proc"}),
    ("    choose card in row ", {"where", "by", "or stop"}, {"proc", "apples"}),
    ("    if card.", {"ripe"}, {"apples", "choose"}),
    ("    apples[player] += harvest.", {"apples", "ripe"}, {"row"}),
    ("    stop @", {"@OR-01"}, {"row"}),
    ("state other: ", {"set", "bag", "Card", "Player"}, {"choose", "apples"}),
    ("    for c in ", {"row", "Card", "player"}, {"proc", "where"}),
])
def test_completion_offers_possible_words(editor: Editor, orchard: Path, before: str, offered: set[str], not_offered: set[str]) -> None:
    path = open_rules(editor, orchard)
    text = RULES + ("" if before.startswith("state") else "\nproc effect_of(card, player):\n") + before
    editor.write(path, text)
    position = lsp.Position(text.count("\n"), len(before))
    asked = lsp.CompletionParams(lsp.TextDocumentIdentifier(path.as_uri()), position)
    found = {item.label for item in editor.wait(editor.client.text_document_completion_async(asked)).items}
    assert offered <= found
    assert not not_offered & found


def test_a_file_is_formatted(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)
    editor.write(path, RULES.replace("apples[player] += harvest.apples", "apples[player]+=harvest.apples"))
    options = lsp.FormattingOptions(4, True)
    asked = lsp.DocumentFormattingParams(lsp.TextDocumentIdentifier(path.as_uri()), options)
    (edit,) = editor.wait(editor.client.text_document_formatting_async(asked))
    assert edit.new_text == RULES


def test_a_pack_is_checked_with_its_game(editor: Editor, orchard: Path) -> None:
    pack = orchard.parent / "richer.yaml"
    pack.write_text("house: richer\nfor: orchard\nset:\n  Card.harvst.apples: 5\n", encoding="utf-8")
    editor.open(pack)
    found = editor.wait_for_findings(pack, bool)
    assert found[0].range.start.line == 3 and "harvest" in found[0].message
    editor.write(pack, "house: richer\nfor: orchard\nset:\n  Card.harvest.apples: 5\n")
    assert editor.wait_for_findings(pack, lambda found: not found) == []


def test_an_error_that_a_pack_causes_is_reported_in_the_pack(editor: Editor, orchard: Path) -> None:
    pack = orchard.parent / "poorer.yaml"
    pack.write_text("house: poorer\nfor: orchard\nremove: [state apples]\n", encoding="utf-8")
    editor.open(pack)
    found = editor.wait_for_findings(pack, lambda found: any(one.related_information for one in found))
    assert found[0].range.start.line == 2 and "apples" in found[0].message
    (there,) = found[0].related_information
    assert there.location.uri == (orchard / "orchard.rules").as_uri()
    editor.write(pack, "house: poorer\nfor: orchard\nrules: |\n  always poor: rich(ann) or apples[ann] < 0\n  law: 1\n")
    assert editor.wait_for_findings(pack, bool)[0].range.start.line == 4


def test_a_pack_folder_is_checked_as_a_whole(editor: Editor, orchard: Path) -> None:
    folder = orchard / "packs" / "windy"
    folder.mkdir(parents=True)
    (folder / "house.yaml").write_text("house: windy\nfor: orchard\n", encoding="utf-8")
    (folder / "windy.rules").write_text("instead of effect[rest]:\n", encoding="utf-8")
    data = folder / "house.yaml"
    editor.open(data)
    editor.wait_for_findings(data, lambda found: True)
    editor.write(data, "house: windy\nfor: orchard\nset:\n  gaol: 7\n")
    (found,) = editor.wait_for_findings(data, bool)
    assert found.range.start.line == 3 and "goal" in found.message


@pytest.mark.long
def test_unsaved_text_is_dropped_after_its_file_is_closed(editor: Editor, orchard: Path) -> None:
    path = open_rules(editor, orchard)
    editor.write(path, RULES.replace("state row", "sate row"))
    editor.wait_for_findings(path, bool)
    editor.close(path)
    editor.versions.pop(path.as_uri())
    editor.wait_for_findings(path, lambda found: not found)

"""Checks the findings of `check` about the texts, numbers, and scenarios of a pack."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.packs.bundle import read_bundle
from ludoglot.dsl.packs.manifest import read_pack
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.project.check import check_game

from .conftest import make_pack, try_load_game

MESSAGES = """
ask.buy.cake: "{who}: which cake?"
ask.buy.extra: "{who}: and now?"
option.buy.extra.rest: Rest
option.buy.extra.wait: "Wait at {cell}"
state.coins: Coins
"""


@pytest.fixture
def kiosk_with_texts(kiosk):
    (kiosk / "messages.yaml").write_text(MESSAGES, encoding="utf-8")
    (kiosk / "clauses.yaml").write_text("KI-BUY-05: Who has 2 coins or more may buy.\n", encoding="utf-8")
    rules = kiosk / "kiosk.rules"
    rules.write_text(rules.read_text().replace("coins[player] > 0  ", "coins[player] >= least  "), encoding="utf-8")
    data = kiosk / "game.yaml"
    text = data.read_text().replace("days: 2}", "days: 2, least: 2}")
    data.write_text(text.replace('"Worth {price}."}\npieces', '"Worth {price}, or 1 of 30."}\npieces'), encoding="utf-8")
    return kiosk


def find_findings(folder, text: str, *codes: str) -> list:
    findings = DiagnosticList()
    check_game(find_game_location(str(folder)), [make_pack(text)], findings)
    return [one for one in findings.in_source_order() if one.code in codes]


@pytest.mark.long_cases("words:\\n  stat.coins: {en: Money, it: Soldi}-4-state.coins")
@pytest.mark.parametrize(("text", "line", "meant"), [
    ("words: {state.coin: Money}", 3, "state.coins"),
    ("words:\n  stat.coins: {en: Money, it: Soldi}", 4, "state.coins"),
    ("words: {attribute.Cake.prise: Price}", 3, "attribute.Cake.price"),
    ("words: {Cake.pie.txt: Good}", 3, "Cake.pie.text"),
    ("nouns: {Cake.pei: {en: {sg: pie, pl: pies}}}\nset: {purse: 6}", 3, "Cake.pie"),
    ("words: {state.coins: Money, phase.game.name: The game, Cake.name: cake, panel.coins: Purses, game.text: Buy.}", 0, ""),
    ("add: {Cake.tart: {name: tart}}\nrules: 'proc effect[tart](player): stop'\nwords: {label.Cake.tart: T}", 0, ""),
    ("rules: 'state day: 0..9'\nwords: {state.day: Day}", 0, ""),
    ("words: {Player.player_3.name: The fox}", 0, ""),
    ("words: {Player.player_4.name: The fox}", 3, "Player.player_3.name"),
    ("table: {panels: [{name: purses, counters: [coins]}]}\nwords: {panel.purses: Purses}", 0, ""),
])
def test_texts_for_unknown_keys_are_reported(kiosk_with_texts, text, line, meant):
    told = find_findings(kiosk_with_texts, text, "W405")
    assert [(one.place.line, one.args["meant"]) for one in told] == ([(line, meant)] if line else [])


@pytest.mark.parametrize(("text", "hints"), [
    ("words: {KI-BUY-05: 'Buy.'}", ["under `clauses`"]),
    ("words: {n.coin: {sg: coin, pl: coins}}", ["under `nouns`"]),
    ("words: {n.coin: coin}", ["under `nouns`"]),
    ("clauses: {n.coin: {sg: coin, pl: coins}}", ["under `nouns`"]),
    ("clauses: {event.sold: 'Sold.'}", ["under `words`"]),
    ("nouns: {event.sold: 'Sold.', KI-BUY-05: 'Buy.'}", ["under `words`", "under `clauses`"]),
    ("nouns: {event.sold: {en: {sg: a, pl: b}}, KI-BUY-05: {en: {sg: a, pl: b}}}", ["under `words`", "under `clauses`"]),
    ("nouns: {n.coin: {en: {sg: coin, pl: coins}}}", ["for example `{n}~n.coin`"]),
    ("nouns: {n.coin: {en: {sg: coin, pl: coins}}}\nset: {text: '{purse}~n.coin.'}\nfits: text", []),
    ("nouns: {n.coin: {en: {sg: coin, pll: coins}}}\nset: {text: '{purse}~n.coin.'}\nfits: text", ['"pl"?']),
    ("nouns: {n.coin: {itt: {sg: soldo, pl: soldi}}}\nset: {text: '{purse}~n.coin.'}\nfits: text", ['"it"?']),
    ("over: {other: [Cake.pie.prise]}\nset: {Cake.pie.price: 2}", ['"Cake.pie.price"?']),
    ("over: {other: [Cake.pie.price]}\nset: {Cake.pie.price: 2}", []),
])
def test_a_key_in_the_wrong_section_is_reported_with_the_right_one(kiosk_with_texts, text, hints):
    told = find_findings(kiosk_with_texts, text, "W405", "W413", "H012", "T009", "Y010", "Y012", "Y014")
    assert [one.place.line for one in told] == [3] * len(hints)
    for one, hint in zip(told, hints):
        assert (one.hint_text() or "").endswith(hint), one


def read_folder_pack(folder, files: dict[str, str]):
    (folder / "house.yaml").write_text("house: folder\nfor: kiosk\n", encoding="utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return read_bundle(folder, DiagnosticList())


def test_texts_of_a_folder_pack_are_reported_in_their_own_file(kiosk_with_texts, tmp_path):
    (tmp_path / "pack").mkdir()
    bundle = read_folder_pack(tmp_path / "pack", {"messages.yaml": "event.sold: Sold.\nCake.pei.text: Good.\nKI-BUY-05: Buy.\n"})
    findings = DiagnosticList()
    check_game(find_game_location(str(kiosk_with_texts)), [bundle], findings)
    told = [one for one in findings.in_source_order() if one.place.path.startswith(bundle.shown)]
    assert [(one.code, one.place.path.rpartition("/")[2], one.place.line) for one in told] == [
        ("W209", "messages.yaml", 1), ("W405", "messages.yaml", 2), ("W405", "messages.yaml", 3)]


@pytest.mark.parametrize(("files", "meant"), [
    ({"messages.yaml": "event.sold: Sold.\n"}, None),
    ({"more.rules": "def one = 1\n"}, None),
    ({"mesages.yaml": "event.sold: Sold.\n"}, "messages.yaml"),
    ({}, ""),
])
def test_a_pack_is_empty_only_without_content_in_any_file(tmp_path, files, meant):
    findings = DiagnosticList()
    read_pack(read_folder_pack(tmp_path, files), findings)
    assert [(one.code, one.args["meant"]) for one in findings.items] == ([] if meant is None else [("H010", meant)])


CHEAT_PACK = "steps:\n  - after: 'buy: rest'\n    rules: |\n      cheat: coins[player] += 5\n"
QUESTION_PACK = "rules: |\n  proc give(player) by player:\n      choose cake in Cake\n      tell gave(cake)\n"
QUESTION_PACK += "steps: [{before: KI-BUY-02, rules: give(player)}]\n"


@pytest.mark.parametrize(("text", "lacking"), [
    (CHEAT_PACK, ["option.buy.extra.cheat"]),
    (CHEAT_PACK + "words: {option.buy.extra.cheat: Cheat}", []),
    (QUESTION_PACK, ["ask.give.cake", "event.gave"]),
    (QUESTION_PACK + "words: {ask.give.cake: 'Which one?', event.gave: 'It was {cake}.'}", []),
])
def test_new_choice_requires_texts(kiosk_with_texts, text, lacking):
    told = find_findings(kiosk_with_texts, text, "W406")
    assert [one.args["name"] for one in told] == lacking
    assert all(one.place.path == "one.yaml" and one.place.line > 3 for one in told)


@pytest.mark.long
def test_game_without_texts_requires_none(kiosk):
    assert find_findings(kiosk, QUESTION_PACK, "W406") == []


@pytest.mark.long_cases("set: {least: 3}\\nclauses: {KI-BUY-05: 'Who has {least} coins or more may buy.'}-names2")
@pytest.mark.parametrize(("text", "names"), [
    ("set: {least: 3}", [("KI-BUY-05", "least", 2)]),
    ("set: {least: 3}\nfits: KI-BUY-05", []),
    ("set: {least: 3}\nclauses: {KI-BUY-05: 'Who has {least} coins or more may buy.'}", []),
    ("set: {least: 3}\nclauses: {KI-BUY-05: {en: 'You need {least}.', it: 'Servono 2 monete.'}}", [("KI-BUY-05", "least", 2)]),
    ("set: {least: 2}", []),
    ("set: {Cake.pie.price: 4}", []),  # the number is in braces, and 30 does not contain the number 3
    ("set: {Cake.pie.price: 4, Cake.pie.text: 'Worth 3.'}", [("Cake.pie.text", "Cake.pie.price", 3)]),
])
def test_literal_old_numbers_are_reported(kiosk_with_texts, text, names):
    assert [(one.args["name"], one.args["value"], one.args["found"]) for one in find_findings(kiosk_with_texts, text, "W407")] == names


def test_unknown_names_in_pack_tests_are_reported(kiosk_with_texts):
    tests = "tests:\n  - name: a slip\n    run: buys(player_1)\n    given: {coin: {}}\n    expect: {solt: 1}"
    told = find_findings(kiosk_with_texts, f"set: {{purse: 6}}\n{tests}", "Y018")
    assert [(one.args["name"], one.args["meant"], one.place.line) for one in told] == [
        ("buys", "buy", 6), ("coin", "coins", 7), ("solt", "sold", 8)]


@pytest.mark.parametrize(("text", "code", "line", "args"), [
    ("set: {Cake.pie.price: +1}", "Y019", 3, {"found": "+1", "number": "1"}),
    ("add:\n  numbers: {tip: +12}", "Y019", 4, {"found": "+12"}),
    ("rules: |\nproc more(player):\n    coins[player] += 1", "Y020", 3, {"name": "rules"}),
    ("steps:\n  - after: KI-BUY-02\n    rules: |\n    sold += 1", "Y020", 6, {"name": "rules"}),
    ("rules: |\n  proc more(player):\n      sold += 1\n proc less(player): sold -= 1", "Y020", 6, {"name": "rules"}),
])
def test_ambiguous_yaml_is_reported(kiosk, text, code, line, args):
    _, told = try_load_game(kiosk, make_pack(text))
    assert [(one.code, one.place.line) for one in told] == [(code, line)]
    assert {key: told[0].args[key] for key in args} == args


def test_a_hint_quotes_code_once(kiosk):
    _, told = try_load_game(kiosk, make_pack("set: {Cake.pie: {price: 4}}"))
    assert [one.hint_text() for one in told] == ["write `Cake.pie.price: 4` instead"]


def test_a_signed_number_in_quotes_is_a_text(kiosk):
    assert try_load_game(kiosk, make_pack("set: {Cake.pie.name: '+1'}"))[0] is not None


def test_numeric_attribute_rejects_text(kiosk):
    data = kiosk / "game.yaml"
    data.write_text(data.read_text().replace("pie: {name: pie,", "pie: {name: pie, crumbs: 2,"), encoding="utf-8")
    _, told = try_load_game(kiosk, make_pack("set: {Cake.pie.crumbs: many}"))
    assert [(one.code, str(one.args["wanted"]), one.place.line) for one in told] == [("G014", "a whole number", 3)]


@pytest.mark.parametrize(("written", "meant"), [("{pie.price}", "{pie_price}"), ("{Cake.pie.price}", "{pie_price}"), ("{pie_price}", None)])
def test_dotted_field_names_are_reported(kiosk_with_texts, written, meant):
    text = f"clauses: {{KI-BUY-05: 'It costs {written}.'}}\nfits: KI-BUY-05\nset: {{purse: 6}}"
    told = find_findings(kiosk_with_texts, text, "T003", "T012")
    assert [one.args["meant"] for one in told] == ([meant] if meant else [])


def test_missing_replacement_file_is_reported(tmp_path):
    pack = tmp_path / "windy"
    pack.mkdir()
    (pack / "house.yaml").write_text("house: windy\nfor: hex\nreplace: [turns.rules, gaems.rules]\n", encoding="utf-8")
    (pack / "games.rules").write_text("def one = 1\n", encoding="utf-8")
    (pack / "turns.rules").write_text("def two = 2\n", encoding="utf-8")
    findings = DiagnosticList()
    read_pack(read_bundle(pack, findings), findings)
    assert [(one.code, one.place.line, one.args["path"], one.args["meant"]) for one in findings.items] == [
        ("Y001", 3, f"{pack}/gaems.rules", "games.rules")]


NUMBER_PACK = "rules: |\n  proc give(player) by player:\n      choose n in 0..3\n      sold = n\n"
NUMBER_PACK += "steps: [{before: KI-BUY-02, rules: give(player)}]\n"
NUMBER_PACK += "words:\n  ask.give.n: 'How many?'\n  option.give.n: 'Give {n}'\n  did.give.n: '{who} gives {n}.'\n"


@pytest.mark.parametrize(("more", "codes"), [
    ("", {"W212"}),
    ("  option.give.n.none: Give none\n  did.give.n.none: '{who} gives none.'\n", set()),
    ("  option.give.n.none: Give none\n  did.give.n.none: '{woh} gives none.'\n", {"W208"}),
])
def test_number_choice_requires_a_text_for_zero(kiosk_with_texts, more, codes):
    assert {one.code for one in find_findings(kiosk_with_texts, NUMBER_PACK + more, "W208", "W209", "W212")} == codes


@pytest.fixture
def kiosk_with_descriptions(kiosk_with_texts):
    """The stall with sentences that mention its players, cakes, and numbers in words."""
    data = kiosk_with_texts / "game.yaml"
    data.write_text(data.read_text() + 'text: "For 2 to 3 players, on a street of three cells."\n', encoding="utf-8")
    (kiosk_with_texts / "clauses.yaml").write_text("KI-BUY-05: Who has two coins or more may buy.\nKI-BUY-01: A cake is a bun or a pie.\n"
                                                   "KI-DAY-01: At most three players buy at night.\n", encoding="utf-8")
    return kiosk_with_texts


@pytest.mark.parametrize(("text", "names"), [
    ("set: {players: 2..4}", ["KI-DAY-01", "text"]),
    ("set: {players: 2..4}\nfits: [text, KI-DAY-01]", []),
    ("set: {players: 2..4, text: For 2 to 4 players.}\nclauses: {KI-DAY-01: All buy.}", []),
    ("set: {players: 3}", ["text"]),
    ("add: {Cake.tart: {name: tart}}\nrules: 'proc effect[tart](player): stop'", ["KI-BUY-01"]),
    ("add: {Cake.tart: {name: tart}}\nrules: 'proc effect[tart](player): stop @KI-BUY-01'\n"
     "clauses: {KI-BUY-01: 'A bun, a pie or a tart.'}", []),
    ("remove: Cake.bun\nreplace: |\n  def open(cake, player) = coins[player] >= least\nclauses: {KI-BUY-05: All may buy.}", ["KI-BUY-01"]),
    ("set: {purse: 6}", []),
])
def test_sentences_about_changed_players_or_members_are_reported(kiosk_with_descriptions, text, names):
    assert [name for one in find_findings(kiosk_with_descriptions, text, "W412") for name in str(one.args["names"]).split(", ")] == names


CHANGED_RULE = "steps: [{instead: KI-BUY-05, rules: 'coins[player] > 3 @KI-BUY-05'}]\n"


@pytest.mark.parametrize(("text", "names"), [
    (CHANGED_RULE, ["text"]),
    (CHANGED_RULE.replace(" @KI-BUY-05", ""), ["text"]),                              # the clause is removed
    (CHANGED_RULE + "clauses: {KI-BUY-05: Who has four coins or more may buy.}", ["text"]),
    (CHANGED_RULE + "fits: text", []),
    (CHANGED_RULE + "set: {text: The rich may buy.}", []),
    ("steps: [{drop: 'buy: wait'}]", []),                                      # the text does not mention it
])
def test_game_text_repeating_a_changed_clause_is_reported(kiosk_with_descriptions, text, names):
    data = kiosk_with_descriptions / "game.yaml"
    data.write_text(data.read_text().replace("For 2 to 3", "Who has two coins or more may buy. For 2 to 3"), encoding="utf-8")
    assert [name for one in find_findings(kiosk_with_descriptions, text, "W412") for name in str(one.args["names"]).split(", ")] == names


@pytest.mark.parametrize(("text", "names"), [
    ("set: {least: 3}", ["KI-BUY-05"]),                                        # “two” is written as a word
    ("set: {street.columns: 4}", ["text"]),
])
def test_old_numbers_written_as_words_are_reported(kiosk_with_descriptions, text, names):
    assert [one.args["name"] for one in find_findings(kiosk_with_descriptions, text, "W407")] == names


MANY_MISTAKES = """set:
  Cake.pie.price: +1
  Cake.pei.price: 2
  nosuch: 5
  purse: two
  days: 3
  days: 4
remove: proc sell
place: {Cake.bun: 3}
rules: |
  proc more(player): coins[player] = player
"""


def test_mistakes_of_many_kinds_are_reported_at_once(kiosk_with_texts):
    """Checks that one wrong value does not hide the mistakes of the other kinds."""
    data = [("Y019", 4), ("H002", 5), ("H002", 6), ("G014", 7), ("Y006", 9), ("H006", 10), ("Y012", 11)]
    codes = [*(code for code, _ in data), "R201"]
    wanted = [*data, ("R201", 13)]
    assert [(one.code, one.place.line) for one in find_findings(kiosk_with_texts, MANY_MISTAKES, *codes)] == wanted


@pytest.mark.parametrize("broken", ["set: [", "rules: |\nproc more(player): stop", "for_version: 9"])
def test_partly_readable_pack_is_not_applied(kiosk_with_texts, broken):
    """Ludoglot does not apply a pack that it can read only in part, because the missing part would cause misleading findings."""
    findings = DiagnosticList()
    text = f"{broken}\nsteps: [{{before: KI-NOT-01, rules: stop}}]\n"
    check_game(find_game_location(str(kiosk_with_texts)), [make_pack(text)], findings)
    assert {one.code for one in findings.errors} <= {"Y003", "Y006", "Y017", "Y020", "H019"}


@pytest.mark.parametrize(("clause", "text", "names"), [
    ("Whoever has at least two coins is allowed to buy a cake.", "Anybody with two coins may buy cakes.", ["text"]),   # different words
    ("Whoever has at least two coins is allowed to buy a cake.", "The last one at the street wins.", []),
    ("The seeds move anticlockwise.", "Take the coins. Seeds are moved anticlockwise.", ["text"]),                # different forms
])
def test_game_text_paraphrasing_a_changed_clause_is_reported(kiosk_with_descriptions, clause, text, names):
    (kiosk_with_descriptions / "clauses.yaml").write_text(
        f"KI-BUY-05: {clause}\nKI-BUY-01: The shop has buns.\nKI-DAY-01: A day ends at night.\n", encoding="utf-8")
    data = kiosk_with_descriptions / "game.yaml"
    data.write_text(data.read_text().replace("For 2 to 3 players, on a street of three cells.", text), encoding="utf-8")
    findings = find_findings(kiosk_with_descriptions, CHANGED_RULE, "W412")
    assert [name for one in findings for name in str(one.args["names"]).split(", ")] == names


@pytest.mark.parametrize(("other", "names"), [("KI-SET-09", ["KI-SET-09"]), ("KI-DAY-01", [])])
def test_uncited_clauses_are_compared_with_a_changed_clause(kiosk_with_descriptions, other, names):
    old = "Whoever has at least two coins is allowed to buy a cake."
    clauses = f"KI-BUY-05: {old}\n{other}: {old}\nKI-SET-08: A day ends at night.\n"
    (kiosk_with_descriptions / "clauses.yaml").write_text(clauses, encoding="utf-8")
    assert [one.args["names"] for one in find_findings(kiosk_with_descriptions, CHANGED_RULE, "W412")] == names


@pytest.mark.parametrize(("change", "names"), [
    ("replace: 'def allowed(player) = coins[player] > 1'", "KI-BUY-06"),
    ("steps: [{after: 'allowed: begin', rules: 'sold < 9'}]", "KI-BUY-06"),
    ("replace: 'def allowed(player) = coins[player] > 1'\nfits: KI-BUY-06", ""),
    ("replace: 'def allowed(player) = coins[player] > 1'\nclauses: {KI-BUY-06: 'Whoever has two coins may buy.'}", ""),
    ("replace: 'def allowed(player) = coins[player] > 1 @KI-BUY-05'", ""),
])
def test_a_changed_def_without_clauses_is_described_where_it_is_used(kiosk, change, names):
    """The clause of the rule that uses the def describes it."""
    rules = kiosk / "kiosk.rules"
    rules.write_text(rules.read_text().replace("or stop        @01", "and allowed(player) or stop        @06")
                     + "\ndef allowed(player) where:\n    coins[player] > 0\n")
    (kiosk / "clauses.yaml").write_text("\n".join(f"KI-BUY-0{n}: Sentence {n}." for n in range(1, 7)))
    assert [one.args["names"] for one in find_findings(kiosk, change, "W412")] == ([names] if names else [])

"""Checks the texts of Dominant Species: all exist in four languages, and every sentence is complete for every value in its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.types.types import BagOf, Int, ListOf, MemberOf, OptionalOf, SetOf
from ludoglot.engine.i18n import Noun, game_localizer, readers
from ludoglot.engine.i18n.catalogue import catalogue_status
from ludoglot.engine.i18n.check_texts import check_domain
from ludoglot.engine.i18n.languages import LANGUAGES
from ludoglot.engine.i18n.message_sources import game_domain
from ludoglot.engine.i18n.placeholders import clause_values
from ludoglot.engine.i18n.template import parse_template
from ludoglot.engine.narration.narrator import Narrator
from shared_games import shared

AMOUNTS = (0, 1, 2, 5, 11)
LABEL_COUNT = 6                      # number of cells and corners tried: enough to meet each way they sound


@pytest.fixture(scope="module")
def games(rules):
    """Games that together contain every decision.

    They cover both ways to deal, Ice Sheet with and without declining, and the fewest and the most players."""
    folder = rules / "dominant-species"
    return [shared(folder, 2), shared(folder, 6, {"dealing": "choice", "ice_sheet_action": "optional"})]


@pytest.fixture(scope="module")
def domain(rules):
    findings = DiagnosticList()
    found = game_domain(rules / "dominant-species", findings)
    assert not findings.items
    return found


@pytest.fixture(scope="module")
def decisions(games):
    return {kind.key: kind for game in games for kind in game.module.decisions}


@pytest.fixture(scope="module")
def events(games):
    return {event.key: event for game in games for event in game.module.events}


@pytest.fixture(params=LANGUAGES)
def words(request, domain, rules):
    return game_localizer(request.param, domain.name, rules / "dominant-species", domain.english)


@pytest.fixture
def strict_localizer(words, monkeypatch):
    """A localizer that fails instead of using English, or a wording that avoids a missing form."""

    def neutral(self, thing, markers):
        pytest.fail(f"{words.lang}: no form of {thing.key} for {markers}")

    def english(self, key, **args):
        pytest.fail(f"{words.lang}: no text {key}")

    monkeypatch.setattr(type(words.grammar), "neutral", neutral)
    if words.lang != "en":
        monkeypatch.setattr(words, "_source_localizer", type("Nobody", (), {"text": english})(), raising=False)
    return words


def message_keys(kind) -> dict[str, list]:
    """Returns every message of a decision, with the slots it may use in addition to the names in scope."""
    slots = [slot for choice in kind.choices for slot in choice.slots]
    found: dict[str, list] = {f"ask.{kind.key}": []}
    if kind.optional:
        found |= {f"decline.{kind.key}": [], f"did.{kind.key}.decline": []}
    if any(choice.name for choice in kind.choices):
        for choice in kind.choices:
            found |= {f"option.{kind.key}.{choice.name}": choice.slots, f"did.{kind.key}.{choice.name}": choice.slots}
    else:
        found |= {f"option.{kind.key}": slots, f"did.{kind.key}": slots}
    if kind.secret:
        found[f"did.{kind.key}.others"] = slots
    return found


def zero_message_keys(kind) -> set[str]:
    """Returns the messages of a decision for the choice of nothing, if its number may be 0."""
    numbers = [slot.type for choice in kind.choices for slot in choice.slots if slot.name == "n"]
    low = any(isinstance(number, Int) and (number.low is None or number.low <= 0) for number in numbers)
    return {f"{word}.{kind.key}.none" for word in ("option", "did")} if low else set()


def sample_values(game, kind) -> list:
    """Returns sample values for a field of this type."""
    if isinstance(kind, OptionalOf):
        return sample_values(game, kind.of)
    if isinstance(kind, Int):
        return [n for n in AMOUNTS if (kind.low is None or n >= kind.low) and (kind.high is None or n <= kind.high)]
    if isinstance(kind, SetOf):
        return [0, 1, 3, 7]
    if isinstance(kind, ListOf):
        return [(), (0,), (1, 0), (2, 0, 1)]
    if isinstance(kind, BagOf):
        size = len(game.model.enum_of(kind.of.name))
        return [tuple(counts[:size]) for counts in ((0,) * size, (1,) + (0,) * size, (2, 0, 1) + (0,) * size)]
    assert isinstance(kind, MemberOf), kind
    enum = game.model.enum_of(kind.name)
    size = len(enum.members)
    return list(range(size)) if enum.kind not in ("cells", "corners") else list(range(0, size, size // LABEL_COUNT))


def render_all(words, game, key, slots) -> Iterator[str]:
    """Yields a message with every combination of sample values in its fields."""
    narrator = Narrator(game, words)
    types = dict(slots)
    said = words.english[key]
    printed_once = narrator.clause_values                             # printed values are the same in every position
    named = {name for form in ([said] if isinstance(said, str) else said) for name in parse_template(form).names} - {"who"}
    names, data = sorted(named - printed_once.keys()), {name: printed_once[name] for name in named & printed_once.keys()}
    for name in set(names) - types.keys():                         # {stack_open}: the state `open` of the value in {stack}
        slot, _, state = name.partition("_")
        if slot in types and state in game.cells:
            types[name] = game.cells[state].state.type
    assert set(names) <= set(types), f"{key} uses {set(names) - set(types)}, which is not in scope"
    fields = [[narrator.value(types[name], raw) for raw in sample_values(game, types[name])] for name in names]
    people = [narrator.seat_value(who) for who in range(game.players if not names else 1)]
    for chosen in product(*fields):
        for who in people:
            yield words.text(key, who=who, **data, **dict(zip(names, chosen)))


def is_complete(said: str) -> bool:
    return bool(said.strip()) and not re.search(r"[{}~⟦⟧]|\b[a-z]+_[a-z]+\b|\(z\)|  | [.,:;!?]", said)


# ---------------------------------------------------------------- every text exists


@pytest.mark.long
def test_catalogues_are_complete_and_current(domain):
    for lang in LANGUAGES:
        now = catalogue_status(domain, lang)
        assert (now.missing, now.stale, now.gone) == ((), (), ()), lang
        assert now.translated == len(domain.messages)


@pytest.mark.long
def test_every_decision_has_all_its_messages(decisions, domain):
    bare = {f"option.{kind.key}" for kind in decisions.values()}  # an option may be a noun alone
    wanted = {key for kind in decisions.values() for key in message_keys(kind)} - bare
    assert sorted(wanted - set(domain.english)) == []


def test_number_choice_that_may_be_zero_has_a_message_for_zero(decisions, domain):
    wanted = {key for kind in decisions.values() for key in zero_message_keys(kind)}
    assert wanted and sorted(wanted - set(domain.english)) == []


def test_messages_belong_to_existing_decisions_and_events(decisions, events, domain):
    known = {key for kind in decisions.values() for key in {*message_keys(kind), *zero_message_keys(kind)}}
    known |= {f"event.{key}" for key in events}
    kinds = ("ask.", "option.", "decline.", "did.", "event.")
    assert sorted(key for key in domain.english if key not in domain.below and key.startswith(kinds) and key not in known) == []


def test_events_states_phases_and_attributes_have_texts(games, events, domain):
    game = games[0]
    wanted = {f"event.{key}" for key in events}
    wanted |= {f"state.{name}" for name, cell in game.cells.items() if cell.state.per is None}
    wanted |= {
        f"phase.{family.name}.{word}"
        for family in game.ruleset.program.families.values()
        for word in ("name", "text")
        if any(routine.kind == "phase" for routine in family.routines)
    }
    wanted |= {f"attribute.{enum.name}.{name}" for enum in game.model.enums.values() for name in enum.attributes}
    wanted |= {f"{name}.{member}.text" for name in ("Card", "Action") for member in game.model.enums[name].members}
    assert sorted(wanted - set(domain.english)) == []


@pytest.mark.long
def test_words_check_has_no_findings(decisions, events, domain, games):
    fields: dict[str, dict[str, str]] = {}

    def name(kind):
        enum = games[0].model.enum_of(kind.name) if isinstance(kind, MemberOf) else None
        return enum.name if enum is not None and enum.kind == "enum" else "int" if isinstance(kind, Int) else "proper"

    for kind in decisions.values():
        for key, slots in message_keys(kind).items():
            fields[key] = {v.name: name(v.type) for v in [*kind.scope, *slots]}
    for event in events.values():
        fields[f"event.{event.key}"] = {slot: name(kind) for slot, kind in event.slots}
    findings = DiagnosticList()
    check_domain(domain, findings, fields)
    assert [(d.code, str(d.place), d.args) for d in findings.items] == []


# ---------------------------------------------------------------- every sentence is complete


@pytest.mark.long
def test_decision_sentences_are_complete_for_all_values(strict_localizer, games, decisions):
    game = games[1]
    for kind in decisions.values():
        for key, slots in message_keys(kind).items():
            if key in strict_localizer.english:
                scope = [(v.name, v.type) for v in [*kind.scope, *slots]]
                for said in render_all(strict_localizer, game, key, scope):
                    assert is_complete(said), f"{strict_localizer.lang} {key}: {said}"


@pytest.mark.long
def test_event_sentences_are_complete_for_all_values(strict_localizer, games, events):
    for event in events.values():
        for said in render_all(strict_localizer, games[1], f"event.{event.key}", event.slots):
            assert is_complete(said), f"{strict_localizer.lang} {event.key}: {said}"


@pytest.mark.long
def test_names_headings_and_texts_are_complete(strict_localizer, games, domain):
    said_somewhere = ("ask.", "option.", "decline.", "did.", "event.", "short.", "then.", "worth.", "became.", "look.", "line.", "outlook.")
    for message in domain.messages:
        if not message.key.startswith(said_somewhere):
            numbered = {"number": 3, "n": 3} if message.key.startswith("play.") else {}  # engine messages that the game rewords
            said = strict_localizer.text(message.key, **printed_values(games[0], message.key), **numbered)
            assert is_complete(said), f"{strict_localizer.lang} {message.key}: {said}"


@pytest.mark.long_cases("hu")
def test_counted_nouns_have_every_form_that_is_used(words, domain, games):
    """Missing plural forms cause no error, so the test looks up the forms of counted nouns here."""
    counted = {
        (field.noun, field.markers)
        for message in domain.messages
        for text in _translations(words, message.key)
        for field in parse_template(text).fields
        if field.noun
    }
    assert counted
    assert [
        (noun, form) for noun, markers in counted if (form := words.grammar.find_missing_form(words.lookup_noun(noun), markers, True))
    ] == []


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_lexicon_contains_all_nouns_that_are_not_titles(domain, games, lang):
    lexicon = readers.read_lexicon(readers.lexicon_path(domain.locale, lang, domain.name))
    enums = {name: games[0].model.enums[name] for name in ("Animal", "Element", "Terrain", "Stack", "Box")}
    wanted = {*enums, "Action", "Space", "Card"} | {f"{name}.{member}" for name, enum in enums.items() for member in enum.members}
    assert sorted(wanted - set(lexicon)) == []


# ---------------------------------------------------------------- cards


def printed_values(game, key: str, **changed: int) -> dict:
    """Returns the values that the text of a thing may use, as `show` fills it: all members, the game's numbers, and the thing's own."""
    enums = [enum for enum in game.model.enums.values() if enum.kind == "enum"]
    found: dict = {member: Noun(f"{enum.name}.{member}") for enum in enums for member in enum.members}
    found |= game.model.numbers
    domain, _, rest = key.partition(".")
    if domain == "clause":
        return {**clause_values(game.model), **changed}
    if domain in game.model.enums:
        found |= {name: n for (member, name), n in game.model.enums[domain].own.items() if member == rest.rpartition(".")[0]}
    return {**found, **changed}


def _translations(words, key: str) -> list[str]:
    found = words._translation(key)
    return [] if found is None else [found] if isinstance(found, str) else list(found)


def test_card_texts_contain_only_their_own_numbers(words, games):
    for (card, name), _ in games[0].model.enums["Card"].own.items():
        (text,) = _translations(words, f"Card.{card}.text")
        assert name in parse_template(text).names, f"{words.lang} {card}: {name} is missing"
        assert not re.search(r"\d", text), f"{words.lang} {card}: the text contains a literal number"


def test_changed_number_changes_the_plural(strict_localizer, games):
    for (card, name), _ in games[0].model.enums["Card"].own.items():
        key = f"Card.{card}.text"
        (text,) = _translations(strict_localizer, key)
        for field in parse_template(text).fields:
            if field.name == name and field.noun:
                for n in (1, 2):
                    counted = strict_localizer.value(n, field.markers, field.noun)
                    said = strict_localizer.text(key, **printed_values(games[0], key, **{name: n}))
                    assert counted in said, f"{strict_localizer.lang} {card}"


@pytest.mark.parametrize(
    "lang, one, two",
    [
        ("en", "Gain 1 victory point for each species", "Gain 2 victory points for each species"),
        ("it", "Ottieni 1 punto vittoria per ogni specie", "Ottieni 2 punti vittoria per ogni specie"),
        ("es", "Obtén 1 punto de victoria por cada especie", "Obtén 2 puntos de victoria por cada especie"),
        ("hu", "Kapsz 1 győzelmi pontot minden", "Kapsz 2 győzelmi pontot minden"),
    ],
)
def test_fertile_text_with_one_and_two_points(lang, one, two, domain, games, rules):
    words = game_localizer(lang, domain.name, rules / "dominant-species", domain.english)
    for n, said in ((1, one), (2, two)):
        assert said in words.text("Card.fertile.text", **printed_values(games[0], "Card.fertile.text", points=n))


# ---------------------------------------------------------------- sentences that were read aloud


@pytest.mark.parametrize(
    "lang, key, args, said",
    [
        ("hu", "did.effect[evolution].victim", {"victim": "Animal.bird"}, "Anna (emlős) a madarat választja."),
        ("hu", "did.effect[evolution].victim", {"victim": "Animal.mammal"}, "Anna (emlős) az emlőst választja."),
        ("hu", "did.planning.space", {"space": "Space.adaptation_2"}, "Anna (emlős) bábut tesz az Alkalmazkodás 2. szemére."),
        ("hu", "did.perform[adaptation].element", {"element": "Element.grass"}, "Anna (emlős) elvesz egy fűkorongot."),
        ("hu", "did.deal_animals.animal", {"animal": "Animal.arachnid"}, "Anna a pókkal játszik."),
        (
            "it",
            "did.effect[evolution].tile",
            {"victim": "Animal.insect", "tile": "d3"},
            "Anna (mammifero) sostituisce una specie dell'insetto su d3.",
        ),
        ("it", "option.perform[initiative].forward", {"rival": "Animal.amphibian"}, "Passa davanti all'anfibio"),
        (
            "it",
            "did.perform[wanderlust].stack",
            {"stack": "Stack.first_stack"},
            "Anna (mammifero) prende l'esagono scoperto della prima pila.",
        ),
        (
            "es",
            "did.effect[evolution].tile",
            {"victim": "Animal.bird", "tile": "d3"},
            "Anna (mamífero) reemplaza una especie del ave en d3.",
        ),
        (
            "es",
            "did.perform[wanderlust].stack",
            {"stack": "Stack.third_stack"},
            "Anna (mamífero) toma la loseta descubierta de la tercera pila.",
        ),
        ("es", "option.perform[initiative].forward", {"rival": "Animal.insect"}, "Adelantar al insecto"),
        (
            "en",
            "did.effect[evolution].tile",
            {"victim": "Animal.insect", "tile": "d3"},
            "Anna (mammal) replaces a species of the insect on d3.",
        ),
    ],
)
def test_reviewed_sentences(lang, key, args, said, domain, rules):
    words = game_localizer(lang, domain.name, rules / "dominant-species", domain.english)
    values = {name: Noun(value) if "." in value else value for name, value in args.items()}
    assert words.text(key, **{"who": "Anna", "animal": Noun("Animal.mammal"), **values}) == said

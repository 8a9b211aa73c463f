"""The answer to the command `why`: why an option is not offered, as sentences and as data.

An answer names the failed condition, the clauses that it cites and the house rules that changed it.
It never reveals hidden information. A decision whose options are private to another seat is
answered with its clauses only. The same holds for a candidate if the failed condition depends on
something that the deciding player may not see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, assert_never

from ...dsl.core.nodes import RoundsLoop
from ...dsl.ir.metadata import ConditionTest
from ...dsl.types.types import MemberOf
from ..i18n import Noun, TextValue
from ..i18n.text_layout import wrap_cells
from ..i18n.user_input import normalize
from ..library.find import format_place
from ..library.loaded_game import LoadedGame
from ..match.table import MatchTable
from ..narration.narrator import Narrator
from ..position.answer_index import index_names
from ..position.position import Decision
from ..table_view.visible_values import SeatView
from .provenance import PackValue, find_options_asked, find_pack_values, source_text
from .query_parser import Query, QueryParser
from .refusal_finder import ExplanationKind, OptionExplanation, RefusalFinder
from .refusal_text import format_refusal
from .standing_text import score_lines

MIN_LINE_WIDTH = 20                       # columns
INDENT = "  "
DECIDER = -1                         # as the viewer of an answer: the deciding seat
MAX_FAMILY_SENTENCES = 3                           # for a citation of a whole family of clauses
MAX_LISTED_ITEMS = 8                             # options or rule lines, before "..."
AnswerKind = ExplanationKind | Literal["asked", "other", "unknown", "secret", "over"]


@dataclass
class QueryAnswer:
    """An answer that is not yet put into words.

    `kind` is one of the kinds of OptionExplanation, or one of these:

    - `asked`: the question was empty, so the answer is the current decision
    - `other`: the thing is known, but the current decision does not ask for it
    - `unknown`: nothing in the game has this name
    - `secret`: the options are private to another seat
    - `over`: the match is over"""

    kind: AnswerKind
    what: str = ""
    answer: OptionExplanation | None = None
    wish: Query | None = None
    # the same query read for different fields, refused there too
    other: OptionExplanation | None = None
    meant: str = ""
    places: list[str] = field(default_factory=list)


# ---------------------------------------------------------------- finding the answer


def answer_query(
    table: MatchTable, narrator: Narrator, query: str, viewer: int | None, numbers: Mapping[str, str] | None = None
) -> QueryAnswer:
    """Returns the answer to the question `query` for the seat `viewer` (None: an observer).

    Questions about something other than the current decision, such as a score, must be handled before this call.
    `numbers` maps the spelling of each option to its number on the screen."""
    decision = table.position.decision
    if decision is None:
        return QueryAnswer("over", query)
    if viewer not in (DECIDER, decision.seat) and (decision.kind.secret or any(v.secret for v in decision.kind.scope)):
        return QueryAnswer("secret", query)
    if not query.strip():
        return QueryAnswer("asked")
    asked = RefusalFinder(table.position)
    wishes = QueryParser(narrator, asked)
    exact = wishes.find_option(query, numbers)
    if exact is not None:
        return QueryAnswer("offered", query, OptionExplanation("offered", [exact]))
    if wishes.is_decline(query):
        nothing = asked.explain_decline()
        return QueryAnswer(nothing.kind, query, nothing)
    found = [(answer, wish) for wish in wishes.parse(query) if (answer := asked.explain(wish.number, wish.fixed)) is not None]
    if found:
        answer, wish = max(found, key=lambda one: (count_shared_words(narrator, decision, *one), one[0].kind == "offered", one[0].reached))
        word, meant = wishes.find_typo(wish)
        if word:
            return QueryAnswer("unknown", word, meant=meant)
        other = next((another for another, read in found if answer.kind == another.kind == "refused" and read.number == wish.number
                      and read.fixed.keys() != wish.fixed.keys() and depends_only_on_query(another, read)), None)
        return QueryAnswer(answer.kind, query, answer, wish, other)
    return answer_not_asked(narrator, wishes, decision, query)


def count_shared_words(narrator: Narrator, decision: Decision, answer: OptionExplanation, query: Query) -> int:
    """Returns how many unmatched words of the query occur in the text of the option. A player who
    types the text of an option means its action."""
    option = answer.option or next(iter(answer.options), None)
    said = set(normalize(narrator.option_text(decision, option)).split()) if option is not None and query.over else set()
    return sum(word in said for word in query.over)


def depends_only_on_query(answer: OptionExplanation, query: Query) -> bool:
    """Whether the failed test depends on no other fields of the option than those the query gives."""
    return bool(answer.tests) and set(range(answer.tests[0].bound)) <= query.fixed.keys()


def answer_not_asked(narrator: Narrator, wishes: QueryParser, decision: Decision, query: str) -> QueryAnswer:
    """Returns the answer for something that the current decision does not ask for: a known thing of another kind,
    with the rules that ask for one, or nothing known at all."""
    wanted, model = normalize(query), narrator.game.model
    known: list[str] = wishes.list_known_phrases()
    for enum in model.enums.values():
        if enum.kind in ("open", "option"):
            continue
        if found := wishes.find_members(enum.name, query):
            member = narrator.words.value(wishes.sight.label_or_value(MemberOf(enum.name), found[0]))
            return QueryAnswer("other", member, places=find_decisions_offering(narrator, enum.name, None))
        known += wishes.list_shown_names(enum.name)
    choices = [choice.name for kind in narrator.game.module.decisions for choice in kind.choices if choice.name]
    entries = {name.replace("_", " "): name for name in choices}
    if (spoken := wanted.replace("_", " ")) in entries:
        return QueryAnswer("other", spoken, places=find_decisions_offering(narrator, None, entries[spoken]))
    known += entries
    # without identifiers
    return QueryAnswer("unknown", query, meant=index_names((name for name in known if "_" not in name), normalize).suggest(query))


def find_decisions_offering(narrator: Narrator, domain: str | None, entry: str | None) -> list[str]:
    """Returns the places in the rules (`path:line`) that let a player choose a member of `domain`, or the menu entry
    `entry`."""
    found = []
    for kind in narrator.game.module.decisions:
        if any(choice.name == entry if entry else any(slot.domain == domain for slot in choice.slots)
               for choice in kind.choices):
            found.append(f"{kind.path}:{kind.line}")
    return sorted(set(found), key=split_place)


def split_place(place: str) -> tuple[str, int]:
    """Splits `path:line` into the path and the line number. Also serves as a sort key."""
    path, _, line = place.rpartition(":")
    return path, int(line)


def find_score_seat(table: MatchTable, narrator: Narrator, query: str, viewer: int | None) -> int | None:
    """Returns the seat whose points the question is about, or None if the question is about something else.

    Accepted are a word for points, such a word with a player's name, or a player's name alone if no
    player can be chosen now. A word for points without a name means the viewer's own points. For an
    observer it means those of the leading player."""
    wanted, decision = normalize(query), table.position.decision
    words = [normalize(word) for word in (*narrator.words.text("why.score").split(","), "score", "points")]
    names = {normalize(name): seat for seat in range(table.game.players)
             for name in (narrator.player_name(seat), table.game.model.enums["Player"].members[seat])}
    said = next((word for word in sorted(words, key=len, reverse=True) if wanted == word or wanted.startswith(word + " ")), None)
    if said is not None:
        rest = wanted[len(said) :].strip()
        if rest:
            return names.get(rest)
        return viewer if viewer not in (None, DECIDER) else decision.seat if decision is not None and viewer == DECIDER \
            else table.position.standing()[0].seat
    chosen = decision is not None and any(slot.domain == "Player" for choice in decision.kind.choices
                                          for slot in choice.slots)
    return None if chosen else names.get(wanted)


# ---------------------------------------------------------------- putting it into words


def list_why_lines(table: MatchTable, loaded: LoadedGame, narrator: Narrator, query: str, width: int, viewer: int | None = DECIDER,
              as_sentences: bool = False, numbers: Mapping[str, str] | None = None) -> list[str]:
    """Returns the lines that explain why `query` is offered or not offered at the
    current decision, in the narrator's language.

    `query` is the text that somebody typed. If it is empty, the lines show the current decision and its
    clauses. `viewer` is the seat that reads the answer (None: an observer). With `as_sentences`, for people at the
    table, the lines contain the sentences of the rules instead of rule lines and code. `numbers` maps the
    spelling of each option to its number on the screen."""
    return write_why_lines(table, loaded, narrator, find_why_answer(table, narrator, query, viewer, numbers), width, viewer, as_sentences)


def find_why_answer(
    table: MatchTable, narrator: Narrator, query: str, viewer: int | None, numbers: Mapping[str, str] | None
) -> int | QueryAnswer:
    """Returns the answer to a typed text, or the seat whose points it is about. The parameters are those of `list_why_lines`."""
    asked = find_score_seat(table, narrator, query, viewer)
    return asked if asked is not None else answer_query(table, narrator, query, viewer, numbers)


def write_why_lines(table: MatchTable, loaded: LoadedGame, narrator: Narrator, found: int | QueryAnswer, width: int, viewer: int | None,
                    as_sentences: bool) -> list[str]:
    """Returns an answer, or an explanation of the points of a seat, as lines."""
    if not isinstance(found, QueryAnswer):
        return score_lines(table, loaded, narrator, found, width, as_sentences) or AnswerWriter(table, loaded, narrator, width).wrap(
            narrator.words.text("why.no_score"))
    decision = table.position.decision
    told = decision.seat if viewer == DECIDER and decision is not None else viewer
    return AnswerWriter(table, loaded, narrator, width, viewer=told, as_sentences=as_sentences).format_answer(found)


class AnswerWriter:
    """Puts answers about one table into words.

    `brief` omits the source text of a rule if there are words for it. The player `viewer` is addressed as "you".
    `spoken` is for people at the table, who do not ask for files or code."""

    def __init__(
        self,
        table: MatchTable,
        loaded: LoadedGame,
        narrator: Narrator,
        width: int,
        brief: bool = False,
        viewer: int | None = None,
        as_sentences: bool = False,
    ) -> None:
        self.table, self.loaded, self.words, self.width, self.brief = table, loaded, narrator.words, width, brief
        self.narrator = narrator.with_numbers_at(table.position)
        self.viewer, self.spoken = viewer, as_sentences

    def format_answer(self, found: QueryAnswer) -> list[str]:
        """Returns the lines of an answer."""
        decision = self.table.position.decision
        if decision is None:
            return self.format_game_over()
        rule = self.format_decision_rule(decision)
        match found.kind:
            case "over":
                return self.format_game_over()
            case "secret":
                return [*self.wrap(self.words.text("why.secret", who=self.narrator.seat_value(decision.seat))), *rule]
            case "asked":
                return [*self.wrap(self.narrator.question_text(decision)), *rule]
            case "other" | "unknown":
                return self.format_not_asked(found, decision)
            case "offered":
                assert found.answer is not None
                return self.format_offered(found.answer, decision)
            case "chosen" | "every" | "forced":
                refused = self.words.text("why.refused", what=self.describe_subject(found))
                return [*self.wrap(refused), *self.wrap(self.words.text(f"why.{found.kind}"), 1), *rule]
            case "refused":
                assert found.answer is not None
                return self.format_refused(found, found.answer, decision)
            case _:
                assert_never(found.kind)

    def format_refused(self, found: QueryAnswer, answer: OptionExplanation, decision: Decision) -> list[str]:
        """Returns the lines for a candidate that fails a condition."""
        out = self.wrap(self.words.text("why.refused", what=self.describe_subject(found)))
        if any(one is not None and one.closed for one in (answer, found.other)):
            return [*out, *self.wrap(self.words.text("why.closed"), 1), *self.format_decision_rule(decision)]
        out += self.format_failed_tests(found.other, decision) if found.other is not None else []
        out += [*self.format_nearest_option(answer, found.wish, decision), *self.format_failed_tests(answer, decision)]
        return out + self.format_test_clauses([test for one in (found.other, answer) if one is not None for test in one.tests], decision)

    def format_nearest_option(self, answer: OptionExplanation, query: Query | None, decision: Decision) -> list[str]:
        """Returns a line with the option that the explanation is about, if the failed test depends on more than the
        query gives."""
        if query is None or answer.option is None or len(query.fixed) == len(answer.option.values) or depends_only_on_query(answer, query):
            return []
        return self.wrap(self.words.text("why.nearest", option=self.narrator.option_text(decision, answer.option)), 1)

    def describe_subject(self, found: QueryAnswer) -> TextValue:
        """Returns what was asked about, as the answer repeats it: the chosen values, or the menu entry."""
        answer, wish = found.answer, found.wish
        if wish is None or answer is None or answer.option is None:
            return found.what.strip()
        if wish.fixed:
            decision = self.table.position.decision
            sight = SeatView(self.table.position, self.narrator, decision.seat if decision is not None else None)
            return [sight.label_or_value(kind, raw) for _, kind, raw in (answer.option.values[n] for n in wish.fixed)]
        if answer.option.values:
            return (answer.option.entry or found.what).replace("_", " ")
        decision = self.table.position.decision
        assert decision is not None
        return self.narrator.option_text(decision, answer.option).rstrip(".")

    def format_offered(self, answer: OptionExplanation, decision: Decision) -> list[str]:
        """Returns the lines for something that is offered, with the texts of the options."""
        out = self.wrap(self.words.text("why.offered"))
        said = list(dict.fromkeys(self.narrator.option_text(decision, option) for option in answer.options))
        for text in said[:MAX_LISTED_ITEMS]:
            out += self.wrap(text, 1)
        return out + [f"{INDENT}..."] * (len(said) > MAX_LISTED_ITEMS) + self.format_decision_rule(decision)

    def format_failed_tests(self, answer: OptionExplanation, decision: Decision) -> list[str]:
        """Returns the lines that say why a candidate is not offered.

        They contain the sentences, if there are any, and the failed test within its enclosing tests. The house rules
        and game options that it depends on come last."""
        out = [line for said in format_refusal(self.narrator, decision, answer, self.viewer) for line in self.wrap(said, 1)]
        for depth, test in enumerate([] if self.spoken or self.brief and out else answer.tests, 1):
            around = answer.tests[depth - 2] if depth > 1 else None
            if around is None or (test.kind, test.negated) != (around.kind, around.negated):        # not repeated
                out += self.wrap(self.format_heading(test, answer), depth)
            out += self.format_source(test, depth + 1)
            if answer.sides and test.sides and test.sides[0] is answer.sides[0][0] and (now := self.list_current_values(test, answer)):
                out += self.wrap(self.words.text("why.now", values=", ".join(now)), depth + 1)
        for line in self.list_pack_values(answer):
            out += self.wrap(line, 1)
        for name in find_options_asked(self.table.game, answer.tests):
            called = self.words.text_or(f"variant.{name}.name", name)
            value = self.words.option_value_text(name, self.table.game.model.settings[name])
            out += self.wrap(self.words.text("why.variant", name=called, value=value), 1)
        return out

    def list_pack_values(self, answer: OptionExplanation) -> list[str]:
        """Returns a sentence for each value set by house rules on which the failed test depends.

        People at the table see only the names of the packs."""
        values = find_pack_values(self.table.game, answer.tests, answer.option)
        changes = [(find_pack_name(self.loaded, value), value) for value in values]
        if self.spoken:
            return [self.words.text("why.house.spoken", pack=pack) for pack in dict.fromkeys(pack for pack, _ in changes)]
        return [self.words.text("why.house", pack=pack, name=change.name, place=format_place(change.place.path, change.place.line))
                for pack, change in changes]

    def format_test_clauses(self, tests: list[ConditionTest], decision: Decision) -> list[str]:
        """Returns the lines of the clauses that explain these failed tests."""
        return self.format_clauses(clauses_of_refusal(tests, decision)) if tests else self.format_decision_rule(decision)

    def list_current_values(self, test: ConditionTest, answer: OptionExplanation) -> list[str]:
        """Returns the current value of each operand of a test, as `name = value`."""
        return [
            f"{side.name or source_text(self.table.game, test.path, side.node)} = {self.words.value(self.narrator.value(side.type, raw))}"
            for side, raw in answer.scalars
        ]

    def format_heading(self, test: ConditionTest, answer: OptionExplanation) -> str:
        """Returns the heading above the source text of a test."""
        if test.kind != "source":
            return self.words.text(f"why.{test.kind}")
        value = next((self.narrator.value(kind, raw) for name, kind, raw in answer.option.values if name == test.name), None) \
            if answer.option is not None and test.name else None
        if test.negated:
            return self.words.text("why.inside")
        return self.words.text("why.source", value=value) if value is not None else self.words.text("why.outside")

    def format_source(self, test: ConditionTest, depth: int) -> list[str]:
        """Returns the source text of a test with its place next to it, or below it if the line is too short."""
        place = format_place(test.path, test.node.at.line)
        code = source_text(self.table.game, test.path, test.node)
        line = f"{INDENT * depth}{code}"
        if len(line) + 2 + len(place) <= self.width:
            return [f"{line}{' ' * max(2, 40 - len(line))}{place}"[: self.width] if len(line) < 40 and 40 + len(place) <= self.width
                    else f"{line}  {place}"]
        return [*self.wrap(code, depth), f"{INDENT * depth}{place}"]

    def format_not_asked(self, found: QueryAnswer, decision: Decision) -> list[str]:
        """Returns the lines for something that the current decision does not ask for."""
        if found.kind == "other":
            out = self.wrap(self.words.text("why.other", what=found.what))
        else:
            out = self.wrap(self.words.message("why.unknown", name=found.what.strip(), meant=found.meant))
        if self.viewer != decision.seat:                           # entries of a menu may name what only their player sees
            return out
        several_roles = {*self.table.game.model.aliases.values()}         # their name does not say which of them is meant
        named = all(choice.name is None and slot.domain not in several_roles
                    and (slot.domain is None or self.words.has(f"{slot.domain}.name"))
                    for choice in decision.kind.choices for slot in choice.slots)
        out += self.wrap(
            self.words.text("why.kinds", kinds=self.list_choice_kinds(decision)) if named else self.narrator.question_text(decision)
        )
        if found.places and not self.spoken:
            out.append(self.words.text("why.elsewhere"))
            out += [f"{INDENT}{format_place(*split_place(place))}" for place in found.places[:MAX_LISTED_ITEMS]]
            out += [f"{INDENT}..."] * (len(found.places) > MAX_LISTED_ITEMS)
        return out

    def list_choice_kinds(self, decision: Decision) -> list[TextValue]:
        """Returns what a decision asks for: types of things, ranges of numbers, menu entries."""
        found: list[TextValue] = []
        for choice in decision.kind.choices:
            if choice.name is not None:
                plain = None if choice.slots else self.narrator.option_text(decision, decision.option(choice.offset)).rstrip(".")
                found.append(plain or choice.name.replace("_", " "))
                continue
            for slot in choice.slots:
                if slot.domain:
                    found.append(Noun(slot.domain))
                else:
                    found.append(self.words.range_text("why.amount", low=slot.low, high=slot.low + slot.radix - 1))
        return list(dict.fromkeys(found))

    def format_game_over(self) -> list[str]:
        """Returns the lines for a match that is over. They include the condition that ends the main loop, if it has one."""
        out = self.wrap(self.words.text("why.over"))
        game = self.table.game.ruleset.program.families["game"].routines[0]
        for node in [] if self.spoken else game.body:
            if isinstance(node, RoundsLoop) and node.until is not None:
                out += self.wrap(self.words.text("why.until"), 1)
                out += self.format_source(ConditionTest("condition", node.until, game.path, (), 0), 2)
        return out + self.format_clauses(game.cites)

    # ------------------------------------------------------------ pieces

    def format_decision_rule(self, decision: Decision) -> list[str]:
        """Returns the clauses of a decision and the place of its rule. The place is left out for people at the table."""
        place = self.words.text("why.rule", place=format_place(decision.kind.path, decision.kind.line))
        clauses = self.format_clauses(decision.kind.cites)
        return clauses if self.spoken else [*clauses, f"{INDENT}{place}"]

    def format_clauses(self, cites: tuple[str, ...]) -> list[str]:
        """Returns each clause with its sentence. A citation of a whole family is shown with the first few clauses of the
        family."""
        out = []
        for clause in cites:
            sentence = self.narrator.clause_text(clause)
            inside = [] if sentence else [one for one in self.narrator.clauses_of_family(clause) if one not in cites][:MAX_FAMILY_SENTENCES]
            for one in inside:
                out += self.wrap(f"[{one}] {self.narrator.clause_text(one)}", 1)
            if sentence or not inside:
                out += self.wrap(f"[{clause}] {sentence or ''}".rstrip(), 1)
        return out

    def wrap(self, text: str, depth: int = 0) -> list[str]:
        """Wraps a text to the width of the answer, indented by `depth` levels."""
        return wrap_cells(INDENT * depth + text, max(MIN_LINE_WIDTH, self.width), INDENT, break_words=False)


def clauses_of_refusal(tests: list[ConditionTest], decision: Decision) -> tuple[str, ...]:
    """Returns the clauses that failed tests cite. If they cite none, the first clause of the decision: its other clauses
    may be about something else."""
    return collect_clauses(tests) or decision.kind.cites[:1]


def collect_clauses(tests: list[ConditionTest]) -> tuple[str, ...]:
    """Returns the clauses that these tests cite, those of the innermost test first."""
    return tuple(dict.fromkeys(clause for test in reversed(tests) for clause in test.cites))


def find_pack_name(loaded: LoadedGame, change: PackValue) -> str:
    """Returns the name of the house-rule pack whose file sets a value."""
    for pack, name in zip(loaded.pack_sources, loaded.house_names):
        if change.place.path in map(pack.display_path, pack.files):
            return name
    return Path(change.place.path).stem


def answer_data(found: QueryAnswer, table: MatchTable, loaded: LoadedGame) -> dict[str, Any]:
    """Returns the output of `why --json`, which is the same in every language."""
    decision, answer = table.position.decision, found.answer
    shown = found.kind == "refused" and answer is not None and not answer.closed
    tests = answer.tests if answer is not None and shown else []
    out: dict[str, Any] = {"answer": found.kind if answer is None or not answer.closed else "closed"}
    if decision is not None:
        out |= {"decision": decision.key, "seat": decision.seat, "rule": f"{decision.kind.path}:{decision.kind.line}",
                "clauses": list(clauses_of_refusal(tests, decision))}
    if answer is not None and answer.options:
        out["offered"] = [option.spelling for option in answer.options]
    if answer is not None and answer.option is not None and not answer.closed:
        out["candidate"] = answer.option.spelling
    if tests and answer is not None:
        out["tests"] = [{"kind": test.kind, "code": source_text(table.game, test.path, test.node), "file": test.path,
                         "line": test.node.at.line, "clauses": list(test.cites)} for test in tests]
        at = next((test for test in tests if answer.sides and test.sides and test.sides[0] is answer.sides[0][0]), tests[-1])
        out["now"] = {side.name or source_text(table.game, at.path, side.node): table.game.spell(side.type, raw)
                      for side, raw in answer.scalars}
        out["house"] = [{"name": change.name, "pack": find_pack_name(loaded, change), "file": change.place.path, "line": change.place.line}
                        for change in find_pack_values(table.game, tests, answer.option)]
    if found.places:
        out["places"] = found.places
    if found.meant:
        out["meant"] = found.meant
    return out

"""One decision as it is presented to a person: the options, what to type for each, and how answers are
matched."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from os.path import commonprefix

from ...dsl.types.types import Int, MemberOf
from ..i18n.user_input import normalize, parse_int
from ..narration.narrator import Narrator
from ..position.answer_index import ALL_KINDS, AnswerIndex, IndexEntry, MatchKind
from ..position.options import Option
from ..position.position import Decision
from ..preview.equal_options import EqualOptions
from ..preview.option_preview import OptionPreview
from ..preview.preview_change import PreviewChange
from ..table_view.board_parts import find_part
from ..table_view.option_markers import members_of_option, places_of_option, types_in_panels
from ..table_view.option_order import is_out_of_order, sort_options
from ..table_view.visible_values import SeatView

KEPT_NUMBERS_DIVISOR = 4                         # numbers are kept if at least one in 4 options was offered before
MAX_UNGROUPED_OPTIONS = 12                            # longer lists merge similar options
NUMBERED_TEXT = re.compile(r"(?P<words>.* )?(?P<place>[a-z]{0,2})(?P<number>[1-9]\d{0,2})$")     # Tower 3, b12
ANSWER_SEPARATOR = re.compile(r"\s*[;,]\s*")    # separates several answers in one line
COMMA_PLACE_SEPARATOR = re.compile(r"\s*;\s*|\s*,\s+|\s*,(?!-?\d)")                # the same if places contain commas
PLACE_PATTERN = re.compile(r"-?\d+,-?\d+")                                 # a place on an unbounded board
DECLINE_PREFIX = "decline: "               # followed by the text that says what declining means
MAP_NUMBER = re.compile(r"\[(\d+)\+?\]")                            # an option's number on a map
NUMBER_LIST = re.compile(r"\d{1,6}(?:-\d{1,6})?(?:, ?\d{1,6}(?:-\d{1,6})?)*")      # several option numbers, such as 2, 4-6
NUMBER_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
MAX_RANGE_LENGTH = 10_000                        # limit for the numbers in a range
REPEATED_ANSWER = re.compile(r"(.+?)\s*[x×*]\s*(\d{1,2})$")                  # a repeated answer


@dataclass(frozen=True)
class PromptOption:
    """An option as displayed: the token to type for it, the option, and its text."""

    token: str
    option: Option
    text: str
    labels: tuple[str, ...] = ()     # the table's label of its only value, if it differs from its name

    @property
    def list_entry(self) -> str:
        """The entry of the option in a list."""
        return f"{self.token:>3}  {self.text}"


class DecisionPrompt:
    """A decision in the words of a narrator."""

    def __init__(self, decision: Decision, narrator: Narrator, before: Mapping[str, str] | None = None) -> None:
        """`before` has the tokens of the previous time that the same question was asked, by stable key."""
        self.decision, self.narrator = decision, narrator
        self.hints: dict[int, OptionPreview] = {}                           # previews by option code
        self.untold = False                                         # whether previews were left out because they are expensive
        self.asked = False                                          # whether previews were requested, with a longer search
        self.always: list[PreviewChange] = []                                # what happens whichever option is chosen
        self.equal: EqualOptions | None = None                      # options that differ only in the number of a piece
        self.text = narrator.question_text(decision)
        sight = SeatView(decision.position, narrator, decision.seat)
        self.declining = narrator.decline_key(decision)
        self.choices = [PromptOption(token, option, narrator.option_text(decision, option), table_labels(option, sight))
                        for token, option in assign_tokens(decision, before, self.declining)]

    @cached_property
    def answers(self) -> AnswerIndex[PromptOption]:
        """The options by everything that may be typed for them. Built at the first answer."""
        return AnswerIndex([IndexEntry(one, (one.text, *one.labels), answer_forms(one.option), one.token) for one in self.choices],
                           normalize_answer)

    def match_answer(self, typed: str) -> list[PromptOption]:
        """Returns the options that an answer may mean; of options with equal texts only one.

        A bare number matches only an option's number or its whole visible name. Otherwise a wrong number could choose
        an option by a number in its text. A corner or an edge is meant by each of its names: "a1-é" is an edge, and not
        "a1-e" without its accent."""
        if (part := find_part(self.narrator.game.model, self.narrator.words, typed)) is not None:
            return self.options_at([part])
        number = parse_int(normalize_answer(typed)) is not None
        return self.match_words(typed, (MatchKind.TOKEN, MatchKind.NAME) if number else ALL_KINDS)

    def match_words(self, typed: str, kinds: Sequence[MatchKind] = ALL_KINDS) -> list[PromptOption]:
        """Matches an answer like `match_answer`, but also numbers within the text of an option."""
        return list({one.text: one for one in reversed(self.answers.look_up(typed, kinds).values)}.values())[::-1]

    def is_inner_match(self, typed: str) -> bool:
        """Whether the answer matches only inside the text of an option: it is neither a number nor the beginning of any
        option."""
        return self.answers.look_up(typed).kind in (MatchKind.INSIDE, MatchKind.WORDS)

    def match_beginning(self, typed: str) -> list[PromptOption]:
        """Returns the options whose text begins with the answer.

        A single word must be complete. Of several words only the last may be incomplete."""
        wanted = normalize_answer(typed)
        begins = re.compile(re.escape(wanted) + ("" if " " in wanted else r"(?!\w)"))
        return [one for one, title in zip(self.choices, self.answers.titles) if wanted and begins.match(title)]

    def is_full_text(self, typed: str) -> bool:
        """Whether the answer is the whole text of an option."""
        return normalize_answer(typed) in self.answers.shown

    def find_numbered(self, typed: str) -> PromptOption | None:
        """Returns the option with the typed number, or None."""
        return next(iter(self.answers.look_up(typed, (MatchKind.TOKEN,)).values), None)

    def find_completions(self, typed: str) -> list[PromptOption]:
        """Returns all options that the partly typed answer may become."""
        wanted = normalize_answer(typed)
        begun = [one for one in self.choices if wanted and one.token.startswith(wanted)]
        return list(dict.fromkeys([*begun, *self.match_words(typed)]))

    @property
    def targets(self) -> dict[tuple[str, int], str]:
        """The token to type for each place that can be chosen.

        If an option names several places, only the last counts. A place with several options has the token of the
        first with a plus sign after it."""
        found: dict[tuple[str, int], list[str]] = {}
        for one in self.choices:
            for place in self.marked_places(one):
                found.setdefault(place, []).append(one.token)
        return {place: several[0] + "+" * (len(several) > 1) for place, several in found.items()}

    def match_number_list(self, typed: str) -> list[PromptOption]:
        """Returns the options for several numbers as lists and maps show them: `34-38`, `2, 4-6`, or `4+` at a place."""
        places = {place for place, token in self.targets.items() if token == typed and not token.isdigit()}
        tokens = parse_number_list(typed)
        found = [one for token in tokens if (one := self.find_numbered(token)) is not None] if len(tokens) > 1 else []
        return found or [one for one in self.choices if places.intersection(self.marked_places(one))]

    def option_places(self, prompt_option: PromptOption) -> list[tuple[str, int]]:
        """Returns the places that an option names, its destination first."""
        return places_of_option(prompt_option.option, self.decision)

    def marked_places(self, prompt_option: PromptOption) -> list[tuple[str, int]]:
        """Returns the place where the table shows the number of an option, as a list of at most one.

        It is the option's destination on a board, or else its only thing if a panel lists such things as places."""
        found = self.option_places(prompt_option)[:1]
        if found or len(prompt_option.option.values) != 1:
            return found
        return [thing for thing in members_of_option(prompt_option.option, self.decision)[:1] if thing[0] in self.listed_types]

    @cached_property
    def listed_types(self) -> set[str]:
        """The types whose members a panel of the table lists as places."""
        return types_in_panels(self.decision.position.game, "groups")

    def options_at(self, places: Collection[tuple[str, int]]) -> list[PromptOption]:
        """Returns the options that choose one of these things."""
        return [one for one in self.choices if any(thing in places for thing in members_of_option(one.option, self.decision))]

    @property
    def tokens_by_key(self) -> dict[str, str]:
        """The token of each option by its stable key, for the next time that the same question is asked."""
        return {stable_key(one.option, self.declining): one.token for one in self.choices}

    def is_unknown_number(self, typed: str) -> bool:
        """Whether a number was typed that no option has."""
        return parse_int(normalize(typed)) is not None and not self.match_answer(typed)

    @property
    def asks_quantity(self) -> bool:
        """Whether the question asks for a quantity, so that numbers are the answers themselves."""
        return bool(option_quantities(self.decision.options))

    def is_same_question(self, other: DecisionPrompt) -> bool:
        """Whether two prompts ask the same seat the same question."""
        return (self.decision.seat, self.decision.key) == (other.decision.seat, other.decision.key)


def split_answers(typed: str, first: DecisionPrompt) -> list[str]:
    """Splits a line into answers: parts between commas, several numbers, or `d4 x2` for a repeated answer.

    A line that is an answer as a whole is not split."""
    whole = " ".join(typed.split())
    numbered = any(board.open for board in first.decision.position.game.model.boards.values())       # like 1,1
    # even if not offered
    if not whole or first.match_answer(whole) or numbered and PLACE_PATTERN.fullmatch(whole):
        return [whole]
    apart = COMMA_PLACE_SEPARATOR if numbered else ANSWER_SEPARATOR
    parts = whole.split() if all(part.isdigit() for part in whole.split()) else [part for part in apart.split(whole) if part]
    out = []
    for part in parts:
        times = REPEATED_ANSWER.match(part)
        many = parse_int(times[2]) if times else None
        out += [times[1]] * many if times and many and not first.match_answer(part) else [part]
    return out or [whole]


def format_option_list(choices: list[PromptOption]) -> list[str]:
    """Returns the entries of an option list.

    A long list merges options that differ only in a final number (`14-16  Tower 1, 2, 4`). It also merges
    places
    in a row (`1-8  a1-h1`)."""
    if len(choices) <= MAX_UNGROUPED_OPTIONS:
        return [choice.list_entry for choice in choices]
    groups: list[list[PromptOption]] = []
    for choice in choices:
        if groups and can_join_group(groups[-1], choice):
            groups[-1].append(choice)
        else:
            groups.append([choice])
    return [line for group in groups for line in group_entries(group)]


def format_ranges(tokens: Sequence[str]) -> str:
    """Returns option numbers as text, with three or more consecutive ones as a range: `1-4, 6, 9`."""
    runs: list[list[str]] = []
    for token in tokens:
        if runs and token.isdigit() and runs[-1][-1].isdigit() and int(token) == int(runs[-1][-1]) + 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def parse_number_list(typed: str) -> list[str]:
    """Parses numbers as `format_ranges` writes them; returns an empty list for other text."""
    if not NUMBER_LIST.fullmatch(typed) or any(
        int(last or first) - int(first) >= MAX_RANGE_LENGTH for first, last in NUMBER_RANGE.findall(typed)
    ):
        return []
    return [str(n) for first, last in NUMBER_RANGE.findall(typed) for n in range(int(first), int(last or first) + 1)]


def can_join_group(group: list[PromptOption], choice: PromptOption) -> bool:
    """Whether an option can be merged with the group before it."""
    last, this = NUMBERED_TEXT.match(group[-1].text), NUMBERED_TEXT.match(choice.text)
    if not last or not this or not choice.token.isdigit() or int(choice.token) != int(group[-1].token) + 1:
        return False
    if not last["place"] and not this["place"]:
        return last["words"] == this["words"]
    return (
        not last["words"] and not this["words"] and place_offset(last, this) in ((group_offset(group),) if group[1:] else ((0, 1), (1, 0)))
    )


def place_offset(a: re.Match[str], b: re.Match[str]) -> tuple[int, int]:
    """Returns the distance between two places, in letters and in numbers."""
    across = ord(b["place"]) - ord(a["place"]) if len(a["place"]) == len(b["place"]) == 1 else 99 * (a["place"] != b["place"])
    return across, int(b["number"]) - int(a["number"])


def group_offset(group: list[PromptOption]) -> tuple[int, int]:
    first, second = (NUMBERED_TEXT.match(choice.text) for choice in group[:2])
    assert first and second
    return place_offset(first, second)


def group_entries(group: list[PromptOption]) -> list[str]:
    """Returns the list entries of a group of options, usually one."""
    first, last = group[0], group[-1]
    found = [NUMBERED_TEXT.match(choice.text) for choice in group]
    place = found[0] is not None and bool(found[0]["place"])
    if first is last or place and len(group) < 3:
        return [f"{choice.token:>5}  {choice.text}" for choice in group]
    if place:
        said = f"{first.text}-{last.text}"
    else:
        numbers = [int(match["number"]) for match in found if match]
        whole = len(numbers) > 2 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        said = first.text[: -len(str(numbers[0]))] + (f"{numbers[0]}-{numbers[-1]}" if whole else ", ".join(map(str, numbers)))
    return [f"{f'{first.token}-{last.token}':>5}  {said}"]


def answer_forms(option: Option) -> tuple[str, str]:
    """Returns the texts for an option that are not displayed: its spelling, and the values in it."""
    return option.spelling, " ".join(part.partition("=")[2] for part in option.spelling.split() if "=" in part)


def table_labels(option: Option, sight: SeatView) -> tuple[str, ...]:
    """Returns the table's label of the only thing that an option chooses, and the coordinates of cells, if they differ from the names."""
    members = [(kind.name, raw) for _, kind, raw in option.values if isinstance(kind, MemberOf)]
    found = [label for member in members if (label := sight.label(*member))]
    coordinates = " ".join(spelled for member in members if (spelled := sight.coordinates(*member)))
    return (*(found[:1] if len(option.values) == 1 else ()), *([coordinates] if coordinates else []))


def normalize_answer(text: str) -> str:
    """Normalizes a text for comparing answers.

    Exclamation and question marks around a text are removed, because nobody types them, and so are the
    brackets of
    a number on a map."""
    bare = normalize(text)
    on_map = MAP_NUMBER.fullmatch(bare)
    return on_map[1] if on_map else bare.strip("¡!¿?") or bare


def assign_tokens(decision: Decision, before: Mapping[str, str] | None = None, declining: str = "") -> list[tuple[str, Option]]:
    """Returns the token to type for each option, in order of the tokens.

    Tokens are numbers from 1, or the quantities themselves if the question asks for one. Options that were
    offered
    `before` keep their numbers; new ones take free numbers. All options except declining are renumbered if:

    - hardly any option was offered before,
    - another player's things would come after the player's own, or
    - things of a table would not be in the order of its rows.

    `declining` is the text that says what declining means. While it stays the same, its number is not reused."""
    options, owned = sort_options(decision)
    if asked := option_quantities(options):
        free = 0 if 0 not in asked else max(asked) + 1
        return [(str(free if option.declines else option.values[0][2]), option) for option in options]
    names = {option.code: stable_key(option, declining) for option in options}
    kept = {name: int(before[name]) for name in names.values() if name in before} if before else {}
    declined = {name: n for name, n in kept.items() if name == DECLINE_PREFIX + declining}
    if (len(kept) - len(declined)) * KEPT_NUMBERS_DIVISOR < len(options):
        kept = declined
    found = allocate_numbers(list(names.values()), kept, before or {})
    given = {code: found[name] for code, name in names.items()}
    if is_out_of_order(decision, given) or sorted(owned, key=given.__getitem__) != sorted(
        owned, key=lambda code: (owned[code], given[code])
    ):
        found = allocate_numbers(list(names.values()), declined, before or {})
    ordered = sorted(options, key=lambda option: found[names[option.code]])
    return [(str(found[names[option.code]]), option) for option in ordered]


def allocate_numbers(names: Sequence[str], numbers: Mapping[str, int], before: Mapping[str, str]) -> dict[str, int]:
    """Returns a number for each name: the `numbers` ones, and for the others, in order, a free number."""
    found, only_declines = dict(numbers), all(name.startswith(DECLINE_PREFIX) for name in numbers)
    taken = {int(number) for name, number in before.items() if name.startswith(DECLINE_PREFIX)}
    unused = sorted(set(range(1, 2 * len(names) + len(taken) + 1)) - set(numbers.values()) - taken)
    gone = {int(number): name for name, number in before.items() if name not in numbers} if numbers else {}
    for name in names:
        if name not in found and name.startswith(DECLINE_PREFIX):        # a number typed once too often must not decline
            found[name] = next((n for n in unused if n not in gone), max([*gone, *found.values(), *taken, 0]) + 1)
            unused = [n for n in unused if n != found[name]]
        elif name not in found:                                    # prefer the number of a similar option
            found[name] = min(unused) if only_declines else max(unused, key=partial(prefix_similarity, gone, name))
            unused.remove(found[name])
    return found


def tokens_for_decision(decision: Decision, before: Mapping[str, str], narrator: Narrator) -> dict[str, str]:
    """Returns the token of each option of a decision by its stable key."""
    declining = narrator.decline_key(decision)
    return {stable_key(option, declining): token for token, option in assign_tokens(decision, before, declining)}


def stable_key(option: Option, declining: str) -> str:
    """Returns the key that identifies an option across questions.

    It is the spelling, or for declining the text that says what that means."""
    return DECLINE_PREFIX + declining if option.declines else option.spelling


def option_quantities(options: Sequence[Option]) -> list[int]:
    """Returns the quantities that the options choose; empty if they choose anything else."""
    found = [option.values[0][2] for option in options if len(option.values) == 1 and isinstance(option.values[0][1], Int)]
    return found if len(found) == len([option for option in options if not option.declines]) else []


def prefix_similarity(removed: Mapping[int, str], spelling: str, number: int) -> tuple[int, int]:
    """Returns how well a free number suits an option, for `max`.

    A long common prefix with the number's former option is best, then a low number."""
    return len(commonprefix((removed.get(number, ""), spelling))), -number


def parse_command(typed: str, words: dict[str, str]) -> tuple[str, str] | None:
    """Returns the command at the beginning of a line and the rest of the line, or None.

    Commands are accepted in the current language (`words`) and in English. With a slash before it (`/save`), a
    command has priority over an option of the same name."""
    if typed.strip().startswith("?"):
        return "why", typed.strip()[1:].strip()
    typed = typed.strip().removeprefix("/")
    wanted = normalize(typed)
    for name, word in words.items():
        for said in (normalize(word), name):
            if wanted == said or wanted.startswith(said + " "):
                return name, " ".join(typed.split()[len(said.split()):])
    return None

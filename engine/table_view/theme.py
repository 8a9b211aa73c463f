"""The theme of a game: codes, shapes, and colours from table.yaml and its texts, with defaults."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.game.table_config import check_table_config, read_table_config
from ...dsl.types.types import MemberOf, domain_of
from ..narration.narrator import Narrator
from ..position.position import Game

NAMED_COLOURS = {
    "red": "#c32911", "orange": "#b96928", "yellow": "#e8c339", "lime": "#a8cf4f", "green": "#41a36c", "teal": "#3fa796", "cyan": "#59bece",
    "blue": "#2e6fdd", "violet": "#9a81da", "magenta": "#c86ad7", "pink": "#ef9bb5", "brown": "#a97b50", "sand": "#d8ba8a",
    "white": "#f2f2f2", "silver": "#c3c8ce", "grey": "#666b70", "black": "#5a5f66",
}
SEAT_COLOURS = ("red", "blue", "yellow", "green", "violet", "orange", "cyan", "pink", "brown", "silver")


def matches_question(key: str, questions: Sequence[str]) -> bool:
    """Whether a question matches one of `questions`: by its whole key, or by its phase or procedure, with or without
    its case."""
    asks = key.partition(".")[0]
    return key in questions or asks in questions or asks.partition("[")[0] in questions


@dataclass(frozen=True)
class TrackedValueSpec:
    """A tracked value: reported if an option changes it. `questions`: the questions where it is reported, empty for
    all."""

    name: str
    questions: tuple[str, ...] = ()

    def applies_to(self, key: str) -> bool:
        """Whether the value is reported at a question."""
        return not self.questions or matches_question(key, self.questions)


@dataclass
class Theme:
    """The contents of a game's table.yaml.

    panels   panels as written, None without a table.yaml
    colours  by type and member
    shapes   by type and member
    watch    tracked values, None if not declared
    inspect  by type, the values that describe a member
    inspect_as  by type, the value of a member that holds another thing to describe instead
    status   additional values of the status line
    log      importance of transcript lines: 1 for major, -1 for minor
    potential  by type, the potential values of a member for the player who chooses it
    faces    by type, the attributes on the face of a card
    grounds  by type and member, colours of the background of cells on a terminal"""

    panels: list[dict[str, Any]] | None = None
    colours: dict[str, dict[str, str]] = field(default_factory=dict)
    shapes: dict[str, dict[str, str]] = field(default_factory=dict)
    watch: list[TrackedValueSpec] | None = None
    inspect: dict[str, list[str]] = field(default_factory=dict)
    status: list[str] = field(default_factory=list)
    log: dict[str, int] = field(default_factory=dict)
    potential: dict[str, list[str]] = field(default_factory=dict)
    faces: dict[str, list[str]] = field(default_factory=dict)
    grounds: dict[str, dict[str, str]] = field(default_factory=dict)
    inspect_as: dict[str, str] = field(default_factory=dict)
    palettes: dict[str, object] = field(default_factory=dict, compare=False)      # cache of palette.py

    def colour(self, style: str) -> str | None:
        """Returns the colour of a member (`Guest.baron`) as #rrggbb, or None."""
        kind, _, member = style.partition(".")
        name = self.colours.get(kind, {}).get(member)
        return NAMED_COLOURS.get(name, name) if name else None

    def ground(self, style: str) -> str | None:
        """Returns the declared background colour of a member as #rrggbb, or None."""
        kind, _, member = style.partition(".")
        name = self.grounds.get(kind, {}).get(member)
        return NAMED_COLOURS.get(name, name) if name else None


_themes: WeakKeyDictionary[Game, Theme] = WeakKeyDictionary()


def theme_of(game: Game) -> Theme:
    """Returns the theme of a game. Cached.

    A table.yaml with errors is ignored here, because `check` and `play` report them."""
    if game not in _themes:
        findings = DiagnosticList()
        document, overlay = read_table_config(game.ruleset.folder, findings), game.ruleset.source.overlay
        document = document if overlay is None else overlay.merge_table(document)
        if document is not None:
            check_table_config(document, game.ruleset, findings)
        given: dict[str, Any] = document.data if document is not None and not findings.errors else {}
        colours, shapes, grounds = ({_type_name(game, kind): {str(k): str(v) for k, v in members.items()}
                            for kind, members in (given.get(section) or {}).items()} for section in ("colours", "shapes", "grounds"))
        watch = [
            TrackedValueSpec(one["of"], tuple(one["questions"])) if isinstance(one, dict) else TrackedValueSpec(one)
            for one in given.get("watch") or []
        ]
        theme = Theme(given.get("panels"), colours, shapes, watch if given.get("watch") is not None else None,
                    {_type_name(game, kind): names for kind, names in (given.get("inspect") or {}).items()}, given.get("status") or [],
                    {name: weight for section, weight in (("major", 1), ("minor", -1)) for name in given.get("log", {}).get(section, ())},
                    {_type_name(game, kind): names for kind, names in (given.get("potential") or {}).items()},
                    {_type_name(game, kind): names for kind, names in (given.get("faces") or {}).items()}, grounds,
                    {_type_name(game, kind): name for kind, name in (given.get("inspect_as") or {}).items()})
        add_face_styles(game, theme)
        for enum in game.model.enums.values():
            if enum.kind == "player" and enum.name not in theme.colours and not has_piece_colours(game, enum.name, theme.colours):
                theme.colours[enum.name] = dict(zip(enum.members, SEAT_COLOURS))
        _themes[game] = theme
    return _themes[game]


def add_face_styles(game: Game, look: Theme) -> None:
    """Gives each card the colour and the shape of the first attribute on its face that has colours."""
    for kind, names in look.faces.items():
        enum = game.model.enums[kind]
        suits = [(name, of.name) for name in names if isinstance(of := enum.attributes[name], MemberOf) and of.name in look.colours]
        for name, suit in suits[:1]:
            for given in (look.colours, look.shapes):
                signs = [given.get(suit, {}).get(game.model.enums[suit].kind_or_name(raw)) for raw in enum.values[name]]
                given[kind] = {member: sign for member, sign in zip(enum.members, signs) if sign} | given.get(kind, {})


def has_piece_colours(game: Game, player: str, coloured: Container[str]) -> bool:
    """Whether things with their own colours represent the players, such as the animals that they play.

    Players then get no default colours, because those could be the colours of another player's things."""
    return any(len(cell.enums) == 1 and cell.enums[0].name in coloured and domain_of(cell.state.type) == player
               for cell in game.cells.values())


def _type_name(game: Game, name: str) -> str:
    """Returns the full name of a type, which may be given by an alias."""
    enum = game.model.enum_of(name)
    return enum.name if enum is not None else name


def to_ascii(text: str) -> str:
    """Returns `text` in ASCII, without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if ord(c) < 128)


def short_codes(names: Sequence[str]) -> list[str]:
    """Returns a code for each name: its shortest prefix that is unique, up to three letters. Otherwise, two letters
    and a number."""
    letters = ["".join(c for c in to_ascii(name).lower() if c.isalnum()) or "x" for name in names]
    for size in (1, 2, 3):
        codes = [word[:size] for word in letters]
        if len(set(codes)) == len(codes):
            return codes
    seen: dict[str, int] = {}
    out = []
    for word in letters:
        seen[word[:2]] = seen.get(word[:2], 0) + 1
        out.append(word[:2] + (str(seen[word[:2]]) if seen[word[:2]] > 1 else ""))
    return out


class MemberCodes:
    """The codes of the members of a game in one language. `fixed` keeps those of all types but the `varying` ones."""

    def __init__(self, narrator: Narrator, fixed: dict[str, list[str]], varying: Container[str]) -> None:
        self.narrator, self.fixed, self.varying = narrator, fixed, varying
        self.made: dict[str, list[str]] = {}

    def code_for(self, domain: str, n: int) -> str:
        """Returns the code of a member: its text `letter.<Type>.<member>`, or a prefix of its name."""
        enum = self.narrator.game.model.enum_of(domain)
        assert enum is not None
        known = self.made if enum.name in self.varying else self.fixed
        if enum.name not in known:
            words = self.narrator.words
            names = [words.value(self.narrator.member_value(enum.name, k)) for k in range(len(enum.members))]
            keys = [f"letter.{self.narrator.noun_key(enum.name, k)}" for k in range(len(enum.members))]
            codes = short_codes([self.narrator.player_name(k) for k in range(len(names))] if enum.kind == "player" else names)
            known[enum.name] = [words.text(key) if words.has(key) else code for key, code in zip(keys, codes)]
        return known[enum.name][n]

"""Applies the mistakes of mistakes.yaml to the small game, with a catalogue and a pack."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

FILES = {
    "game.yaml": """\
game: fair
name: Fair
players: 2..3
clauses: FR
rules: [fair.rules]
numbers: {days: 2, top: 5, run: 4}
options:
  calm: {values: [false, true], default: false}
enums:
  Player: {members: {anna: {}, bela: {}, carla: {}}}
  Colour: [red, blue]
  Kite:
    name: kite
    attributes: {price: int, tail: "Colour?"}
    defaults: {price: 1, tail: none}
    decides: flyer
    members:
      swan: {name: swan, price: 2, tail: red, text: "Worth {price}."}
      hawk: {name: hawk, price: 3}
      dragon: {name: dragon, discs: 3}
tables:
  bonus: {values: [0, 1, 3], from: 0}
boards:
  meadow: {shape: square, cells: Cell, columns: 7, rows: 6}
start:
  basket: {red: 2, blue: 1}
""",
    "fair.rules": """\
state day: 0..9
state flyer[Kite]: Player?
state height[Kite]: 0..top
state flag[Cell]: Player?
state basket: bag of Colour
state ribbons[Player]: bag of Colour

def free(kite) = flyer[kite] == none
def points(player) = sum(kite in Kite where flyer[kite] == player: height[kite] * kite.price + dragon.discs)
def rows_of(cell) where:
    row(cell) > 2
    any(line in lines(run) where cell in line)

phase game @FR-GAM:
    for player in Player: take(player)                               @01
    rounds until day == days @02:
        day += 1
        for player in Player:
            fly(player)

proc take(player) by player @FR-TAKE:
    choose kite in Kite where free(kite) or stop                     @01
    flyer[kite] = player
    if size(basket) > 0:
        draw 1 from basket to ribbons[player]                        @02
    elif calm:
        tell calm_day(kite)

proc fly(player):
    for kite in Kite where flyer[kite] == player:
        may choose line in 1..3 where height[kite] + line <= top by kite:
            height[kite] += line
            tell rose(kite, line)
    for cell in Cell where rows_of(cell) and column(cell) == 1:
        flag[cell] = player
        for next_one in step(cell, north): flag[next_one] = none

standing player: points(player) + bonus[day]                          @FR-GAM-03
always one_flag_at_most: count(cell in Cell where flag[cell] != none) <= 42
always no_ribbon_is_lost: size(basket) + sum(player in Player: size(ribbons[player])) == 3
""",
    "messages.yaml": """\
ask.take.kite: "{who}, which kite?"
event.rose: "{kite} rises by {line}."
event.calm_day: "No wind for {kite}."
ask.fly.line: "{who}, how far?"
""",
    "clauses.yaml": """\
FR-GAM-01: "Everybody takes a kite."
FR-GAM-02: "A game lasts {days} days."
FR-GAM-03: "Whoever is highest wins."
FR-GAM-04: {excuse: component}
FR-TAKE-01: "A kite can be taken once."
FR-TAKE-02: "With it comes a ribbon."
""",
    "table.yaml": """\
colours: {Kite: {swan: green}}
panels:
  - board: meadow
    pieces: [flag]
""",
    "tests/play.yaml": """\
scenarios:
  - name: the first day
    clauses: [FR-TAKE-01]
    given: {clear: [ribbons], ribbons: {anna: {red: 1}}}
    run: take(anna)
    chance: [blue]
    play:
      - asks: take.kite
        offered: [kite=swan]
      - "anna: kite=dragon"
    expect: {flyer: {dragon: anna}, "size(basket)": 2, over: true}
""",
}

CATALOGUE, LEXICON, PACK = "locale/it/LC_MESSAGES/fair.po", "locale/it/lexicon/fair.yaml", "windy.yaml"
EXTRA_FILES = {
    CATALOGUE: """\
msgid ""
msgstr ""
"Language: it\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

msgctxt "event.rose"
msgid "{kite} rises by {line}."
msgstr "{kite}~the sale di {line}."

msgctxt "event.calm_day"
msgid "No wind for {kite}."
msgstr "Niente vento per {kite}."
""",
    LEXICON: """\
# Italian nouns.
Kite: {sg: aquilone, pl: aquiloni, g: m}
Kite.swan: {sg: cigno, pl: cigni, g: m}
Kite.hawk: {sg: falco, pl: falchi, g: m}
Kite.dragon: {sg: drago, pl: draghi, g: m}
""",
    PACK: """\
house: windy
for: fair
set:
  Kite.hawk.price: 4
add:
  Kite.crane: {name: crane, price: 2}
  numbers: {gale: 1}
steps:
  - after: "fly: height[kite] += line"
    rules: |
      if kite == crane: height[crane] -= gale
tests:
  - name: a crane sinks
    given: {flyer: {crane: anna}, height: {crane: 2}}
    run: fly(anna)
    play: [line=2]
    expect: {height: {crane: 3}}
""",
}                                                                  # files that exist only for their mistakes


@dataclass(frozen=True)
class Mistake:
    """One entry of the table."""

    name: str
    changes: tuple[tuple[str, str, str], ...]                      # file, old text, new text
    code: str
    line: int
    cause: str
    way: str

    @property
    def file(self) -> str:
        return self.changes[0][0]

    @property
    def files(self) -> dict[str, str]:
        """Returns the files of the game with the mistake."""
        out = dict(FILES)
        for file in EXTRA_FILES:
            if file == self.file or {file, self.file} == {CATALOGUE, LEXICON}:
                out[file] = EXTRA_FILES[file]
        for file, was, now in self.changes:
            assert was in out[file], f"{file} does not contain {was}"
            out[file] = out[file].replace(was, now, 1)
        return out


def read_mistake(raw: dict) -> Mistake:
    changes = tuple((one["file"], one["was"], one["now"]) for one in (raw["change"], raw.get("second")) if one)
    return Mistake(raw["name"], changes, **raw["says"])


MISTAKES = [read_mistake(raw) for raw in yaml.safe_load((Path(__file__).parent / "mistakes.yaml").read_text(encoding="utf-8"))]

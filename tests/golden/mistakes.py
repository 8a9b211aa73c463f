"""What authors get wrong: one slip in a small game that is right, what is to be said of it, where, and a word of the way out.

(name, file, what stood there, what stands there now, code, line, a word of the finding or its hint)
"""

from __future__ import annotations

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
      swan: {name: swan, price: 2, tail: red}
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

proc fly(player) @FR-FLY:
    for kite in Kite where flyer[kite] == player:
        may choose line in 1..3 where height[kite] + line <= top by kite:
            height[kite] += line
            tell rose(kite, line)
    for cell in Cell where rows_of(cell) and column(cell) == 1:
        flag[cell] = player
        for next_one in step(cell, north): flag[next_one] = none

standing player: points(player) + bonus[day]
always one_flag_at_most: count(cell in Cell where flag[cell] != none) <= 42
always no_ribbon_is_lost: size(basket) + sum(player in Player: size(ribbons[player])) == 3
""",
    "messages.yaml": """\
ask.take.kite: "{who}, which kite?"
event.rose: "{kite} rises by {line}."
event.calm_day: "No wind for {kite}."
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

ITALIAN = """\
msgid ""
msgstr ""
"Language: it\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

msgctxt "event.rose"
msgid "{kite} rises by {line}."
msgstr "{kite} sale di {line}."

msgctxt "event.calm_day"
msgid "No wind for {kite}."
msgstr "Niente vento per {kite}."
"""
P = "locale/it/LC_MESSAGES/fair.po"
R, G, M, T = "fair.rules", "game.yaml", "messages.yaml", "tests/play.yaml"

# fmt: off
MISTAKES = [
    # conditions that are never true, numbers that cannot be
    ("a row past the edge", R, "row(cell) > 2", "row(cell) > 9", "W104", 11, "never"),
    ("a column past the edge", R, "column(cell) == 1", "column(cell) == 0", "W104", 34, "never"),
    ("a number below its range", R, "size(basket) > 0", "size(basket) < 0", "W104", 24, "never"),
    ("a height above its range", R, "where height[kite] + line <= top", "where height[kite] > 12", "W104", 31, "never"),
    ("a line longer than the board", G, "run: 4", "run: 40", "W105", 12, "40"),
    ("a line of less than nothing", G, "run: 4", "run: -4", "R232", 12, "at least 2"),
    ("divided by nothing", R, "+ bonus[day]", "+ 4 // 0", "W106", 38, "zero"),
    ("the remainder of nothing", R, "+ bonus[day]", "+ day % 0", "W106", 38, "zero"),
    ("divided by a number that is zero", G, "run: 4}", "run: 4, none_at_all: 0}", "W107", 6, "none_at_all"),
    # data that means something else, or nothing
    ("a misspelt attribute", G, "hawk: {name: hawk, price: 3}", "hawk: {name: hawk, prise: 3}", "W108", 19, "price"),
    ("a misspelt number of one member", G, "discs: 3", "disks: 3", "R215", 9, "disks"),
    ("a number that nobody uses", G, "top: 5,", "top: 5, tpo: 6,", "W107", 6, "top"),
    ("a table that nobody reads", G, "tables:\n", "tables:\n  bonsu: {values: [1, 2]}\n", "W107", 22, "bonus"),
    ("a misspelt default", G, "defaults: {price: 1", "defaults: {prise: 1", "G010", 15, "price"),
    ("a misspelt key", G, "boards:", "board:", "Y010", 23, "boards"),
    ("columns as a text", G, "columns: 7", 'columns: "7"', "Y012", 24, "number"),
    ("no columns", G, "columns: 7", "columns: 0", "Y015", 24, "at least 1"),
    ("fewer rows than none", G, "rows: 6", "rows: -6", "Y015", 24, "at least 1"),
    ("a misspelt member", G, "tail: red", "tail: rde", "G015", 18, "red"),
    ("a number as a text", G, "price: 2", 'price: "2"', "G014", 18, "int"),
    ("a misspelt type", G, 'tail: "Colour?"', 'tail: "Color?"', "G013", 14, "Colour"),
    ("a kind of board that there is not", G, "shape: square", "shape: sqare", "Y013", 24, "square"),
    # what stands open
    ("an open quotation mark", G, "name: kite\n", 'name: "kite\n', "Y017", 13, "closed"),
    ("an open brace", G, "{price: 1, tail: none}", "{price: 1, tail: none", "Y017", 15, "closed"),
    ("an open bracket in data", G, "Colour: [red, blue]", "Colour: [red, blue", "Y017", 11, "closed"),
    ("an open parenthesis", R, "where free(kite) or stop", "where free(kite or stop", "R011", 22, "closed"),
    ("an open parenthesis over lines", R, "size(ribbons[player])) == 3", "size(ribbons[player]) == 3", "R011", 40, "closed"),
    ("an open square bracket", R, "flyer[kite] = player", "flyer[kite = player", "R011", 23, "closed"),
    # habits of other languages
    ("one equals sign", R, "if size(basket) > 0", "if day = 0", "R013", 24, "=="),
    ("one equals sign in where", R, "where flyer[kite] == player:\n", "where flyer[kite] = player:\n", "R013", 30, "=="),
    ("&&", R, "rows_of(cell) and column", "rows_of(cell) && column", "R013", 34, "and"),
    ("||", R, "if size(basket) > 0", "if day == 0 || day == 1", "R013", 24, "or"),
    ("!", R, "elif calm", "elif !calm", "R013", 26, "not"),
    ("null", R, "flyer[kite] == none", "flyer[kite] == null", "R101", 8, "none"),
    ("None", R, "flyer[kite] == none", "flyer[kite] == None", "R102", 8, "none"),
    ("True", R, "elif calm", "elif calm == True", "R102", 26, "true"),
    ("while", R, "rounds until day == days @02", "while day != days", "R013", 16, "until"),
    ("elseif", R, "elif calm", "elseif calm", "R013", 26, "elif"),
    ("else if", R, "elif calm", "else if calm", "R013", 26, "elif"),
    ("++", R, "day += 1", "day++", "R013", 17, "+= 1"),
    ("===", R, "column(cell) == 1", "column(cell) === 1", "R013", 34, "=="),
    ("<>", R, "column(cell) == 1", "column(cell) <> 1", "R013", 34, "!="),
    ("a semicolon", R, "day += 1", "day += 1;", "R015", 17, "line"),
    ("one slash", R, "+ bonus[day]", "+ day / 2", "R013", 38, "//"),
    ("foreach", R, "for cell in Cell", "foreach cell in Cell", "R013", 34, "for"),
    ("function", R, "proc take(player)", "function take(player)", "R013", 21, "proc"),
    ("var", R, "        day += 1", "        var n = 1", "R013", 17, "let"),
    ("a text in rules", R, "tell calm_day(kite)", 'tell calm_day("kite")', "R014", 27, "messages.yaml"),
    # misspelt words
    ("a misspelt keyword", R, "choose kite in", "chose kite in", "R006", 22, "choose"),
    ("a keyword in Italian", R, "phase game", "fase game", "R006", 14, "phase"),
    ("a keyword in Spanish", R, "    for cell in Cell", "    para cell in Cell", "R006", 34, "for"),
    ("a keyword in Hungarian", R, "choose kite in", "válassz kite in", "R006", 22, "choose"),
    ("a misspelt state", R, "flyer[kite] = player", "flier[kite] = player", "R101", 23, "flyer"),
    ("a misspelt def", R, "where free(kite)", "where fre(kite)", "R219", 22, "free"),
    ("a misspelt function", R, "if size(basket)", "if siez(basket)", "R219", 24, "size"),
    ("a misspelt procedure", R, "    for player in Player: take(player)", "    for player in Player: tkae(player)", "R", 15, "take"),
    ("a misspelt direction", R, "step(cell, north)", "step(cell, norht)", "R101", 36, "north"),
    ("a misspelt type in rules", R, "for cell in Cell", "for cell in Cel", "R102", 34, "Cell"),
    ("a misspelt attribute in rules", R, "kite.price", "kite.prize", "R215", 9, "price"),
    ("a def with the name of a fold", R, "def free(kite) = ", "def best(kite) = ", "R119", 8, "best"),
    ("a misspelt word of a declaration", R, "standing player", "standng player", "R006", 38, "standing"),
    ("no colon", R, "elif calm:", "elif calm", "R007", 26, ":"),
    # scenario files
    ("a misspelt look", T, "offered: [kite", "ofered: [kite", "Y018", 9, "offered"),
    ("a misspelt state in given", T, "ribbons: {anna", "ribons: {anna", "Y018", 4, "ribbons"),
    ("a misspelt state to clear", T, "clear: [ribbons]", "clear: [ribons]", "Y018", 4, "ribbons"),
    ("a misspelt state in expect", T, "{flyer: {dragon", "{flier: {dragon", "Y018", 11, "flyer"),
    ("a misspelt procedure to run", T, "run: take(anna)", "run: tkae(anna)", "Y018", 5, "take"),
    ("a misspelt key of a scenario", T, "    expect:", "    expects:", "Y010", 11, "expect"),
    ("somebody who does not play", T, '"anna: kite', '"ana: kite', "Y018", 10, "anna"),
    ("a decision that there is not", T, "asks: take.kite", "asks: take.kiet", "Y018", 8, "take.kite"),
    ("an expression with a slip", T, '"size(basket)": 2', '"siez(basket)": 2', "R219", 11, "size"),
    ("a clause that there is not", T, "clauses: [FR", "claues: [FR", "Y010", 3, "clauses"),
    # words
    ("a field that there is not", M, "{line}", "{lien}", "W208", 2, "line"),
    ("a text that nobody asks for", M, "event.rose", "event.rsoe", "W209", 2, "event.rose"),
    ("an open quotation mark in messages", M, '"{kite} rises by {line}."', '"{kite} rises by {line}.', "Y017", 2, "closed"),
    ("a catalogue of another language", P, "Language: it", "Language: es", "T013", 3, "es"),
    ("an open quotation mark in a catalogue", P, 'msgstr "{kite} sale di {line}."', 'msgstr "{kite} sale di {line}.', "T014", 9, "read"),
    ("a field that the English does not have", P, "sale di {line}", "sale di {linea}", "T005", 8, "linea"),
]
# fmt: on

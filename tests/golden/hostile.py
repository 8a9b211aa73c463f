"""Contains files, by name with their bytes, that an editor or version control would damage, or that are too large to store."""

from __future__ import annotations

KEYWORDS = """
enums: {Class: [class, lambda, import, __import__, __class__, exec, s, b0, fault, print]}
numbers: {__name__: 3, def_: 2, range: 5}
tables: {__builtins__: {values: [1, 2]}}
"""


def join_lines(*texts: str, end: str = "\n") -> bytes:
    return (end.join(texts) + end).encode()


FILES: dict[str, bytes] = {
    # bytes, line ends, sizes
    "R001-binary.rules": bytes(range(256)) * 4,
    "Y001-binary.yaml": bytes(range(255, -1, -1)) * 4,
    "R002-long-line.rules": b"def long = " + b"1 + " * 2500 + b"1\n",
    "R010-huge.rules": b"# many words\n" * 200_000,
    "Y002-huge.yaml": b"# many words\n" * 200_000,
    "R101-windows-line-ends.rules": join_lines("# one", "# two", "def poor(player) = coin[player] == 0", end="\r\n"),
    "R101-old-line-ends.rules": join_lines("# one", "def poor(player) = coin[player] == 0", end="\r"),
    "R101-byte-order-mark.rules": "\ufeffdef poor(player) = coin[player] == 0\n".encode(),
    "Y010-windows-line-ends.yaml": join_lines("numbers: {leaves: 4}", "number:", "  trees: 4", end="\r\n"),
    "Y010-line-separator.yaml": "numbers: {leaves: 4} # \u2028 \x85\nnumber: {trees: 4}\n".encode(),
    "Y014-long-line.yaml": b"numbers: {" + b", ".join(b"n%d: %d" % (n, n) for n in range(800)) + b", Wrong: 1, last: 2}\n",
    "empty.rules": b"",
    "empty-data.yaml": b"",
    "R110-empty.only.rules": b"",
    "Y011-empty.game.yaml": b"",
    "empty-but-for-comments.rules": join_lines("# nothing", "", "   # at all", "\t"),
    "R022-thousands.rules": join_lines("proc endless():", *["    coins[player_1] = 1"] * 4_000, "def one = 1"),
    "R022-decisions.rules": join_lines("# At the limit, and one line more.", "phase ask():",
                                  *["    choose n in 0..1 by player_1  # again", ""] * 499, "phase ask_more():",
                                  *["    choose n in 0..1 by player_1"] * 500),
    "R023-many-procedures.rules": join_lines(*(f"proc p{n}():\n" + "    coins[player_1] = 1\n" * 499 for n in range(11)), "def one = 1"),
    "Y003-brace-at-the-end.yaml": b"# no line end\n{b",
    # depth
    "R003-blocks.rules": join_lines("proc deep():", *(" " * n + "if true:" for n in range(1, 60)), " " * 60 + "stop"),
    "R003-not-not.rules": join_lines("def deep = " + "not " * 900 + "true"),
    "R003-minus.rules": join_lines("def deep = " + "-" * 900 + "1"),
    "R003-long-sum.rules": join_lines("def deep = (1", *(" + 1" for _ in range(3000)), ")"),
    "R003-conditions.rules": join_lines("def deep = " + "1 if true else " * 200 + "1"),
    "R402-chain.rules": join_lines(*(f"def d{n}(player) = d{n + 1}(player)" for n in range(600)), "def d600(player) = 1"),
    "R234-loops.rules": join_lines("proc deep():", "    for " + ", ".join(f"g{n} in Gem" for n in range(25)) + ": stop"),
    "R401-long-circle.rules": join_lines(*(f"proc p{n}(): p{n + 1}()" for n in range(9)), "proc p9(): p0()"),
    "Y021-values.yaml": b"".join(b"k%d: 1\n" % n for n in range(25_000)),
    "Y005-thousands-deep.yaml": b"start: " + b"[" * 5000 + b"]" * 5000 + b"\n",
    "Y004-bomb.yaml": join_lines("start:", "  a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]",
                            *(f"  {b}: &{b} [*{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}]" for a, b in zip("abcdefgh", "bcdefghi"))),
    "R203-digits.rules": join_lines("def much = " + "9" * 3900),
    # characters
    "R005-escape-sequence.rules": b"def red = 1 \x1b[31m + 2\n",
    "R005-turned-direction.rules": "def admin = true \u202e # eurt\n".encode(),
    "R005-no-break-space.rules": "def two =\u00a02 $\n".encode(),
    "R005-null.rules": b"def two = 2\x00\n",
    "R101-right-to-left.rules": "def \u05e9\u05dc\u05d5\u05dd(player) = coins[player] + \u05d0\u05d1\u05d2 + 1\n".encode(),
    "R101-wide.rules": "def \u6771\u4eac(player) = coins[player] + \u5927\u962a + 1  # \u3000\n".encode(),
    "R005-accent-apart.rules": "def se\u0301jour(player) = e\u0301te\u0301 + 1\n".encode(),
    "R101-tabs.rules": b"proc pay(player):\n\tcoins[player]\t+= \tcoinz\n",
    "R020-tabs-and-blanks.rules": b"proc pay(player):\n    coins[player] += 1\n\tcoins[player] += 1\n",
    "Y003-control-character.yaml": b"numbers: {leaves: 4}\ntables: {bonus\x07: {}}\n",
    "Y010-wide.yaml": '"\u6728": {\u8449: 4}\n'.encode(),
    "Y014-lone-surrogate.yaml": b'numbers: {"\\ud800\\u202e": 4}\n',
    "G017-null-in-a-name.game.yaml": b'game: toy\nname: Toy\nplayers: 2\nrules: ["a\\0b.rules"]\n',
    # words of Python and of generated code, as names
    "python-words.rules": join_lines(
        "state class: int", "state __import__[Player]: 0..9", "state lambda: set of Cell", "state s: bool", "state __class__: Player?",
        "def exec(player) = __import__[player] + class", "proc fault(player): __import__[player] = 3", "proc b0(): s = not s",
        "proc import(player) by player:", "    let __builtins__ = 2", "    let print = __builtins__", "    choose pass in Cell or stop",
        "    lambda = {pass}", "    class = exec(player) + print", "    tell __init__(player, self=class)", "    fault(player)", "    b0()",
        "    if s and size(lambda) > 0: __class__ = player", "    if __class__ == none: import_more()", "proc import_more(): class = 0",
        "always __del__: class >= 0", "def used(player) = exec(player)", "def more(player) = used(player) + (1 if s else 0)"),
    "python-words-in-data.yaml": KEYWORDS.encode(),
    "Y014-python-constants.yaml": b"enums: {Truth: [None, True_, x.y, 'a b', \"__import__('os')\"]}\n",
    "Y012-none-true.yaml": b"enums: {Truth: [true, null, 3]}\n",
}

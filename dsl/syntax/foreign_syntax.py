"""Recognizes syntax of other languages and its equivalent here: `&&` for `and`, `while` for `rounds until`."""

from __future__ import annotations

import re

NAME = r"[^\W\d]\w*"
FOREIGN_TYPES = {
    "integer": "int",
    "number": "int",
    "float": "int",
    "real": "int",
    "double": "int",
    "long": "int",
    "num": "int",
    "boolean": "bool",
    "array": "list",
    "vector": "list",
    "stack": "pile",
}
TABLE_TYPES = ("dict", "dictionary", "map", "hash", "hashmap", "table", "object", "record", "struct", "mapping")
TEXT_TYPES = ("string", "str", "char", "text", "varchar")
# Patterns over whole lines, each with the equivalent of its match in this language.
FOREIGN_LINES: list[tuple[re.Pattern[str], str]] = [(re.compile(pattern), meant) for pattern, meant in (
    (r"^\s*(?://|--)(?= ).*$|/\*.*$|//\s*[^\W\d]\w*\s+(?!(?:if|and|or|otherwise|where|by|in)\b)\w+.*$", "#"),
    (rf"\bfor\s+({NAME})\s+in\s+([^:]+?)\s+until\s+([^:]+?)(?=\s*:)", r"rounds of \1 in \2 until \3"),
    (rf"\bfor\s+({NAME})\s*=\s*(\w+)\s+to\s+(\w+)", r"for \1 in \2..\3"),
    (r"\bfor\s+each\b", "for"),
    (rf"\bfor\s+({NAME})\s+in\s+(?!\()([^:]+?\s+if\s+[^:]+?\s+else\s+[^:]+?)(?=\s*:)", r"for \1 in (\2)"),
    (rf"\b(for|choose)\s+({NAME})\s+in\s+([^:(]+?)\s+if\s+([^:]+?)(?=\s*:)", r"\1 \2 in \3 where \4"),
    (r"\bchoose\s+([A-Z]\w*)(?=\s|:)", r"choose x in \1"),
    (r"(?<=^def )(?=.*=\s*if\b)(.*=)\s*if\s+([^:]+?)\s*:\s*(\S.*?)\s+else\s*:?\s*(.+?)\s*$", r"\1 \3 if \2 else \4"),
    (r"(?<=[)\w\]])\s*=\s*return\b", "="),
    (r"\bin\s*\((\s*\w+(?:\s*,\s*\w+)+\s*)\)", r"in [\1]"),
    (rf"\bcount\(({NAME}(?:\[\w+\])?)\)", r"size(\1)"),
    (r"\b(set|list|bag|pile)\s*[\[<]\s*([A-Z]\w*|int|bool)\s*[\]>]", r"\1 of \2"),
    (rf"\bfor\s*\(\s*(?:let |var |int )?({NAME})\s*=.*", r"for \1 in 1..n:"),
    (rf"\[\s*({NAME})\s+for\s+\1\s+in\s+([^\]]+)\]", r"list(\1 in \2)"),
    (rf"\b(sum|any|all|count|set|list)\((.+?)\s+for\s+({NAME})\s+in\s+([^)]+)\)", r"\1(\3 in \4: \2)"),
    (r"\b(\w+)\s*(<=?)\s*(\w+)\s*(<=?)\s*(\w+)", r"\1 \2 \3 and \3 \4 \5"),
    (r"\b(\w+)\s*(>=?)\s*(\w+)\s*(>=?)\s*(\w+)", r"\1 \2 \3 and \3 \4 \5"),
    (r"\b(\w+)\s*(==|!=)\s*(\w+)\s*(==|!=)\s*(\w+)", r"\1 \2 \3 and \3 \4 \5"),
    (rf"^(\s+)let\s+(?:int|bool|integer|boolean|number)\s+({NAME})\s*=", r"\1let \2 ="),
    (rf"^(\s+)let\s+({NAME})\s*:\s*[^=:]+=(?!=)", r"\1let \2 ="),
    (rf"^(\s+)(?:int|bool|auto|def|local)\s+({NAME})\s*=", r"\1let \2 ="),
    (r"^state\s+(\w+)\s*=\s*", r"state \1: int = "),
    (r"^(?:(?:let|var|const|int)\s+)?([a-z]\w*)\s*=\s*(?=\d)", r"state \1: int = "),
    (r"^(?:var|let)\s+(\w+)\s*:", r"state \1:"),
    (r"^(standing|estimate)\s*[:=]", r"\1 player:"),
    (r"^always\s+(?!\w+\s*:)", "always name: "),
    (r"(?<=[:\s])Optional\[(\w+)\]|(?<=[:\s])(?:optional|maybe|Maybe)\s+(\w+)", r"\1\2?"),
    (r"(?<=:)\s*(\w+)\s*\|\s*(?:none|None|null)\b", r"\1?"),
    (r"(?<=:)\s*([A-Z]\w*|int|bool)\s*\[\s*\]", r" list of \1"),
    (r"^(state\s+\w+)\s*:\s*(?:[Dd]ict|[Mm]ap)\s*(?:[\[<]|of\s)\s*([A-Z]\w*)\s*(?:,|:|to)\s*([A-Z]\w*|int|bool)\s*[\]>]?",
     r"\1[\2]: \3"),
    (r"^(state\s+\w+)\s*:\s*([A-Z]\w*)\[(int|bool)\]", r"\1[\2]: \3"),
    (r"\b(set|list|bag|pile)\s+(?=[A-Z])", r"\1 of "),
    (r"(?<=\bin )(\d+)(?:\s*-\s*|\s+to\s+|\.\.\.)(\d+)|(?<=: )(\d+)(?:\s*-\s*|\s+to\s+|\.\.\.)(\d+)(?=\s*$)", r"\1\3..\2\4"),
    (r"(?<=repeat )(\w+)\s+times(?=\s*:)", r"\1"),
    (r"\b(\d+)_(\d+)\b", r"\1\2"),
    (r"(?<=\))\s*(?::|->)\s*(?:int|bool|integer|boolean|number|float|[A-Z]\w*)\??\s*=(?!=)", " ="),
    (rf"^def\s+{NAME}(?:\([^)]*\))?\s*(?:->\s*\w+\s*)?([:{{])", "="),
    (r"(?<!=)=\+", "+="), (r"(?<!=)=-(?=\s)", "-="),
    (r"^\s*(?:if|elif|else|for|while|proc|phase|repeat|rounds|function)\b[^{]*(\{)", ":"),
)]
CONDITIONAL_LOOP = re.compile(
    r"(?:^\s*|(?<=:)\s*)(?P<head>(?:(?:repeat|loop|rounds|do)\s+)?(?:while|mentre|mientras)|(?:^\s+)?(?:(?:repeat|loop|do)\s+)?until)\b"
    r"\s*(?P<condition>\S.*)$")
RETURNING_IF = re.compile(
    rf"(?P<head>def\s+{NAME}\s*(?:\([^()\n]*\))?)\s*(?:->[^:{{\n]*)?:\s*if\s+(?P<test>[^\n]+?)\s*:\s*return[ \t]+(?P<value>[^\n]+?)\s*"
    r"\n\s*(?:else\s*:\s*)?return[ \t]+(?P<other>[^\n]+)$")
RETURNING_DEF = re.compile(
    rf"(?P<head>def\s+{NAME}\s*(?:\([^()\n]*\))?)\s*(?:->[^:{{\n]*)?(?:[:{{]\s*|=[ \t]*\n\s*)return[ \t]+(?P<value>[^\n]+)$")
SINGLE_TYPE = re.compile(r"[(\[]\s*([A-Z]\w*|int|bool)\s*[)\]]")
LOOP_PREPOSITION = re.compile(rf"\b(?:for|choose)\s+(?:{NAME}\s*,\s*)*{NAME}\s+(of|from)\b")
COMPARISON_FOR_ASSIGNMENT = re.compile(r"^\s+(?=\S)(?!(?:if|elif|for|repeat|rounds|choose|may)\b)(?:let\s+)?[\w.\[\], ]+?\s*(==)(?!.*:)")
OPPOSITE_VALUES = {"true": "false", "false": "true"}
OPPOSITE_COMPARISONS = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
OPERAND = r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?"
SINGLE_COMPARISON = re.compile(rf"(?P<left>{OPERAND})\s*(?P<operator>==|!=|<=|>=|<|>)\s*(?P<right>{OPERAND})")
INLINE_BLOCK = re.compile(r":\s*(if|for|repeat|rounds|choose\b(?=.*:\s))\b|\S\s+(else|elif)\b(?=.*:)")
RETURN_STATEMENT = re.compile(r"(?:^|:)\s*(return|yield)\s+(?=\S)")
RETURN_WORDS = ("return", "yield")
NESTED_ELEMENT_TYPE = re.compile(r"\b(?:list|set|bag|pile)\s+of\s+(?P<pair>[(\[].*?[)\]]|(?:list|set|bag|pile)\s+of\b)")
IMPORT_STATEMENT = re.compile(r"^\s*(import|include|require|using|from(?=\s+[\w.]+\s+import\b))\b(?=\s+[\w.\"'<(]+)")
DECLARED_NAME = re.compile(r"^\s*(?:state|def|proc|phase|always|let|(?:may\s+)?choose.*\bas)\s+(\w+)")
PARAMETER_NAME = re.compile(r"[(,]\s*(\w+)\s*(?=[,:]|$)")

# Operators, each with its equivalent in this language. The first match counts.
FOREIGN_OPERATORS: list[tuple[re.Pattern[str], str]] = [(re.compile(pattern), meant) for pattern, meant in (
    (r"\+\+", "+= 1"), (r"--(?=\s*$)", "-= 1"), (r"&&", "and"), (r"\|\|?", "or"), (r"[!=]==", "=="), (r"<>", "!="), (r"=>", ">="),
    (r"=<", "<="), (r"!(?!=)", "not"), (r":=", "="), (r"(?<![/=])/(?![/=])", "//"), (r"[*/]=", "="), (r"\*\*", "*"),
    (r"\?(?=[^?:]*:)", "… if … else …"), (r"(?<!\S)per\b(?=\s+\w+\s+in\b)", "for"), (r"\belse\s+if\b", "elif"), (r"\bfor\s+each\b", "for"),
)]
FOREIGN_WORDS = {
    "while": "rounds until not", "loop": "repeat", "elseif": "elif", "elsif": "elif", "foreach": "for", "function": "proc",
    "func": "proc", "fn": "def", "procedure": "proc", "sub": "proc", "method": "proc", "var": "let", "const": "let", "local": "let",
    "break": "stop", "return": "stop", "exit": "stop", "print": "tell", "say": "tell", "log": "tell", "emit": "tell", "switch": "if",
    "select": "choose", "pick": "choose", "assert": "always", "invariant": "always", "when": "if", "unless": "if not",
    "match": "if", "case": "elif",
    "mentre": "rounds until not", "mientras": "rounds until not", "is": "==", "xor": "!=", "mod": "%", "div": "//", "then": ":",
}
FOREIGN_VALUES = {
    "null": "none", "nil": "none", "None": "none", "Null": "none", "undefined": "none", "nothing": "none", "True": "true", "False": "false",
    "yes": "true", "no": "false", "length": "size", "len": "size",
    "random": "by chance", "self": "player", "String": "bool", "Integer": "int",
    "Number": "int", "Boolean": "bool", "Int": "int", "Bool": "bool", "integer": "int", "boolean": "bool",
}
FOREIGN_CALLS = {
    "random": "choose … by chance",
    "rand": "choose … by chance",
    "randint": "choose … by chance",
    "roll": "choose … by chance",
    "len": "size",
    "length": "size",
    "abs": "max(x, 0 - x)",
}
FOREIGN_METHODS = {"append": "+=", "add": "+=", "push": "+=", "insert": "+=", "remove": "-=", "discard": "-=", "delete": "-="}
SIZE_WORDS = ("length", "len", "size", "count")                    # attributes of containers in other languages
# foreign statement -> key of a hint
NO_OP_STATEMENTS = {"pass": "leave_out", "continue": "invert_condition"}

# foreign syntax -> key of a hint
IDIOM_HINTS = {re.compile(pattern): key for pattern, key in (
    (r"==$", "equals_compares"), (r"(?:(?:repeat|loop|rounds|do)\s+)?(?:while|mentre|mientras)\b", "until_inverts"),
    (r"for\b.*\buntil\b", "for_without_until"),
)}


def find_idiom_hint(typed: str, meant: str = "") -> str | None:
    """Returns the key of the hint that explains foreign syntax, or None."""
    if meant.startswith("repeat n until "):
        return "repeat_needs_limit"
    return next((key for pattern, key in IDIOM_HINTS.items() if pattern.match(typed)), None)


def strip_outer_brackets(condition: str) -> str:
    """Returns a condition without brackets that enclose it as a whole: `a < 3` for `((a < 3))`."""
    while condition.startswith("(") and find_at_depth_zero(condition, "") == len(condition):
        condition = condition[1:-1].strip()
    return condition


def find_at_depth_zero(text: str, pattern: str) -> int | None:
    """Returns the first offset outside brackets, after the first character, that a pattern matches, or None."""
    depth = 0
    for at in range(len(text) + 1):
        if at and depth == 0 and re.compile(pattern).match(text, at):
            return at
        if at < len(text):
            depth += (text[at] in "([") - (text[at] in ")]")
    return None


def negate_condition(condition: str) -> str:
    """Returns the opposite of a condition: `c` for `not c`, and `not (a or c)` for `a or c`."""
    condition = strip_outer_brackets(condition)
    if condition in OPPOSITE_VALUES:
        return OPPOSITE_VALUES[condition]
    if (compared := SINGLE_COMPARISON.fullmatch(condition)) is not None:
        return f"{compared['left']} {OPPOSITE_COMPARISONS[compared['operator']]} {compared['right']}"
    if condition.startswith("not ") and find_at_depth_zero(condition, r"\b(?:and|or|if)\b") is None:
        return strip_outer_brackets(condition[4:].strip())
    return f"not {condition}" if re.fullmatch(OPERAND, condition) else f"not ({condition})"


def find_conditional_loop(line: str, is_in_proc: bool) -> tuple[int, str, str] | None:
    """Returns a `while` or `until` loop in a line, or None: its offset, its text, and its equivalent.

    Only a phase can have `rounds`. In a procedure the equivalent is `repeat n until`."""
    found = CONDITIONAL_LOOP.search(line)
    if found is None:
        return None
    condition = found["condition"]
    condition = condition[: find_at_depth_zero(condition, r"\s*(?:[:{]|@\w|$)")].strip()
    end = found.start("condition") + len(condition)
    condition = strip_outer_brackets(condition) if found["head"].endswith("until") else negate_condition(condition)
    at = found.start("head") + len(found["head"]) - len(found["head"].lstrip())
    return at, line[at:end], f"{'repeat n' if is_in_proc else 'rounds'} until {condition}"


def find_returning_def(declaration: str) -> tuple[str, str] | None:
    """Returns a def with `return` on one line, and its equivalent with `=`, or None if a declaration has another form."""
    code = re.sub(r"[ \t]*#[^\n]*", "", declaration).strip()
    if (cases := RETURNING_IF.match(code)) is not None:
        return re.sub(r"\s*\n\s*", " ", cases[0]), f"{cases['head']} = {cases['value']} if {cases['test']} else {cases['other'].rstrip()}"
    found = RETURNING_DEF.match(code)
    return (re.sub(r"\s*\n\s*", " ", found[0]), f"{found['head']} = {found['value'].rstrip(' }')}") if found is not None else None


def find_foreign_type(name: str) -> tuple[str, str | None]:
    """Returns the equivalent of a type of another language, or "", and the key of the hint that explains it, or None."""
    if name in FOREIGN_TYPES:
        return FOREIGN_TYPES[name], None
    return "", "axis_for_table" if name in TABLE_TYPES else "no_texts" if name in TEXT_TYPES else None


def find_def_of_steps(declaration: str) -> str | None:
    """Returns the key of the hint for a def with a block of statements, or None: it computes a value, or it changes something."""
    if not re.match(rf"\s*def\s+{NAME}(?:\([^()\n]*\))?\s*(?:->[^:{{\n]*)?:\s*\n", declaration):
        return None
    return "one_value" if re.search(r"\breturn\b", declaration) else "proc_for_steps"


def find_foreign_line(line: str, words: set[str], is_in_proc: bool = False) -> tuple[str, int, str, str] | None:
    """Returns the foreign syntax in a line that cannot be parsed, or None.

    The result is the diagnostic code, the column (from 1), the text as written, and its equivalent in this language. The
    equivalent is "" if the message of the code explains it instead."""
    for code, pattern in (("R019", RETURN_STATEMENT), ("R018", NESTED_ELEMENT_TYPE), ("R021", IMPORT_STATEMENT)):
        if (found := pattern.search(line)) is not None:
            group = "pair" if code == "R018" else 1
            if code == "R018" and (single := SINGLE_TYPE.fullmatch(found[group])) is not None:
                return "R013", found.start(group) + 1, found[group], single[1]
            return code, found.start(group) + 1, found[group], ""
    head = line.partition(")")[0] if line.startswith(("def", "proc", "phase")) else ""
    for found in (*DECLARED_NAME.finditer(line), *PARAMETER_NAME.finditer(head)):
        if found[1] in words:
            return "R017", found.start(1) + 1, found[1], ""
    if (loop := find_conditional_loop(line, is_in_proc)) is not None:
        return "R013", loop[0] + 1, *loop[1:]
    for pattern, meant in FOREIGN_LINES:
        if (found := pattern.search(line)) is not None:
            group = 1 if found.re.groups == 1 and found[1] in (":", "{") else 0
            typed = found[group]
            at = found.start(group) + len(typed) - len(typed.lstrip())
            return "R013", at + 1, typed.strip(), found.expand(meant).strip()
    if (found := LOOP_PREPOSITION.search(line)) is not None:
        return "R013", found.start(1) + 1, found[1], "in"
    if (found := re.search(r":\s*([a-z]+)\b", line)) is not None and line.startswith("state") and found[1] in FOREIGN_TYPES:
        return "R013", found.start(1) + 1, found[1], FOREIGN_TYPES[found[1]]
    if (found := COMPARISON_FOR_ASSIGNMENT.search(line)) is not None and not line.lstrip().startswith(("if", "elif", "always", "choose")):
        return "R013", found.start(1) + 1, "==", "="
    if (found := INLINE_BLOCK.search(line)) is not None:
        group = 1 if found[1] else 2
        return "R016", found.start(group) + 1, found[group], ""
    return None


def find_foreign_idiom(line: str, column: int) -> tuple[int, str, str] | None:
    """Returns the foreign operator or word at a column (from 1) of a line that cannot be parsed, or None.

    The result is its column, its text and its equivalent in this language."""
    for pattern, meant in FOREIGN_OPERATORS:
        for found in pattern.finditer(line):
            if found.start() + 1 <= column <= found.end() + 1:
                return found.start() + 1, found[0], meant
    for word in re.finditer(r"[^\W\d]\w*", line):
        near = word.start() + 1 <= column <= word.end() or column > word.end() and not line[word.end():column - 1].strip()
        is_late_binder = word[0] == "then" and re.search(r"\bchoose\b.*\bwhere\b", line[: word.start()]) is not None
        if near and word[0] in FOREIGN_WORDS and not is_late_binder:
            return word.start() + 1, word[0], FOREIGN_WORDS[word[0]]
    return None


def format_range(arguments: list[str]) -> str:
    """Formats the arguments of `range(…)` as a range of this language: `0..2` for `range(3)`."""
    first, last = (["0", *arguments] if len(arguments) == 1 else [*arguments, "n", "n"])[:2]
    return f"{first}..{int(last) - 1}" if last.isdecimal() else f"{first}..{last} - 1"

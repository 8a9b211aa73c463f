"""The folds, operators and built-in functions of the language, by name.

A function that handles each of them ends its `match` with `assert_never`. So mypy names every place that a new one
needs."""

from __future__ import annotations

from typing import Literal, cast, get_args

FoldKind = Literal[
    "any", "all", "count", "sum", "highest", "lowest", "best", "ranked", "tiers", "first", "the", "set", "list", "shortest", "longest",
]
FOLD_KINDS: tuple[FoldKind, ...] = get_args(FoldKind)

LogicOperator = Literal["and", "or"]
ComparisonOperator = Literal["==", "!=", "<", "<=", ">", ">="]
ArithmeticOperator = Literal["+", "-", "*", "//", "%", "&"]                  # on sets and lists too
BinaryOperator = LogicOperator | ComparisonOperator | ArithmeticOperator
BINARY_OPERATORS = (*get_args(LogicOperator), *get_args(ComparisonOperator), *get_args(ArithmeticOperator))
Operator = BinaryOperator | Literal["not", "neg", "in", "not in", ".."]
PlainFunction = Literal[
    "size", "min", "max", "ceil", "only", "position", "clockwise", "next", "before", "after", "top", "last", "reversed", "subsets", "lines",
    "amounts",
]
BoardFunction = Literal[                                                     # their first argument is a place, or a set of places
    "near", "corners", "touching", "edges", "ends", "sides", "distance", "span", "within", "region", "regions", "rim", "coast", "step",
    "ray", "between", "row", "column",
]
RelationFunction = Literal["near", "corners", "touching", "edges", "ends", "sides"]    # from a place to a set of places: Board.relation
RELATION_FUNCTIONS: tuple[RelationFunction, ...] = get_args(RelationFunction)
PrimitiveFunction = PlainFunction | BoardFunction
PRIMITIVE_FUNCTIONS: tuple[PrimitiveFunction, ...] = (*get_args(PlainFunction), *get_args(BoardFunction))
BuiltinName = PrimitiveFunction | Literal["cells"]                           # `cells` takes a state, so the core has a node for it
BUILTIN_NAMES: tuple[BuiltinName, ...] = (*PRIMITIVE_FUNCTIONS, "cells")
Operation = Operator | PrimitiveFunction


def parse_fold_kind(word: str) -> FoldKind:
    """Returns the kind of a fold by its keyword. The grammar accepts no other words."""
    assert word in FOLD_KINDS, word
    return cast(FoldKind, str(word))


def parse_operator(sign: str) -> BinaryOperator:
    """Returns a binary operator by its sign or word. The grammar accepts no others."""
    assert sign in BINARY_OPERATORS, sign
    return cast(BinaryOperator, sign)

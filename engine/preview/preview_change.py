"""One thing that an option would change, as data. Changes are combined and compared before any sentence is made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Literal

from ..i18n import DeferredMessage, Localizer
from .tracked_values import ValueChange

ELLIPSIS_SUFFIX = " …"                          # after a line that leaves something out


class Certainty(Enum):
    """How certain a change is. The value is the key of the condition that the preview puts in front of it."""

    CERTAIN = ""
    IN_ANY_CASE = "foresee.surely"                                 # whatever the player chooses next
    AT_LEAST = "foresee.least"                                     # the smallest amount of all continuations
    UP_TO = "foresee.leads"                                        # the greatest amount of all continuations
    ONE_OF = "foresee.chosen"                                      # one of several, depending on the next choice
    IF_DECLINED = "foresee.declined"                               # if no other player does anything
    BASELINE = "foresee.baseline"                                  # if nobody does anything more, the player included
    AS_THINGS_STAND = "foresee.now"                                # what a thing that acts later would bring now


@dataclass(frozen=True)
class PreviewChange:
    """One thing that an option would change. Two changes are the same if they say the same with the same certainty.

    - `cause`: the later section of the course that brings it; "" for the option itself
    - `value`: the tracked value with its old and new value
    - `counts`: what an event counts, and the number
    - `own`: whether it concerns the deciding player
    - `gain`: of the player's own amounts, the index of the value and the amount
    - `deferred`: whether a later section of the course brings it, although its heading is the condition
    - `cut`: whether further changes after it are left out"""

    says: DeferredMessage
    certainty: Certainty = Certainty.CERTAIN
    cause: str = ""
    kind: Literal["value", "event", "next", "end", "potential"] = field(default="value", compare=False)
    value: ValueChange | None = field(default=None, compare=False)
    counts: tuple[object, int] | None = field(default=None, compare=False)
    own: bool = field(default=False, compare=False)
    gain: tuple[int, int] | None = field(default=None, compare=False)
    deferred: bool = field(default=False, compare=False)
    cut: bool = False

    @cached_property
    def key(self) -> int:
        """The hash. Sets of changes are built again and again."""
        return hash((self.says, self.certainty.value, self.cause))

    def __hash__(self) -> int:
        return self.key

    @property
    def is_immediate(self) -> bool:
        """Whether it is a certain effect of the option itself."""
        return self.certainty is Certainty.CERTAIN and not self.cause

    @property
    def is_late(self) -> bool:
        """Whether a later section of the course brings it."""
        return bool(self.cause) or self.deferred

    def under(self, certainty: Certainty) -> PreviewChange:
        """Returns the same change with another certainty."""
        return replace(self, certainty=certainty, cause="", deferred=self.is_late)

    def heading(self, words: Localizer) -> str:
        """Returns the condition or the section of the course that stands in front of it; "" for an immediate effect."""
        return words.text(self.certainty.value) if self.certainty.value else self.cause

    def text(self, words: Localizer) -> str:
        """Returns the change as a clause."""
        return words.clause(self.says) + ELLIPSIS_SUFFIX * self.cut


ChangesByOption = dict[int, list[PreviewChange]]                   # by option code


def common_to_all(changes: Iterable[PreviewChange], others: Iterable[Iterable[PreviewChange]]) -> list[PreviewChange]:
    """Returns those of `changes` that all `others` contain."""
    sets = [*map(frozenset, others)]
    return [change for change in changes if all(change in other for other in sets)]

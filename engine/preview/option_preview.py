"""The preview of one option: its changes, and the text that they form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..i18n import Localizer
from ..i18n.template import capitalize_first
from .preview_change import ELLIPSIS_SUFFIX, Certainty, PreviewChange

MAX_RANKED_VALUES = 32                          # values by which options are compared


@dataclass(frozen=True)
class OptionPreview:
    """The changes that an option would make, and the texts of the things that it chooses."""

    certain: tuple[PreviewChange, ...] = ()
    conditional: tuple[PreviewChange, ...] = ()                          # conditional changes
    texts: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()                                  # texts of attributes of things without a text
    more: bool = False                                             # the last section has further effects that are unknown
    words: Localizer | None = field(default=None, compare=False, repr=False)

    @property
    def changes(self) -> tuple[PreviewChange, ...]:
        """All changes, including conditional ones."""
        return self.certain + self.conditional

    @property
    def own(self) -> list[PreviewChange]:
        """The changes that concern the deciding player or their things."""
        return [change for change in self.changes if change.own]

    @property
    def next_decision_changes(self) -> list[PreviewChange]:
        """Returns the changes that announce the next decision."""
        return [change for change in self.changes if change.kind == "next"]

    def rank_gains(self) -> tuple[int, ...]:
        """Returns how much the option gains for the deciding player. Lower is better, so previews sort by it.

        The first number belongs to the value that the game lists first, and so on. Guaranteed amounts replace
        conditional ones."""
        every: dict[int, int] = {}
        for some in (self.conditional, self.certain):
            found: dict[int, int] = {}
            for value, by in (change.gain for change in dict.fromkeys(some) if change.gain is not None):
                found[value] = found.get(value, 0) - by
            every |= found
        return tuple(every.get(value, 0) for value in range(MAX_RANKED_VALUES))

    @property
    def without_texts(self) -> OptionPreview:
        """The same preview without the texts of chosen things. Options are grouped by it."""
        return replace(self, texts=(), printed=())

    @property
    def brief(self) -> OptionPreview:
        """The same preview without the next decision. `more` shows that something is left out."""
        said, given = (tuple(change for change in some if change.kind != "next") for some in (self.certain, self.conditional))
        return replace(self, certain=said, conditional=given, more=self.more or bool(self.next_decision_changes))

    def immediate_texts(self, ending: bool = False) -> list[str]:
        """Returns the effects of the option itself in words, or how the match ends."""
        return [change.text(self.localizer) for change in self.certain if change.is_immediate and (change.kind == "end") == ending]

    def later_texts(self, changes: Iterable[PreviewChange]) -> list[str]:
        """Returns one text for each condition or later section of the course, with its name in front."""
        return [f"{under}: {join_clauses(parts)}" for under, parts in texts_by_heading(changes, self.localizer).items() if under]

    @property
    def localizer(self) -> Localizer:
        assert self.words is not None, "a preview without changes needs no words"
        return self.words

    @property
    def certain_texts(self) -> tuple[str, ...]:
        """The guaranteed changes in words."""
        return (*self.immediate_texts(), *self.later_texts(self.certain), *self.immediate_texts(True)) if self.certain else ()

    @property
    def conditional_texts(self) -> tuple[str, ...]:
        """The conditional changes in words, each with its condition in front."""
        return tuple(self.later_texts(self.conditional)) if self.conditional else ()

    @property
    def all_texts(self) -> tuple[str, ...]:
        """All changes in words, the guaranteed ones first."""
        return self.certain_texts + self.conditional_texts

    @cached_property
    def line(self) -> str:
        """The whole preview as one line."""
        if not self.changes:
            return ""
        later, ending = self.later_texts(self.certain), self.immediate_texts(True)
        at_once = [*self.immediate_texts(), *(() if later else ending)]
        line = "; ".join([*filter(None, [join_clauses(at_once)]), *later, *(ending if later else ())])
        return "; ".join([*filter(None, [f"{line}{ELLIPSIS_SUFFIX}" if line and self.more else line]), *self.conditional_texts])


def texts_by_heading(changes: Iterable[PreviewChange], words: Localizer) -> dict[str, list[str]]:
    """Returns changes in words, by the condition or the section of the course that stands in front of them."""
    found: dict[str, list[str]] = {}
    for change in changes:
        found.setdefault(change.heading(words), []).append(change.text(words))
    return found


def common_lines(changes: Sequence[PreviewChange], words: Localizer) -> list[str]:
    """Returns the changes above the options as sentences: what comes whatever is chosen, and what comes if nobody does anything more."""
    baseline = [replace(change, certainty=Certainty.CERTAIN) for change in changes if change.certainty is Certainty.BASELINE]
    found = texts_by_heading((change for change in changes if change.certainty is not Certainty.BASELINE), words)
    said = {under: join_clauses(parts) for under, parts in found.items()}
    lines = [words.text("foresee.always", parts=said.pop(""))] if "" in said else []
    lines += [words.text("foresee.always_later", part=capitalize_first(under), parts=parts) for under, parts in said.items()]
    lines += [words.text("foresee.baseline", parts=OptionPreview(tuple(baseline), words=words).line)] if baseline else []
    return [line.removesuffix(".") if line.endswith("….") else line for line in lines]


def join_clauses(clauses: Sequence[str]) -> str:
    """Joins clauses with semicolons: each is a sentence of its own and may contain commas."""
    return "; ".join(clauses)

"""The preview of one option: its lines, and the text that they form."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..i18n.template import capitalize_first

ELLIPSIS_SUFFIX = " …"                          # after a line about a later section of which not all is known
MAX_RANKED_VALUES = 8                           # values by which options are compared
# the later section of the course ("": the option itself), and the text
PreviewLine = tuple[str, str]


@dataclass(frozen=True)
class OptionPreview:
    """The changes that an option would make, and the texts of the things that it chooses."""

    said: tuple[PreviewLine, ...]
    texts: tuple[str, ...]
    more: bool = False                                             # the last section has further effects that are unknown
    # lines about the deciding player or their things
    own: frozenset[PreviewLine] = frozenset()
    given: tuple[PreviewLine, ...] = ()                                   # conditional lines; the condition takes the place of the section
    # own amounts: line, index of the value, amount
    amounts: tuple[tuple[PreviewLine, int, int], ...] = ()
    printed: tuple[str, ...] = ()                                  # texts of attributes of things without a text
    nexts: frozenset[str] = frozenset()                            # texts about the next decision
    ends: frozenset[str] = frozenset()                             # texts about how the match ends; they come last

    def rank_gains(self, parts: Collection[PreviewLine] | None = None) -> tuple[int, ...]:
        """Returns how much the option, or these lines of it, gains for the deciding
        player. Lower is better, so previews sort by it.

        The first number belongs to the value that the game lists first, and so on. Guaranteed amounts replace
        conditional ones."""
        found: list[dict[int, int]] = [{}, {}]
        for said, value, by in self.amounts:
            if parts is None or said in parts:
                some = found[said in self.given]
                some[value] = some.get(value, 0) - by
        every = found[1] | found[0]
        return tuple(every.get(value, 0) for value in range(MAX_RANKED_VALUES))

    @property
    def brief(self) -> OptionPreview:
        """The same preview without the lines about the next decision. `more` shows that something is left out."""
        return replace(self, said=tuple(part for part in self.said if part[1] not in self.nexts),
                       given=tuple(part for part in self.given if part[1] not in self.nexts), more=self.more or bool(self.nexts))

    @property
    def all_lines(self) -> tuple[PreviewLine, ...]:
        """All lines, including conditional ones."""
        return self.said + self.given

    @property
    def immediate_texts(self) -> list[str]:
        """The texts about the effects of the option itself."""
        return [said for under, said in self.said if not under and said not in self.ends]

    @property
    def ending_texts(self) -> list[str]:
        """The texts about how the match ends."""
        return [said for under, said in self.said if not under and said in self.ends]

    @property
    def certain_texts(self) -> tuple[str, ...]:
        """The guaranteed texts. Those about a later section of the course form one text with its name in front."""
        return *self.immediate_texts, *iter_later_texts(self.said), *self.ending_texts

    @property
    def conditional_texts(self) -> tuple[str, ...]:
        """The conditional texts, each with its condition in front."""
        return tuple(iter_later_texts(self.given))

    @property
    def all_texts(self) -> tuple[str, ...]:
        """All texts, the guaranteed ones first."""
        return *self.certain_texts, *self.conditional_texts

    @property
    def line(self) -> str:
        """The whole preview as one line."""
        line = join_with_semicolons((join_sentence(self.immediate_texts), *iter_later_texts(self.said)))
        line = join_sentence([*filter(None, [line]), *self.ending_texts])
        return join_with_semicolons((f"{line.removesuffix('.')}{ELLIPSIS_SUFFIX}" if line and self.more else line, *self.conditional_texts))


def join_with_semicolons(parts: Iterable[str]) -> str:
    """Joins parts of a line with semicolons, without full stops before them."""
    *others, last = [part for part in parts if part] or [""]
    return "; ".join((*(part.removesuffix(".") for part in others), last))


def iter_later_texts(said: Iterable[PreviewLine]) -> Iterator[str]:
    """Yields one text for each later section of the course, with its name in front."""
    return (f"{under}: {join_sentence(parts)}" for under, parts in group_later_lines(said).items())


def group_later_lines(said: Iterable[PreviewLine]) -> dict[str, list[str]]:
    """Groups the lines about later sections of the course by section."""
    found: dict[str, list[str]] = {}
    for under, one in said:
        if under:
            found.setdefault(under, []).append(one)
    return found


def join_sentence(parts: Sequence[str]) -> str:
    """Joins parts of a sentence with commas, and whole sentences, which end in a full stop,
    with spaces. A single part loses its full stop."""
    if len(parts) == 1:
        return parts[0].removesuffix(".")
    out = ""
    for part in parts:
        if not out:
            out = part
        elif out.endswith("."):
            out += f" {capitalize_first(part)}"
        else:
            out += f"{'.' if part.endswith('.') else ','} {part}"
    return out

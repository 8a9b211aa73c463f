"""What is said of one option, part by part, and the line that these make."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..i18n.template import capitalize_first

ELLIPSIS_SUFFIX = " …"                          # behind what is said of a later part of the course of which not all is known
MAX_RANKED_VALUES = 8                           # of so many values of a game it is compared how much options bring of them
# the later part of the course that something belongs to ("": the option itself), and what is said
PreviewLine = tuple[str, str]


@dataclass(frozen=True)
class OptionPreview:
    """What an option would change, and the texts of the things that it chooses."""

    said: tuple[PreviewLine, ...]
    texts: tuple[str, ...]
    more: bool = False                                             # of the last part there is more, which cannot be known
    # what of it is about the one who decides, or about something of theirs
    own: frozenset[PreviewLine] = frozenset()
    given: tuple[PreviewLine, ...] = ()                                   # what comes of it on a condition, which stands for the part
    # what of it tells of one's own by how much: of which value, how much
    amounts: tuple[tuple[PreviewLine, int, int], ...] = ()
    printed: tuple[str, ...] = ()                                  # texts of what is printed on things that have none
    nexts: frozenset[str] = frozenset()                            # what of it says who decides next
    ends: frozenset[str] = frozenset()                             # and how the game ends: it comes last

    def rank_gains(self, parts: Collection[PreviewLine] | None = None) -> tuple[int, ...]:
        """How much it brings to oneself, or only these parts of it, less for more: of the value that the game names first, of the second,
        and so on; of each what is certain, or else what comes on a condition."""
        found: list[dict[int, int]] = [{}, {}]
        for said, value, by in self.amounts:
            if parts is None or said in parts:
                some = found[said in self.given]
                some[value] = some.get(value, 0) - by
        every = found[1] | found[0]
        return tuple(every.get(value, 0) for value in range(MAX_RANKED_VALUES))

    @property
    def brief(self) -> OptionPreview:
        """The same without who decides next, who will be asked anyway: that there is more shows."""
        return replace(self, said=tuple(part for part in self.said if part[1] not in self.nexts),
                       given=tuple(part for part in self.given if part[1] not in self.nexts), more=self.more or bool(self.nexts))

    @property
    def all_lines(self) -> tuple[PreviewLine, ...]:
        """All that is said, also on a condition."""
        return self.said + self.given

    @property
    def immediate_texts(self) -> list[str]:
        """What the option itself does."""
        return [said for under, said in self.said if not under and said not in self.ends]

    @property
    def ending_texts(self) -> list[str]:
        """How the game ends by it."""
        return [said for under, said in self.said if not under and said in self.ends]

    @property
    def certain_texts(self) -> tuple[str, ...]:
        """What comes of it in any case, part by part; of a later part of the course all in one, behind its name."""
        return *self.immediate_texts, *iter_later_texts(self.said), *self.ending_texts

    @property
    def conditional_texts(self) -> tuple[str, ...]:
        """What comes of it on a condition, behind that."""
        return tuple(iter_later_texts(self.given))

    @property
    def all_texts(self) -> tuple[str, ...]:
        return *self.certain_texts, *self.conditional_texts

    @property
    def line(self) -> str:
        """All of it in one line."""
        line = join_with_semicolons((join_sentence(self.immediate_texts), *iter_later_texts(self.said)))
        line = join_sentence([*filter(None, [line]), *self.ending_texts])
        return join_with_semicolons((f"{line.removesuffix('.')}{ELLIPSIS_SUFFIX}" if line and self.more else line, *self.conditional_texts))


def join_with_semicolons(parts: Iterable[str]) -> str:
    """Parts of a line with semicolons, before which no point stands."""
    *others, last = [part for part in parts if part] or [""]
    return "; ".join((*(part.removesuffix(".") for part in others), last))


def iter_later_texts(said: Iterable[PreviewLine]) -> Iterator[str]:
    """What belongs to later parts of the course, all of one behind its name."""
    return (f"{under}: {join_sentence(parts)}" for under, parts in group_later_lines(said).items())


def group_later_lines(said: Iterable[PreviewLine]) -> dict[str, list[str]]:
    """What belongs to later parts of the course, by their names."""
    found: dict[str, list[str]] = {}
    for under, one in said:
        if under:
            found.setdefault(under, []).append(one)
    return found


def join_sentence(parts: Sequence[str]) -> str:
    """Parts of a sentence with commas; whole sentences, which end in a point, one after the other. One alone needs no point."""
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

"""Matches a text against a form and splits it into fields.

Each position in the text is examined at most once for each field, so the work is bounded for any form and
text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

FieldEnds = Callable[[str, int], Iterable[int]]                         # text and position → possible ends of a field that begins there
FormElement = str | tuple[str, FieldEnds]                                   # a literal text, or a field with its matcher


def match_form(elements: Sequence[FormElement], text: str, accepts: Callable[[int], bool]) -> tuple[list[tuple[str, str]], int] | None:
    """Returns the text of each field and the end of the last one, or None if the text does not have this form.

    `accepts` says whether the form may end at a position. Each field takes as much text as possible."""
    reached: list[dict[int, list[int]]] = []
    places = {0}
    for element in elements:
        ends = {place: sorted(iter_element_ends(element, text, place)) for place in places}
        reached.append(ends)
        places = {end for some in ends.values() for end in some}
    good = {place for place in places if accepts(place)}
    for ends in reversed(reached):
        for place, some in ends.items():
            ends[place] = [end for end in some if end in good]
        good = {place for place, some in ends.items() if some}
    if 0 not in good:
        return None
    found, place = [], 0
    for element, ends in zip(elements, reached):
        end = ends[place][-1]
        if not isinstance(element, str):
            found.append((element[0], text[place:end]))
        place = end
    return found, place


def iter_element_ends(element: FormElement, text: str, place: int) -> Iterable[int]:
    """Returns the positions at which a form element that begins at `place` may end."""
    if isinstance(element, str):
        return [place + len(element)] if text.startswith(element, place) else []
    return element[1](text, place)


def make_run_matcher(stops: str, least: int = 1) -> FieldEnds:
    """Returns a matcher for a field of at least `least` characters, none of them whitespace or in `stops`."""
    def ends(text: str, place: int) -> Iterable[int]:
        end = place
        while end < len(text) and not text[end].isspace() and text[end] not in stops:
            end += 1
        return range(place + least, end + 1)
    return ends


def match_digits(text: str, place: int) -> Iterable[int]:
    """Returns the positions at which a number that begins at `place` may end."""
    end = place
    while end < len(text) and text[end].isdecimal():
        end += 1
    return range(place + 1, end + 1)


def make_choice_matcher(words: Sequence[str]) -> FieldEnds:
    """Returns a matcher for a field that is one of these words."""
    return lambda text, place: [place + len(word) for word in words if text.startswith(word, place)]


def make_sequence_matcher(words: Sequence[str], none: str) -> FieldEnds:
    """Returns a matcher for a field that is a sequence of these words, or the word `none`."""
    def ends(text: str, place: int) -> Iterable[int]:
        found, left = set(), [place]
        while left:
            new = {end for end in make_choice_matcher(words)(text, left.pop()) if end not in found}
            found |= new
            left += new
        return found | set(make_choice_matcher([none])(text, place))
    return ends


def split_words(words: Sequence[str], text: str) -> list[str]:
    """Splits a text into these words. Raises ValueError if that is impossible."""
    behind: dict[int, str] = {}                                    # by position, the longest word after which the rest can be split too
    for place in range(len(text) - 1, -1, -1):
        fitting = [word for word in words if word and text.startswith(word, place)
                   and (place + len(word) == len(text) or place + len(word) in behind)]
        if fitting:
            behind[place] = max(fitting, key=len)
    found, place = [], 0
    while place < len(text):
        if place not in behind:
            raise ValueError(text)
        found.append(behind[place])
        place += len(behind[place])
    return found

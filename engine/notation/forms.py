"""A text divided into the fields of a form. No place is looked at twice for the same field: the work has a bound for any form and text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

FieldEnds = Callable[[str, int], Iterable[int]]                         # of a text and a place, where a field that begins there may end
FormElement = str | tuple[str, FieldEnds]                                   # a text that stands there, or a field


def match_form(elements: Sequence[FormElement], text: str, accepts: Callable[[int], bool]) -> tuple[list[tuple[str, str]], int] | None:
    """What is written for each field, with the place where the last one ends; None where the text has not this form. `accepts` says whether
    the form may end at a place. A field takes as much as it can."""
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
    if isinstance(element, str):
        return [place + len(element)] if text.startswith(element, place) else []
    return element[1](text, place)


def make_run_matcher(stops: str, least: int = 1) -> FieldEnds:
    """A field of at least so many characters, none of which is a blank or one of these."""
    def ends(text: str, place: int) -> Iterable[int]:
        end = place
        while end < len(text) and not text[end].isspace() and text[end] not in stops:
            end += 1
        return range(place + least, end + 1)
    return ends


def match_digits(text: str, place: int) -> Iterable[int]:
    """A number."""
    end = place
    while end < len(text) and text[end].isdecimal():
        end += 1
    return range(place + 1, end + 1)


def make_choice_matcher(words: Sequence[str]) -> FieldEnds:
    """A field that is one of these words."""
    return lambda text, place: [place + len(word) for word in words if text.startswith(word, place)]


def make_sequence_matcher(words: Sequence[str], none: str) -> FieldEnds:
    """A field of these words one behind the other, or of the word for none."""
    def ends(text: str, place: int) -> Iterable[int]:
        found, left = set(), [place]
        while left:
            new = {end for end in make_choice_matcher(words)(text, left.pop()) if end not in found}
            found |= new
            left += new
        return found | set(make_choice_matcher([none])(text, place))
    return ends


def split_words(words: Sequence[str], text: str) -> list[str]:
    """The words of which a text is made, one behind the other. Raises ValueError where it is made of others."""
    behind: dict[int, str] = {}                                    # by place, the longest word from which the text goes on to its end
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

"""In which chapter each clause stands, and in which order: once, where the rules come to it.

A family of clauses (DS-MAT of DS-MAT-01) belongs where the walk opens a section for a procedure that names it. Where only parts of a
section name it, it has a chapter of its own there if the game gives it a title (`chapter.DS-MAT` in its messages); without one, each of its
clauses stands in the section that cites it. A titled family that belongs nowhere follows the family that the rulebook has before it:
behind the set-up that is what one must know first, at the very beginning it is about the box. If no family has a section at all, the
first one is about the set-up, and the others are about the course of the game. A title that only names a thing (`{tower}`)
puts the family to that thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..narration.setup_clauses import clause_family
from .rule_walk import BEFORE, COURSE, END, ONE_BY_ONE, ClauseHit, RuleSection, RuleWalk, iter_sections

BOX, BASICS, MORE = "box", "basics", "more"                        # stages that the walk does not know
STAGES = (BOX, BEFORE, BASICS, COURSE, END, ONE_BY_ONE, MORE)      # in the order of the book


@dataclass(eq=False)
class OutlineNode:
    """A chapter to be: a section of the walk, the head of a stage, or a titled family."""

    stage: str
    section: RuleSection | None = None
    family: str = ""
    number: int = 0
    clauses: list[str] = field(default_factory=list)
    parts: list[OutlineNode] = field(default_factory=list)


@dataclass
class BookOutline:
    """All chapters by stage; `things`: the clauses of a thing by its type and name."""

    stages: dict[str, OutlineNode]
    things: dict[tuple[str, str], list[str]]

    def list_nodes(self) -> list[OutlineNode]:
        """Every chapter, each before its parts."""
        return [one for place in self.stages.values() for one in iter_subtree(place)]


def iter_subtree(place: OutlineNode) -> Iterable[OutlineNode]:
    yield place
    for part in place.parts:
        yield from iter_subtree(part)


def find_titled_family(clause: str, titles: Iterable[str]) -> str:
    """The longest family of a clause that has a title; "" for none."""
    known, family = set(titles), clause_family(clause)
    while family and family not in known:
        family = clause_family(family)
    return family


def build_outline(walk: RuleWalk, clauses: list[str], titles: Mapping[str, tuple[str, str] | None]) -> BookOutline:
    """`clauses`: those that have a sentence, in the order of the rulebook. `titles`: the families that have a title, each with the thing
    (type, name) that it names, or None."""
    return OutlineBuilder(walk, clauses, titles).build()


class OutlineBuilder:
    """The work of `placed`."""

    def __init__(self, walk: RuleWalk, clauses: list[str], titles: Mapping[str, tuple[str, str] | None]) -> None:
        self.walk, self.clauses, self.titles = walk, clauses, titles
        self.stages = {stage: OutlineNode(stage) for stage in STAGES}
        self.things: dict[tuple[str, str], list[str]] = {}
        self.of_section: dict[RuleSection, OutlineNode] = {}
        self.of_family: dict[str, OutlineNode] = {}
        self.met: dict[str, list[ClauseHit]] = {}
        for met in walk.clauses:
            self.met.setdefault(met.name, []).append(met)
        for stage, head in walk.stages.items():
            self.of_section[head] = self.stages[stage]
            for section in list(iter_sections(head))[1:]:
                made = OutlineNode(stage, section, number=section.number)
                self.of_section[section] = made
                assert section.parent is not None
                self.of_section[section.parent].parts.append(made)

    def build(self) -> BookOutline:
        opened: dict[str, RuleSection] = {}
        used: dict[str, ClauseHit] = {}
        for met in self.walk.families:
            if met.opens:
                opened.setdefault(met.name, met.section)
            elif not met.aside:
                used.setdefault(met.name, met)
        first_setup = self.find_first_setup_clause(opened)
        self.is_flat = not opened and not used
        before: OutlineNode | None = None                                # where the family that the rulebook had last stands
        foreign: list[tuple[OutlineNode, str]] = []
        for n, clause in enumerate(self.clauses):
            title = find_titled_family(clause, self.titles)
            thing = self.titles[title] if title else None
            if thing is not None:
                self.things.setdefault(thing, []).append(clause)
                before = self.stages[ONE_BY_ONE]
                continue
            section = next((opened[name] for name in (clause_family(clause), title) if name in opened), None)
            if section is not None:
                spot = self.of_section[section]
            elif title:
                if title not in self.of_family:
                    self.of_family[title] = self.add_family_node(title, used.get(title), before, n < first_setup)
                spot = self.of_family[title]
            else:
                spot = self.find_citing_node(clause, n < first_setup)
                if spot.stage != BOX:
                    foreign.append((spot, clause))
                    continue
            spot.clauses.append(clause)
            before = spot
        for place in [one for stage in self.stages.values() for one in iter_subtree(stage)]:
            place.parts.sort(key=lambda part: part.number)
            self.insert_clauses(place, [clause for spot, clause in foreign if spot is place])
        return BookOutline(self.stages, self.things)

    def find_first_setup_clause(self, opened: Mapping[str, RuleSection]) -> int:
        """Which clause of the rulebook is the first that belongs before the great loop."""
        return next((n for n, clause in enumerate(self.clauses)
                     if (section := opened.get(clause_family(clause))) is not None and section.stage == BEFORE), 0)

    def find_citing_node(self, clause: str, early: bool) -> OutlineNode:
        """The chapter of a clause whose family has none: where the walk meets it, if it can be where the chosen options lead; but what
        says who is ahead at the end stands there."""
        met = self.met.get(clause, [])
        last = self.walk.stages[END]
        first = next((one for one in met if one.section is last), None) or next((one for one in met if not one.aside), None)
        first = first or next(iter(met), None)
        return self.stages[BOX] if early else self.stages[MORE] if first is None else self.of_section[first.section]

    def add_family_node(self, title: str, used: ClauseHit | None, before: OutlineNode | None, early: bool) -> OutlineNode:
        """A new chapter for a titled family."""
        if early:
            parent, number = self.stages[BOX], 0
        elif used is not None:
            parent, number = self.of_section[used.section], used.number
        else:
            ends = [
                met for clause in self.clauses if find_titled_family(clause, self.titles) == title for met in self.met.get(clause, ())[:1]
            ]
            at_end = [met for met in ends if met.section is self.walk.stages[END]]
            if at_end and 2 * len(at_end) > len(ends):             # about the standing
                parent, number = self.stages[END], at_end[0].number
            elif self.is_flat:
                parent, number = self.stages[BEFORE if before is None else COURSE], 0
            elif before is None:
                parent, number = self.stages[BOX], 0
            elif before.stage in (BEFORE, BASICS):
                parent, number = self.stages[BASICS], 0
            elif before.stage == ONE_BY_ONE:                       # behind the things: with them, if it is of their family
                alike = before.section is not None and clause_family(title) in {
                    clause_family(clause_family(clause)) for clause in before.clauses
                }
                parent, number = self.stages[ONE_BY_ONE if alike or before.family else MORE], 0
            elif before.section is not None and before.stage == END and all(met.section.is_within(before.section) for met in ends):
                parent, number = before, before.number             # about nothing but that
            elif before.stage in (END, MORE):
                parent, number = self.stages[MORE], 0
            elif before.family:
                parent, number = self.find_parent(before), before.number
            else:
                parent, number = before, before.number
        made = OutlineNode(parent.stage, family=title, number=number)
        parent.parts.append(made)
        return made

    def find_parent(self, place: OutlineNode) -> OutlineNode:
        return next((one for stage in self.stages.values() for one in iter_subtree(stage) if place in one.parts), self.stages[place.stage])

    def insert_clauses(self, place: OutlineNode, clauses: list[str]) -> None:
        """Put in among the clauses of a chapter others that the walk meets there, each behind the one that it met before. The chapter's own
        stand in the order of the rulebook, which is written to be understood, and so do those of one other family."""
        when = {clause: self.find_walk_number(clause, place) for clause in (*place.clauses, *clauses)}
        met = {family: min(when[clause] for clause in clauses if clause_family(clause) == family) for family in map(clause_family, clauses)}
        when |= {clause: met[clause_family(clause)] for clause in clauses}
        for clause in sorted(clauses, key=when.__getitem__):
            earlier = [n for n, other in enumerate(place.clauses) if when[other] <= when[clause]]
            place.clauses.insert(earlier[-1] + 1 if earlier else 0, clause)

    def find_walk_number(self, clause: str, place: OutlineNode) -> int:
        """When the walk met a clause, in this chapter if it did."""
        met = self.met.get(clause, [])
        section = place.section or (None if place.family else self.walk.stages.get(place.stage))
        here = [one.number for one in met if section is not None and one.section is section]
        return next(iter(here), met[0].number if met else 0)

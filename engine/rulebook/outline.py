"""Assigns each clause to one chapter, and orders the clauses as the rules reach them.

- A family of clauses (DS-MAT for DS-MAT-01) belongs to the section that the rule
  walk opens for a procedure citing the family.
- If only parts of a section cite the family, it gets a chapter of its own there. The game
  must give it a title for this (`chapter.DS-MAT` in its messages). Without a title, each
  of its clauses joins the section that cites it.
- A titled family without a section follows the family before it in the rulebook. After the set-up, it goes to
  the basic concepts. At the very beginning, it goes to the box.
- If no family has a section at all, the first one is about the set-up, and the others are about the course of
  the game.
- A title that is only the name of a thing (`{tower}`) assigns the family to that thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..narration.setup_clauses import clause_family
from .rule_walk import BEFORE, COURSE, END, ONE_BY_ONE, ClauseHit, RuleSection, RuleWalk, iter_sections

BOX, BASICS, MORE = "box", "basics", "more"                        # stages that do not occur in the walk
STAGES = (BOX, BEFORE, BASICS, COURSE, END, ONE_BY_ONE, MORE)      # in the order of the book


@dataclass(eq=False)
class OutlineNode:
    """A node of the outline: a section of the walk, the head of a stage, or a titled family."""

    stage: str
    section: RuleSection | None = None
    family: str = ""
    number: int = 0
    clauses: list[str] = field(default_factory=list)
    parts: list[OutlineNode] = field(default_factory=list)


@dataclass
class BookOutline:
    """The outline by stage. `things` holds the clauses of each thing by its type and name."""

    stages: dict[str, OutlineNode]
    things: dict[tuple[str, str], list[str]]

    def list_nodes(self) -> list[OutlineNode]:
        """Returns every node, each before its parts."""
        return [one for place in self.stages.values() for one in iter_subtree(place)]

    def insert_by_family(self, clause: str, order: Sequence[str]) -> None:
        """Inserts a clause that no rule cites next to its family: after an earlier clause in the order of the rulebook,
        otherwise before a later one. Without its family, it has no place in the outline."""
        at = order.index(clause) if clause in order else len(order)
        places = [*(node.clauses for node in self.list_nodes()), *self.things.values()]
        for others, after in ((reversed(order[:at]), 1), (order[at + 1 :], 0)):
            for other in others:
                place = next((place for place in places if other in place), None)
                if clause_family(other) == clause_family(clause) and place is not None:
                    place.insert(place.index(other) + after, clause)
                    return


def iter_subtree(place: OutlineNode) -> Iterable[OutlineNode]:
    """Yields a node and all nodes below it."""
    yield place
    for part in place.parts:
        yield from iter_subtree(part)


def find_titled_family(clause: str, titles: Iterable[str]) -> str:
    """Returns the longest family of a clause that has a title, or ""."""
    known, family = set(titles), clause_family(clause)
    while family and family not in known:
        family = clause_family(family)
    return family


def build_outline(walk: RuleWalk, clauses: list[str], titles: Mapping[str, tuple[str, str] | None]) -> BookOutline:
    """Returns the outline of a rulebook.

    `clauses` are those that have a sentence, in the order of the rulebook. `titles` maps each family with a title
    to the thing (type, name) that the title names, or None."""
    return OutlineBuilder(walk, clauses, titles).build()


class OutlineBuilder:
    """Builds one outline."""

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
        """Assigns all clauses and returns the outline."""
        opened: dict[str, RuleSection] = {}
        used: dict[str, ClauseHit] = {}
        for met in self.walk.families:
            if met.opens:
                opened.setdefault(met.name, met.section)
            elif not met.aside:
                used.setdefault(met.name, met)
        first_setup = self.find_first_setup_clause(opened)
        self.is_flat = not opened and not used
        before: OutlineNode | None = None                                # the node of the previous clause in the rulebook
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
        """Returns the index of the first clause whose family belongs to the set-up, or 0."""
        return next((n for n, clause in enumerate(self.clauses)
                     if (section := opened.get(clause_family(clause))) is not None and section.stage == BEFORE), 0)

    def find_citing_node(self, clause: str, earliest: bool) -> OutlineNode:
        """Returns the node for a clause whose family has none: where the walk first meets it, if possible on a path that
        the current options allow. A clause about the standing goes to the end."""
        met = self.met.get(clause, [])
        last = self.walk.stages[END]
        first = next((one for one in met if one.section is last), None) or next((one for one in met if not one.aside), None)
        first = first or next(iter(met), None)
        return self.stages[BOX] if earliest else self.stages[MORE] if first is None else self.of_section[first.section]

    def add_family_node(self, title: str, used: ClauseHit | None, before: OutlineNode | None, earliest: bool) -> OutlineNode:
        """Adds a node for a titled family and returns it."""
        if earliest:
            parent, number = self.stages[BOX], 0
        elif used is not None:
            parent, number = self.of_section[used.section], used.number
        else:
            ends = [
                met for clause in self.clauses if find_titled_family(clause, self.titles) == title for met in self.met.get(clause, ())[:1]
            ]
            at_end = [met for met in ends if met.section is self.walk.stages[END]]
            if at_end and 2 * len(at_end) > len(ends):             # mostly about the standing
                parent, number = self.stages[END], at_end[0].number
            elif self.is_flat:
                parent, number = self.stages[BEFORE if before is None else COURSE], 0
            elif before is None:
                parent, number = self.stages[BOX], 0
            elif before.stage in (BEFORE, BASICS):
                parent, number = self.stages[BASICS], 0
            elif before.stage == ONE_BY_ONE:                       # after the things: with them if they share a family
                alike = before.section is not None and clause_family(title) in {
                    clause_family(clause_family(clause)) for clause in before.clauses
                }
                parent, number = self.stages[ONE_BY_ONE if alike or before.family else MORE], 0
            elif before.section is not None and before.stage == END and all(met.section.is_within(before.section) for met in ends):
                parent, number = before, before.number             # only about this section
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
        """Returns the parent of a node."""
        return next((one for stage in self.stages.values() for one in iter_subtree(stage) if place in one.parts), self.stages[place.stage])

    def insert_clauses(self, place: OutlineNode, clauses: list[str]) -> None:
        """Inserts further clauses into a node in the order of the walk.

        The node's own clauses keep the order of the rulebook, which is written to be understood.
        Inserted clauses of the same family keep it too."""
        when = {clause: self.find_walk_number(clause, place) for clause in (*place.clauses, *clauses)}
        met = {family: min(when[clause] for clause in clauses if clause_family(clause) == family) for family in map(clause_family, clauses)}
        when |= {clause: met[clause_family(clause)] for clause in clauses}
        for clause in sorted(clauses, key=when.__getitem__):
            earlier = [n for n, other in enumerate(place.clauses) if when[other] <= when[clause]]
            place.clauses.insert(earlier[-1] + 1 if earlier else 0, clause)

    def find_walk_number(self, clause: str, place: OutlineNode) -> int:
        """Returns the number at which the walk met a clause, in the node's own section if possible."""
        met = self.met.get(clause, [])
        section = place.section or (None if place.family else self.walk.stages.get(place.stage))
        here = [one.number for one in met if section is not None and one.section is section]
        return next(iter(here), met[0].number if met else 0)

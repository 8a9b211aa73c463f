"""What house rules did to the sentences of a rulebook: each is compared with what it said without them."""

from __future__ import annotations

from ..library.loaded_game import Loaded
from ..narration.narrator import Teller
from .book import Block, Text


class Marks:
    """The game with its house rules and without. Without `plain` there is nothing to mark."""

    def __init__(self, loaded: Loaded, plain: Loaded | None, lang: str) -> None:
        self.words = loaded.words(lang)
        self.packs = list(loaded.house_names) if plain is not None else []
        self.laid = loaded.game.ruleset.source.laid
        self.now = loaded.game.ruleset.program.cited
        self.plain = Teller(plain.game, plain.words(lang)) if plain is not None else None
        self.former = plain.game.ruleset.program.cited if plain is not None else {}

    def notes(self, clause: str, said: str) -> list[str]:
        """What there is to say of a clause: it is new, or said something else before."""
        if self.plain is None:
            return []
        before = self.plain.clause(clause) if clause in self.former else None
        if before is None:
            return [self.words.text("rulebook.house.new", packs=self.behind(clause))]
        if before != said:
            return [self.words.text("rulebook.house.changed", packs=self.behind(clause), before=before)]
        return []

    def behind(self, clause: str) -> list[str]:
        """The packs that changed a clause; all that are in use where it cannot be told which."""
        changes = self.laid.changes if self.laid is not None else []
        template = self.words.template(f"clause.{clause}")
        found = [one.pack for one in changes if one.name == clause or one.name.removeprefix("clause.") == clause
                 or any(f"{{{word}}}" in template for word in (one.name, "_".join(one.name.split(".")[-2:])))]
        return list(dict.fromkeys(found)) or self.packs

    def gone(self) -> list[Block]:
        """What the house rules are, and the sentences that hold no more."""
        if self.plain is None or self.laid is None:
            return []
        out: list[Block] = []
        for pack in self.laid.packs:
            about = pack.data.get("text")
            said = about.get(self.words.lang, about.get("en", "")) if isinstance(about, dict) else about or ""
            out.append(Text(self.words.text("rulebook.house.played", pack=pack.name) + (f" {said}" if said else "")))
        for clause in self.former:
            before = self.plain.clause(clause)
            if before and clause not in self.now:
                out.append(Text(self.words.text("rulebook.house.gone", packs=self.behind(clause), before=before)))
        return out

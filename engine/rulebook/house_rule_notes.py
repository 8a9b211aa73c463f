"""Notes about what house rules changed in a rulebook. Each clause is compared with its text in the game without
house rules."""

from __future__ import annotations

from ..library.loaded_game import LoadedGame
from ..narration.member_texts import written_member_text
from ..narration.narrator import Narrator
from .book import BookBlock, BookParagraph


class HouseRuleNotes:
    """Compares a game with house rules with the game without them. Without `plain` there are no notes."""

    def __init__(self, loaded: LoadedGame, plain: LoadedGame | None, lang: str) -> None:
        self.words = loaded.localizer(lang)
        self.packs = list(loaded.house_names) if plain is not None else []
        self.overlay = loaded.game.ruleset.source.overlay
        self.now = loaded.game.ruleset.program.cited
        self.plain = Narrator(plain.game, plain.localizer(lang)) if plain is not None else None
        self.former = plain.game.ruleset.program.cited if plain is not None else {}

    def notes_for(self, clause: str, sentence: str) -> list[str]:
        """Returns the notes on a clause: that it is new, or what it said before."""
        if self.plain is None:
            return []
        before = self.plain.clause_text(clause) if clause in self.former else None
        if self.overlay is not None and clause in self.overlay.struck_clauses:
            return []                                              # its sentence itself says so
        if before is None:
            return [self.words.text("rulebook.house.new", packs=self.find_packs(clause))]
        if before != sentence:
            return [self.words.text("rulebook.house.changed", packs=self.find_packs(clause), before=before)]
        return []

    def struck_text(self, clause: str) -> tuple[str, str] | None:
        """Returns the sentence about a clause that no longer applies and the former sentence in it, or None."""
        before = self.plain.clause_text(clause) if self.plain is not None else None
        if self.overlay is None or not before or clause not in self.overlay.struck_clauses:
            return None
        key = "rulebook.house.void" if clause in self.overlay.void else "rulebook.house.gone"
        return self.words.text(key, packs=[self.overlay.struck_clauses[clause][0]], before=before), before

    def struck_member_text(self, domain: str, member: str) -> tuple[str, str] | None:
        """Returns the sentence about the text of a member that no longer applies and the former text in it, or None."""
        found = self.overlay.find_outdated_text(f"{domain}.{member}.text") if self.overlay is not None else None
        before = written_member_text(self.plain.game, self.plain.words, domain, member) if self.plain is not None else None
        if found is None or not before:
            return None
        return self.words.text("rulebook.house.void", packs=[found[0]], before=before), before

    def find_packs(self, clause: str) -> list[str]:
        """Returns the packs that changed a clause, or all packs if this is unknown."""
        changes = self.overlay.changes if self.overlay is not None else []
        template = self.words.template(f"clause.{clause}")
        found = [one.pack for one in changes if one.name == clause or one.name.removeprefix("clause.") == clause
                 or any(f"{{{word}}}" in template for word in (one.name, "_".join(one.name.split(".")[-2:])))]
        return list(dict.fromkeys(found)) or self.packs

    def summary_blocks(self) -> list[BookBlock]:
        """Returns a paragraph for each pack, and one for each clause that no longer applies."""
        if self.plain is None or self.overlay is None:
            return []
        out: list[BookBlock] = []
        for pack in self.overlay.packs:
            about = pack.data.get("text")
            said = about.get(self.words.lang, about.get("en", "")) if isinstance(about, dict) else about or ""
            out.append(BookParagraph(self.words.text("rulebook.house.played", pack=pack.name) + (f" {said}" if said else "")))
        for clause in self.former:
            before = self.plain.clause_text(clause)
            if (struck := self.struck_text(clause)) is not None:
                out.append(BookParagraph(struck[0]))
            elif before and clause not in self.now:
                out.append(BookParagraph(self.words.text("rulebook.house.gone", packs=self.find_packs(clause), before=before)))
        return out

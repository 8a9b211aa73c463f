"""Computes the result of a match in which nobody does anything more. It is shown once above the options, not as an effect of declining.

Without this, a player who may decline would see the points and losses at the end of the turn next to "Give up" only, because the
other options lead to a further choice first. They would look like a reason to give up, or not to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ..i18n import DeferredMessage
from ..position.options import DECLINE
from .lookahead import LookaheadResult
from .preview_change import Certainty, ChangesByOption, PreviewChange, common_to_all
from .preview_parts import OutcomeChanges

ReplyChanges = Callable[[LookaheadResult], list[PreviewChange] | None]           # the changes of an outcome if the others decline


class Baseline:
    """The changes that come by themselves after one decision, if the player declines and nobody else does anything."""

    def __init__(self, previews: OutcomeChanges, reply_changes: ReplyChanges, outcomes: Mapping[int, LookaheadResult]) -> None:
        self.previews, self.reply_changes, self.outcomes = previews, reply_changes, outcomes
        self.causes: dict[DeferredMessage, str] = {}

    def take(self, said: ChangesByOption, declined: ChangesByOption) -> list[PreviewChange]:
        """Removes the changes that come by themselves from all options, and returns them.

        If another option certainly prevents a change, it stays with the declining option and comes with all others that bring it. A
        certain change of all options stays as well: it comes whatever is chosen."""
        if DECLINE not in self.outcomes or len(self.outcomes) == 1:
            return []
        own = [*filter(is_automatic, said[DECLINE]), *declined.get(DECLINE, ())]
        own += self.list_told_elsewhere(own, declined)
        own = [change for change in own if change not in common_to_all(own, said.values())]
        replies = {code: self.reply_changes(outcome) for code, outcome in self.outcomes.items() if code != DECLINE} if own else {}
        self.causes = self.find_causes() if own else {}
        found = [change for change in own if self.comes_by_itself(change, said, replies)]
        kept = {change.says for change in own if change not in found}
        for code, reply in {DECLINE: own, **replies}.items():
            known = {change.says for change in (*said[code], *declined.get(code, ()))}
            if added := [change for change in reply or () if change.says in kept - known]:
                declined[code] = declined.get(code, []) + added
        says = {change.says for change in found}
        for some in (said, declined) if says else ():
            for code, changes in some.items():
                some[code] = [change for change in changes if change.says not in says or not is_automatic(change)]
        return [replace(change, certainty=Certainty.BASELINE) for change in found]

    def list_told_elsewhere(self, own: list[PreviewChange], declined: ChangesByOption) -> list[PreviewChange]:
        """Returns changes of the declining option that are listed at another option only, such as changes of other players."""
        told = {change.says for code, changes in declined.items() if code != DECLINE for change in changes}
        known = {change.says for change in own}
        reply = self.reply_changes(self.outcomes[DECLINE]) if told else None
        return [change for change in reply or () if change.says in told - known]

    def comes_by_itself(
        self, change: PreviewChange, said: ChangesByOption, replies: Mapping[int, list[PreviewChange] | None]
    ) -> bool:
        """Whether no other option certainly prevents a change."""
        lacking = [code for code, reply in replies.items() if change.says not in self.list_automatic(said[code], reply)]
        return not any(self.is_past(code, change, replies[code]) for code in lacking)

    def list_automatic(self, changes: list[PreviewChange], reply: list[PreviewChange] | None) -> set[DeferredMessage]:
        """Returns what an option brings automatically, or if the others decline."""
        return {change.says for change in (*filter(is_automatic, changes), *(reply or ()))}

    def is_past(self, code: int, change: PreviewChange, reply: list[PreviewChange] | None) -> bool:
        """Whether the lookahead at an option has passed the moment of a change, so that the option prevents what it does not bring."""
        outcome = self.outcomes[code]
        declined = self.previews.foresight.preview_declined(outcome) if reply is not None else None
        reached = declined or outcome
        if reached.over:
            return True
        if change.certainty is Certainty.IF_DECLINED and declined is None:
            return False
        if declined is not None and declined.decision is not None and declined.decision.key == self.previews.decision.key:
            return True                                            # the player is asked the same again before the change
        if change.kind == "end":
            return reached.sure and not self.previews.foresight.stays_in_part(reached)
        passed = [name for name, _ in self.previews.list_stages(reached)]
        return self.causes.get(change.says, change.cause) in ["", *(passed if reached.sure else passed[:-1])]

    def find_causes(self) -> dict[DeferredMessage, str]:
        """Returns the later section of the course that brings each change if nobody does anything."""
        declined = self.previews.foresight.preview_declined(self.outcomes[DECLINE])
        return {change.says: change.cause for change in self.previews.list_changes(declined)} if declined is not None else {}


def is_automatic(change: PreviewChange) -> bool:
    """Whether a change is no effect of the option itself: it comes later, or if nobody else does anything, or it ends the match."""
    return bool(change.cause) or change.kind == "end" or change.certainty is Certainty.IF_DECLINED

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

    def take(self, said: ChangesByOption, declined: ChangesByOption) -> list[PreviewChange]:
        """Removes the changes that come by themselves from all options, and returns them.

        A change stays with the declining option if another option certainly prevents it. A certain change of all options stays as well:
        it comes whatever is chosen."""
        if DECLINE not in self.outcomes or len(self.outcomes) == 1:
            return []
        own = [*filter(is_automatic, said[DECLINE]), *declined.get(DECLINE, ())]
        own = [change for change in own if change not in common_to_all(own, said.values())]
        replies = {code: self.reply_changes(outcome) for code, outcome in self.outcomes.items() if code != DECLINE} if own else {}
        found = [change for change in own if self.comes_by_itself(change, said, replies)]
        says = {change.says for change in found}
        for some in (said, declined) if says else ():
            for code, changes in some.items():
                some[code] = [change for change in changes if change.says not in says or not is_automatic(change)]
        return [replace(change, certainty=Certainty.BASELINE) for change in found]

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
        if outcome.over or reply is not None:
            return True
        if change.certainty is Certainty.IF_DECLINED:
            return False
        if change.kind == "end":
            return outcome.sure and not self.previews.foresight.stays_in_part(outcome)
        passed = [name for name, _ in self.previews.list_stages(outcome)]
        return change.cause in (passed if outcome.sure else passed[:-1])


def is_automatic(change: PreviewChange) -> bool:
    """Whether a change is no effect of the option itself: it comes later, or if nobody else does anything, or it ends the match."""
    return bool(change.cause) or change.kind == "end" or change.certainty is Certainty.IF_DECLINED

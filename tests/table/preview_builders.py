"""Builds previews for tests. They contain texts instead of text keys, because a key without a text is shown unchanged."""

from __future__ import annotations

from typing import Any

from ludoglot.engine.i18n import DeferredMessage, engine_localizer
from ludoglot.engine.preview.option_preview import OptionPreview
from ludoglot.engine.preview.preview_change import PreviewChange

WORDS = engine_localizer("en")


def text_change(text: str, **more: Any) -> PreviewChange:
    return PreviewChange(DeferredMessage(text), **more)


def preview_of_texts(*said: str | PreviewChange, **more: Any) -> OptionPreview:
    return OptionPreview(tuple(text_change(one) if isinstance(one, str) else one for one in said), words=WORDS, **more)

"""Checks that one handler at the top of the command line prints every error with a message."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest
from ludoglot.engine.cli.console import CommandError
from ludoglot.engine.commands import main as main_module
from ludoglot.engine.errors import MessageError, UsageError
from ludoglot.engine.library.find import UnknownGameError
from ludoglot.engine.match.setup import MissingSaveError, SaveError
from ludoglot.engine.notation import NotationError


class FailingGroup:
    """Replaces the commands: raises an error when it is called."""

    def __init__(self, error: MessageError) -> None:
        self.error = error

    def main(self, **given: object) -> int:
        raise self.error


def list_error_classes(base: type[MessageError] = MessageError) -> Iterator[type[MessageError]]:
    for kind in base.__subclasses__():
        yield kind
        yield from list_error_classes(kind)


@pytest.mark.parametrize(("kind", "code"), [(MessageError, 1), (CommandError, 1), (SaveError, 1), (NotationError, 1),
                                            (UsageError, 2), (UnknownGameError, 2), (MissingSaveError, 2)])
def test_usage_errors_have_their_own_exit_code_and_help_hint(kind, code, monkeypatch, capsys):
    monkeypatch.setattr(main_module, "make_group", lambda: FailingGroup(kind("usage.game", name="ches", meant="chess")))
    assert main_module.main(["--lang", "en", "show"]) == code
    told = capsys.readouterr().err
    assert "ches" in told and "chess" in told and ("--help" in told) == (code == 2)


def test_each_error_class_can_be_pickled():
    every = [kind for kind in list_error_classes() if kind.__name__ != "StateLiteralError"]   # built from a problem
    assert len(every) >= 5
    for kind in every:
        copy = pickle.loads(pickle.dumps(kind("file.unwritable", file="a", key="b")))
        assert (copy.key, copy.params) == ("file.unwritable", {"file": "a", "key": "b"})

"""Checks that Ctrl-C during the set-up of the keyboard takes effect after the set-up."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Future

import pytest
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.terminal.line_editor import LineEditor, exit_with_interrupt, unblock_interrupts

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be blocked here")


def test_an_interrupt_during_setup_is_delayed_until_the_keyboard_is_ready(monkeypatch):
    line, course = LineEditor(LocalizedConsole("en")), []

    def prompt(message, pre_run):
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)         # a signal to the process might reach a thread of another test
        course.append("made ready")
        pre_run()
        course.append("typed")
    monkeypatch.setattr(line.session, "prompt", prompt)
    with pytest.raises(KeyboardInterrupt):
        line.read("> ", lambda typed: [], "")
    assert course == ["made ready"]
    unblock_interrupts()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_an_interrupt_after_setup_is_immediate(monkeypatch):
    line = LineEditor(LocalizedConsole("en"))
    monkeypatch.setattr(line.session, "prompt", lambda message, pre_run: "typed")
    assert line.read("> ", lambda typed: [], "") == "typed"
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass


def test_two_interrupts_exit_only_once():
    """Ctrl-C arrives as a signal and as a key at once. The second one finds a prompt that is already closing."""
    class FakeApp:
        future = None
        left = 0

        def exit(self, exception):
            assert self.future is not None and not self.future.done() and isinstance(exception, KeyboardInterrupt)
            self.left += 1
            self.future.set_exception(exception)

    class FakeEvent:
        app = FakeApp()

    exit_with_interrupt(FakeEvent)
    FakeEvent.app.future = Future()
    for _ in range(2):
        exit_with_interrupt(FakeEvent)
    assert FakeEvent.app.left == 1

"""Tries one input, and decides whether its time, its memory, or its result is a finding."""

from __future__ import annotations

import contextlib
import io
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ludoglot.engine.commands.main import main

ROOT = Path(__file__).parent.parent.parent
LIMIT = 2.0                          # seconds of processor time that one input may take more than the valid one
ROOM = 300                           # megabytes that it may add to the memory in use before
HUNG = 15.0                          # seconds of processor time after which it is stopped
CLEAR = Path("/proc/self/clear_refs")


class Hung(BaseException):
    """Raised if an input took HUNG seconds of processor time."""


@dataclass
class Finding:
    """A problem found by a campaign. `how` is the data that reproduces it, as JSON."""

    campaign: str
    what: str
    how: Any


@dataclass
class Tally:
    """The results of a campaign: inputs tried, outcomes, and findings. It ends after `count` inputs or `limit` seconds of clock time."""

    count: int = 1
    limit: float = float("inf")
    tried: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0
    slowest: float = 0.0
    largest: int = 0
    begun: float = field(default_factory=time.monotonic)

    @property
    def going(self) -> bool:
        return self.tried < self.count and time.monotonic() - self.begun < self.limit

    def found(self, campaign: str, what: str, how: Any) -> None:
        self.findings.append(Finding(campaign, what, how))


def peak(reset: bool = False) -> int:
    """Returns the peak memory of this process in megabytes since the last reset, or 0 if the system does not report it."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        if reset:
            CLEAR.write_text("5")
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) // 1024
    return 0


def capped(megabytes: int = 4000) -> None:
    """Limits the memory of this process. An input that needs more gets a MemoryError and does not exhaust the machine."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, resource.getrlimit(resource.RLIMIT_AS)[1]))


@contextlib.contextmanager
def watched(tally: Tally, campaign: str, how: Any, usual: float = 0.0) -> Iterator[None]:
    """Records a finding if its block raises, takes more than LIMIT seconds of processor time over `usual`, or more than ROOM megabytes."""
    def stop(signum: int, frame: object) -> None:
        raise Hung

    before, began = peak(reset=True), time.process_time()
    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, HUNG + usual)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, former)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:                                 # no exception should reach this line
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        at = f" at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}" if place is not None else ""
        tally.found(campaign, f"{type(error).__name__} came through{at}: {str(error)[:100]}", how)
        return
    took, more = time.process_time() - began, peak() - before
    tally.slowest, tally.largest = max(tally.slowest, took), max(tally.largest, more)
    if took > LIMIT + usual:
        tally.found(campaign, f"{took:.1f} s of processor", how)
    if more > ROOM:
        tally.found(campaign, f"{more} MB", how)


def run(args: list[str], typed: str = "") -> tuple[int, str, str]:
    """Runs a command in this process, and returns its exit code, output, and errors."""
    out, err = io.StringIO(), io.StringIO()
    with patch.object(sys, "stdin", io.StringIO(typed)), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(args)
    return code, out.getvalue(), err.getvalue()


def judged(tally: Tally, campaign: str, how: Any, args: list[str], typed: str = "", usual: float = 0.0) -> tuple[int, str]:
    """Runs a command line, and records a finding if it ended badly."""
    code, out, err = 3, "", ""
    with watched(tally, campaign, how, usual):
        code, out, err = run(args, typed)
        if code not in (0, 1, 2) or "inside Ludoglot" in err:
            tally.found(campaign, err.strip()[-200:] or f"exit code {code}", how)
    return code, out

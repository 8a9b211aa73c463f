"""Playing many games for a command: workers, progress bar, journal folder, and interruption."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import missing_package, unwritable_error
from .console import CommandError, LocalizedConsole, NativeNotice

if TYPE_CHECKING:
    from ..lab.journal import GameJournal
    from ..lab.plan import LabPlan
    from ..lab.runner import Workers

SHOW_CURSOR = "\x1b[?25h"


@dataclass(frozen=True)
class BatchRequest:
    """The parameters of a command that plays many games: those of `playing_options`, and where the work is done."""

    game: str
    games: int
    players: int | None
    settings: tuple[str, ...]
    bots: list[str]
    seed: int
    limit: int
    pack_sources: tuple[str, ...]
    jobs: int
    out: str | None
    as_json: bool


@contextmanager
def open_workers(console: LocalizedConsole, jobs: int, cluster: str | None) -> Iterator[Workers]:
    """Opens the workers that play games: a cluster, local processes, or this process.

    Raises MessageError, also when all workers are lost."""
    from ..lab.runner import run_inline
    with ExitStack() as stack:
        if cluster is not None:
            with require_lab_packages("cluster"):
                from ..lab.cluster import cluster_workers
            found = stack.enter_context(cluster_workers(cluster, call_once(lambda: console.print_stderr(console.text("simulate.waiting")))))
        elif jobs > 1:
            from ..lab.process_pool import process_workers
            found = stack.enter_context(process_workers(jobs))
        else:
            found = run_inline
        stack.enter_context(graceful_interrupt())
        yield found


def call_once(action: Callable[[], None]) -> Callable[[], None]:
    """Returns a function that calls `action` at its first call only."""
    left = [action]
    return lambda: left.pop()() if left else None


@contextmanager
def graceful_interrupt() -> Iterator[None]:
    """Lets the first Ctrl-C end the work in order; a second one ends the program at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_first_interrupt(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if sys.stderr.isatty():                                    # rich will not do this after a second Ctrl-C
            sys.stderr.write(SHOW_CURSOR)
            sys.stderr.flush()
        raise KeyboardInterrupt
    before = signal.signal(signal.SIGINT, on_first_interrupt)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is on_first_interrupt:               # after a Ctrl-C keep the default handler
            signal.signal(signal.SIGINT, before)


@contextmanager
def require_lab_packages(extra: str = "lab") -> Iterator[None]:
    """Marks imports that need the packages of an extra. Raises CommandError if these are not installed."""
    try:
        yield
    except ImportError as error:
        if missing_package(error, ("scipy", "numpy", "matplotlib", "pyarrow", "distributed", "dask", "optuna")) is None:
            raise
        raise CommandError("simulate.missing", command=f"pip install 'ludoglot[{extra}]'") from None


def check_report_packages() -> None:
    """Checks before the first game that a report can be written. Raises CommandError."""
    with require_lab_packages():
        from ..lab import export, html_report  # noqa: F401


@contextmanager
def open_journal(console: LocalizedConsole, folder: Path | None, plan: LabPlan) -> Iterator[GameJournal | None]:
    """Opens the journal of games in a folder; yields None without a folder.

    If the run is aborted, it prints how many games the journal has kept. Raises MessageError."""
    from ..lab.journal import GameJournal
    if folder is None:
        yield None
        return
    try:
        journal = GameJournal(folder, plan)
    except OSError as error:
        raise unwritable_error(CommandError, Path(error.filename or folder), error) from None
    whole = False
    try:
        yield journal
        whole = True
    finally:
        journal.close()
        if not whole:
            console.print_stderr(console.text("simulate.kept", n=len(journal.games), file=str(journal.path)))


@contextmanager
def progress_bar(
    console: LocalizedConsole, count: int, done: int = 0, label: str = "simulate.playing"
) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar on a terminal for `count` tasks, `done` of them already. `label` is the key of its text.

    Yields a function to call with the number of tasks just finished."""
    if not sys.stderr.isatty():
        yield lambda played: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    with Progress(TextColumn(console.text(label)), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                  console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=count, completed=done)
        yield lambda played: bar.advance(task, played)


@contextmanager
def report_compilation(console: LocalizedConsole, plan: LabPlan, in_process: bool) -> Iterator[None]:
    """Prints once why rules cannot be compiled, if games are played on this machine.

    It prints a reason before the games if it is known by then, otherwise after them."""
    from ..lab.plan import get_compiled_game
    found = [get_compiled_game(plan, side) for side in range(len(plan.rules))] if in_process else []
    hindered = NativeNotice(console, [native for native in found if native is not None])
    hindered.print_reasons()
    yield
    hindered.print_reasons()

"""Plays random games of `boardgameio.js` with boardgame.io in a node process. The two processes talk over a pipe."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer

SCRIPT = Path(__file__).with_suffix(".js")
PATIENCE = 60.0                      # seconds for the start, or for a slice of time in addition to its length, on a busy machine
SLOW = 20                            # seconds of clock time for one second of processor time, on a busy machine


class Node:
    """A process that answers requests. `games` lists the games that it plays. Close it, or use it with `with`."""

    def __init__(self, command: Sequence[str], patience: float = PATIENCE) -> None:
        """Starts the process. Raises RuntimeError if it ends, or does not answer within `patience` seconds."""
        # Without this, boardgame.io checks every move and freezes every position.
        environment = os.environ | {"NODE_ENV": "production"}
        self.patience = patience
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env=environment)
        self.games: list[str] = self.answer(patience)

    @classmethod
    def of(cls, folder: Path, node: str = "node") -> Node:
        """Starts the process for the boardgame.io whose node_modules is in a folder."""
        return cls([node, str(SCRIPT), str(folder)])

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def played(self, game: str, seconds: float) -> tuple[int, int, float]:
        """Plays complete random games for about `seconds` of processor time. Returns games, decisions, and seconds.

        Raises RuntimeError if the process has ended or does not answer.
        """
        assert self.process.stdin is not None
        try:
            print(json.dumps({"game": game, "seconds": seconds}), file=self.process.stdin, flush=True)
        except OSError as reason:
            raise RuntimeError("node has ended") from reason
        found = self.answer(self.patience + SLOW * seconds)
        return found["games"], found["moves"], found["seconds"]

    def answer(self, seconds: float):
        """Returns the next line as data. It kills a process that does not answer in time."""
        assert self.process.stdout is not None
        watch = Timer(seconds, self.process.kill)
        watch.start()
        try:
            line = self.process.stdout.readline()
        finally:
            watch.cancel()
        if not line:
            self.close()
            raise RuntimeError("node gave no answer")
        return json.loads(line)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None and not pipe.closed:
                with suppress(BrokenPipeError):      # unsent data
                    pipe.close()

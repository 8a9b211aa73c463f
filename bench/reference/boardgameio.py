"""Random playouts of the games of `boardgameio.js`, which node plays with boardgame.io in a process of its own; slices of time are asked
for over a pipe."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer

SCRIPT = Path(__file__).with_suffix(".js")
PATIENCE = 60.0                      # seconds that the start, or a slice of time beyond its length, may take on a busy machine
SLOW = 20                            # seconds of the clock for one of the processor, on a busy machine


class Node:
    """A process that answers; `games` are those that it plays. To be closed, or used with `with`."""

    def __init__(self, command: Sequence[str], patience: float = PATIENCE) -> None:
        """Starts it. RuntimeError where it ends, or says nothing for `patience` seconds."""
        # Else every move is checked and every position frozen, for who develops a game.
        environment = os.environ | {"NODE_ENV": "production"}
        self.patience = patience
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env=environment)
        self.games: list[str] = self.answer(patience)

    @classmethod
    def of(cls, folder: Path, node: str = "node") -> Node:
        """The process for the boardgame.io whose node_modules lies in a folder."""
        return cls([node, str(SCRIPT), str(folder)])

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def played(self, game: str, seconds: float) -> tuple[int, int, float]:
        """Whole random games of about so many seconds of the processor: how many, their decisions, and the seconds that they took.
        RuntimeError where the process has ended or does not answer."""
        assert self.process.stdin is not None
        try:
            print(json.dumps({"game": game, "seconds": seconds}), file=self.process.stdin, flush=True)
        except OSError as reason:
            raise RuntimeError("node has ended") from reason
        found = self.answer(self.patience + SLOW * seconds)
        return found["games"], found["moves"], found["seconds"]

    def answer(self, seconds: float):
        """The next line as data; a process that does not write it in time is ended."""
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
                with suppress(BrokenPipeError):      # what could not be sent any more
                    pipe.close()

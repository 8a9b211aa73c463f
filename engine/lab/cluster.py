"""Games played by the workers of a Dask cluster: https://distributed.dask.org

Each of its machines needs Ludoglot, and the files of the game at the same paths; that they say the same is looked at. When a worker dies,
the cluster gives what it was playing to another.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client, as_completed

from .plan import Chunk, play_chunk
from .workers import Done, Workers

PATIENCE = "10s"                     # for a cluster to answer


@contextmanager
def by_cluster(address: str) -> Iterator[tuple[Workers, int]]:
    """The workers behind a scheduler's address, and how many games they play at a time. Raises OSError when nobody answers there."""
    logging.getLogger("distributed").setLevel(logging.ERROR)       # that a worker is gone is no news for who waits for games
    with Client(address, timeout=PATIENCE, set_as_default=False) as client:             # type: ignore[no-untyped-call]
        def work(chunks: list[Chunk]) -> Iterator[Done]:
            futures = {client.submit(play_chunk, chunk, pure=False): chunk for chunk in chunks}
            for future in as_completed(futures, loop=client.loop):                 # type: ignore[no-untyped-call]
                yield futures.pop(future), future.result()
        yield work, max(1, sum(client.nthreads().values()))

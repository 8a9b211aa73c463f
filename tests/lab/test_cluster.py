"""Games on a cluster of this machine: each once and the same as without, also when one of its workers is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from ludoglot.engine.lab.cluster import by_cluster
from ludoglot.engine.lab.plan import Plan

from .conftest import rules_of
from .test_runs import carried_out

if TYPE_CHECKING:
    from distributed import LocalCluster  # imported where it is needed: other tests begin a second sooner


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    from distributed import LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as found:
        yield found


@pytest.mark.long
def test_a_killed_worker_of_a_cluster_loses_and_doubles_nothing(market, tmp_path, cluster):
    plan = Plan((rules_of(market, "days: 90"), rules_of(market)), 150)
    whole = carried_out(plan, tmp_path / "alone")
    killed: list[int] = []
    brought: list[int] = []

    def kill(count: int) -> None:
        brought.append(count)
        if not killed:
            from distributed import Client
            with Client(cluster.scheduler_address, set_as_default=False) as client:
                killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)
    with by_cluster(cluster.scheduler_address) as (workers, hands):
        assert hands == 2
        assert carried_out(plan, tmp_path / "cluster", workers, hands, kill) == whole
    assert killed and sum(brought) == 300


@pytest.mark.long
def test_nobody_at_the_address():
    with pytest.raises(OSError), by_cluster("tcp://127.0.0.1:9"):
        pass

"""Plays games on a local cluster, and checks that each game runs once with the same result, even if a worker is killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from ludoglot.engine.commands.main import main
from ludoglot.engine.lab import cluster as clusters
from ludoglot.engine.lab.cluster import cluster_workers
from ludoglot.engine.lab.plan import GameKey, LabPlan
from ludoglot.engine.lab.runner import FinishedGames

from .conftest import load_rules
from .test_runs import run_plan

if TYPE_CHECKING:
    from distributed import LocalCluster  # slow import: other tests start a second sooner


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    from distributed import LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as found:
        yield found


@pytest.mark.long
def test_killed_cluster_worker_loses_and_duplicates_no_game(market, tmp_path, cluster):
    plan = LabPlan((load_rules(market, "days: 90"), load_rules(market)), 150)
    whole = run_plan(plan, tmp_path / "alone")
    killed: list[int] = []
    brought: list[int] = []

    def kill(count: int) -> None:
        brought.append(count)
        if not killed:
            from distributed import Client
            with Client(cluster.scheduler_address, set_as_default=False) as client:
                killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)
    with cluster_workers(cluster.scheduler_address) as workers:
        assert run_plan(plan, tmp_path / "cluster", workers, kill) == whole
    assert killed and sum(brought) == 300


@pytest.mark.long
def test_cancelled_chunks_are_played_again(market, tmp_path, cluster):
    """The cluster cancels chunks if their results are lost with a worker, or if the connection fails for a moment."""
    plan = LabPlan((load_rules(market),), 40)
    from distributed import Client, Future
    whole, called_off = run_plan(plan, tmp_path / "alone"), 0
    with cluster_workers(cluster.scheduler_address) as workers:
        def and_call_off(plan: LabPlan, keys: list[GameKey]) -> Iterator[FinishedGames]:
            nonlocal called_off
            playing = workers(plan, keys)
            yield next(playing)
            for client in [client for client in Client._instances if client.status == "running"]:
                futures = [Future(key, client) for key in client.futures]
                called_off += len(futures)
                client.cancel(futures, force=True)
            yield from playing
        assert run_plan(plan, tmp_path / "cluster", and_call_off) == whole
    assert called_off


@pytest.fixture
def unresponsive_server() -> Iterator[str]:
    """Opens a server that accepts connections but never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.long
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "foo", "", "tls://nosuchhost.invalid:8786", "http://{}", "tcp://{}", "{}", "tcp://"])
def test_unreachable_cluster_is_reported(market, capfd, monkeypatch, unresponsive_server, address):
    monkeypatch.setattr(clusters, "RESPONSE_TIMEOUT_SECONDS", 1.0)
    address = address.format(unresponsive_server)
    assert main(["simulate", str(market), "--games", "2", "--cluster", address, "--lang", "en"]) == 1
    said = capfd.readouterr()
    assert said.err == f"Error: No cluster answers at {address}.\n" and not said.out


@pytest.mark.long
def test_lost_cluster_keeps_finished_games(market, tmp_path):
    """Starts a separate scheduler and kills it. Before it has a worker, the command prints one message about that."""
    address, processes = f"tcp://127.0.0.1:{find_free_port()}", []

    def begin(*args: str) -> None:
        processes.append(subprocess.Popen([sys.executable, "-m", *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    try:
        begin("distributed.cli.dask_scheduler", "--host", address, "--no-dashboard")
        out = tmp_path / "out"
        command = [sys.executable, "-m", "ludoglot", "simulate", str(market), "--games", "100000", "--cluster", address]
        wait_for_server(address)
        playing = subprocess.Popen([*command, "--out", str(out), "--lang", "en"], stderr=subprocess.PIPE, text=True)
        processes.append(playing)
        assert playing.stderr is not None
        assert playing.stderr.readline() == "The cluster has no workers yet. The games begin as soon as a worker connects.\n"
        begin("distributed.cli.dask_worker", address, "--nworkers", "1", "--nthreads", "1", "--no-dashboard")
        games, deadline = out / "games.jsonl", time.monotonic() + 60
        while not games.stat().st_size and time.monotonic() < deadline:
            time.sleep(0.1)
        processes[0].kill()
        said = playing.communicate(timeout=60)[1].splitlines()
        kept = games.read_text(encoding="utf-8").count("\n")
        assert playing.returncode == 1 and 0 < kept < 100000
        finished = "1 finished game is" if kept == 1 else f"{kept:,} finished games are"
        assert said == [f"{finished} in {games}. To continue from there, run the same command again.",
                        "Error: The connection to the cluster was lost, so no more games are played."]
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.long
def test_worker_with_another_version_is_reported(market, tmp_path, cluster, monkeypatch, capfd):
    monkeypatch.setattr(clusters, "version", lambda _: "9.9")       # of this process: the workers are others
    assert main(["simulate", str(market), "--games", "2", "--cluster", cluster.scheduler_address, "--lang", "en"]) == 1
    assert f"Error: The computer {socket.gethostname()} has version" in (said := capfd.readouterr().err) and "this one has 9.9." in said


def wait_for_server(address: str) -> None:
    """Returns when a server accepts connections at the address."""
    host, _, port = address.rpartition("/")[2].partition(":")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((host, int(port)), 1):
            return
        time.sleep(0.1)


def find_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])

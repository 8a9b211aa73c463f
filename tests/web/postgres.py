"""Starts a PostgreSQL server for tests, from the packages of the system."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"


def find_programs() -> Path | None:
    """Returns the folder of initdb and pg_ctl, or None if PostgreSQL is not installed."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).resolve().parent] if on_path else []
    return next(iter([*found, *(path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True))]), None)


@contextmanager
def running_postgres() -> Iterator[str]:
    """Yields the URL of a new database.

    The server listens on a socket in a folder of its own. It refuses to run as root."""
    programs = find_programs()
    assert programs is not None
    account = pwd.getpwnam(USER) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    other = {"user": account.pw_name, "group": account.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}

    def call(program: str, *args: str) -> None:
        done = subprocess.run([str(programs / program), *args], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              timeout=120, **other)                # type: ignore[arg-type]
        assert done.returncode == 0, done.stderr
    with tempfile.TemporaryDirectory(prefix="pg-") as name:        # a short path, because sockets have short names
        os.chown(name, account.pw_uid, account.pw_gid)
        data = f"{name}/data"
        call("initdb", "--pgdata", data, "--username", USER, "--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync")
        call("pg_ctl", "--pgdata", data, "--log", f"{name}/log", "--wait", "--options",
             f"-c listen_addresses='' -c unix_socket_directories={name} -c fsync=off", "start")
        try:
            yield f"postgresql://{USER}@/postgres?host={name}"
        finally:
            call("pg_ctl", "--pgdata", data, "--mode", "immediate", "stop")

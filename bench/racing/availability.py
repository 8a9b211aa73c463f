"""Finds the peers of `bench/peers.py`, and installs missing ones outside the repository. One line explains why a peer is not available."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import platformdirs

TIMEOUT = 600.0                      # seconds for one installer: on a slow line, OpenSpiel needs minutes
SHORT = 120.0                        # seconds to load a peer, or to ask a program for its version, on a busy machine
LOAD = "import importlib, sys; sys.path.append(sys.argv[1]); [importlib.import_module(name) for name in sys.argv[2:]]"
PIP = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
# Without scripts, because node can play without a build step.
NPM = ("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
BOARDGAMEIO = "boardgame.io@^0.50.2"


@dataclass(frozen=True)
class Peer:
    """A peer that runs in Python: its name, and the pip requirement of each module that it needs. The first module is its own."""

    name: str
    needs: dict[str, str]

    @property
    def distribution(self) -> str:
        """Returns the distribution that has the version of the peer."""
        return next(iter(self.needs.values())).partition(">")[0]


CHESS, PYGAME = {"chess": "chess>=1.11"}, {"pygame": "pygame-ce>=2.5"}
IN_PYTHON = {
    "openspiel": Peer("OpenSpiel", {"pyspiel": "open_spiel>=2.0"}),
    "pettingzoo": Peer("PettingZoo", {"pettingzoo": "pettingzoo>=1.24"} | PYGAME | CHESS),
    "python-chess": Peer("python-chess", CHESS),
    "catanatron": Peer("catanatron", {"catanatron": "catanatron>=3.2"}),
}
NAMES = {label: peer.name for label, peer in IN_PYTHON.items()} | {"boardgame.io": "boardgame.io"}


@dataclass
class Had:
    """The available peers: versions by label, and the reasons why the others are left out. `folder` contains what was installed."""

    folder: Path
    versions: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def place() -> Path:
    """Returns the default folder of the peers."""
    return Path(platformdirs.user_cache_dir("ludoglot", appauthor=False)) / "peers"


def have(folder: Path, install: bool) -> Had:
    """Finds the peers, and installs missing ones if `install` is true.

    Afterwards, Python can import those that are written in Python. It never fails, and always ends.
    """
    had = Had(folder)
    packages = folder / f"python{sys.version_info.major}.{sys.version_info.minor}"
    # At the end, so that nothing in this folder hides an installed package.
    sys.path.append(str(packages))
    importlib.invalidate_caches()
    for label, peer in IN_PYTHON.items():
        missing = [wanted for module, wanted in peer.needs.items() if find_spec(module) is None]
        try:
            if missing and install:
                ran([*PIP, "--target", str(packages), *missing], "cannot be installed")
                importlib.invalidate_caches()
            elif missing:
                raise RuntimeError("not installed")
            # Imports it in a separate process first, where a crash or an endless loop does no harm.
            ran([sys.executable, "-c", LOAD, str(packages), *peer.needs], "cannot be loaded", SHORT)
            had.versions[label] = metadata.version(peer.distribution)
        except (RuntimeError, metadata.PackageNotFoundError) as reason:
            had.left_out[label] = str(reason)
            sys.modules[next(iter(peer.needs))] = None  # type: ignore[assignment]   # later imports fail
    try:
        had.versions["boardgame.io"] = in_node(folder, install)
    except RuntimeError as reason:
        had.left_out["boardgame.io"] = str(reason)
    return had


def in_node(folder: Path, install: bool) -> str:
    """Returns the versions of boardgame.io in `folder` and of node, and installs boardgame.io if allowed.

    Raises RuntimeError with what is missing.
    """
    about = folder / "node_modules" / "boardgame.io" / "package.json"
    for program in ("node", "npm"):
        if shutil.which(program) is None and not (program == "npm" and about.exists()):
            raise RuntimeError(f"no {program} on this machine")
    if not about.exists():
        if not install:
            raise RuntimeError("not installed")
        folder.mkdir(parents=True, exist_ok=True)
        ran([*NPM, "--prefix", str(folder), BOARDGAMEIO], "cannot be installed")
    try:
        version = json.loads(about.read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, KeyError) as reason:
        raise RuntimeError("installed, but not as it should be") from reason
    return f"{version}, node {ran(['node', '--version'], 'node does not run', SHORT).strip().removeprefix('v')}"


def ran(command: Sequence[str], else_said: str, seconds: float = TIMEOUT) -> str:
    """Returns the output of a program.

    Raises RuntimeError, with a line that begins with `else_said`, if the program cannot run, fails, or takes too long.
    """
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as reason:
        raise RuntimeError(f"{else_said}: took longer than {seconds:g} s") from reason
    except OSError as reason:
        raise RuntimeError(f"{else_said}: {reason.strerror}") from reason
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        said = [line for line in lines if "error" in line.lower()] or lines or ["no reason given"]
        raise RuntimeError(f"{else_said}: {said[-1][:160]}")
    return done.stdout

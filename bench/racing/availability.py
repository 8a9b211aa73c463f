"""The peers of `bench/peers.py`: who is not installed goes into a folder outside the repository, who cannot be had is said in one line."""

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

TIMEOUT = 600.0                      # seconds for one installer; a slow line needs minutes for OpenSpiel
SHORT = 120.0                        # seconds for a peer to be loaded, for a program to tell its version, on a busy machine
LOAD = "import importlib, sys; sys.path.append(sys.argv[1]); [importlib.import_module(name) for name in sys.argv[2:]]"
PIP = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
# Without scripts: nothing of it has to be built to play in node.
NPM = ("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
BOARDGAMEIO = "boardgame.io@^0.50.2"


@dataclass(frozen=True)
class Peer:
    """A peer that runs in Python: how it is called, and for each module it needs what the installer is asked for. The first is its own."""

    name: str
    needs: dict[str, str]

    @property
    def distribution(self) -> str:
        """What has its version."""
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
    """What is there: the version of each peer by its label, and why the others are left out. `folder` has what was installed."""

    folder: Path
    versions: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def place() -> Path:
    """Where peers are kept if nobody names another folder."""
    return Path(platformdirs.user_cache_dir("ludoglot", appauthor=False)) / "peers"


def have(folder: Path, install: bool) -> Had:
    """Sees to the peers, installing what is missing if `install`; afterwards those in Python can be imported. Never fails, and ends."""
    had = Had(folder)
    packages = folder / f"python{sys.version_info.major}.{sys.version_info.minor}"
    # Last, so that nothing there hides what this Python has itself.
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
            # In a process of its own first: what fails there in whatever way, or never ends, shall not do so here.
            ran([sys.executable, "-c", LOAD, str(packages), *peer.needs], "cannot be loaded", SHORT)
            had.versions[label] = metadata.version(peer.distribution)
        except (RuntimeError, metadata.PackageNotFoundError) as reason:
            had.left_out[label] = str(reason)
            sys.modules[next(iter(peer.needs))] = None  # type: ignore[assignment]   # who imports it now finds nothing
    try:
        had.versions["boardgame.io"] = in_node(folder, install)
    except RuntimeError as reason:
        had.left_out["boardgame.io"] = str(reason)
    return had


def in_node(folder: Path, install: bool) -> str:
    """The versions of boardgame.io in `folder`, where it is installed if it is not there, and of node. RuntimeError: what is missing."""
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
    """What a program printed. RuntimeError where it cannot be run, fails or takes longer: a line that begins with `else_said`."""
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

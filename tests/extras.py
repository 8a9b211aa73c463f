"""Lists the tests that need an optional extra of the package, and the module that shows whether an extra is installed.

`pip install '.[test]'` installs none of the extras. Pytest then skips their tests, and the summary of the run names these extras.
`pip install '.[test-all]'` installs all of them.
"""

from __future__ import annotations

from importlib.util import find_spec

# extra -> a module that it installs
MODULES = {"balance": "optuna", "cluster": "distributed", "docs": "pyte", "gymnasium": "gymnasium", "lab": "scipy", "lsp": "lsprotocol",
           "openspiel": "pyspiel", "oracles": "draughts", "postgres": "psycopg", "pettingzoo": "pettingzoo", "vector": "numpy",
           "web": "uvicorn"}

# test file or folder -> the extra without which it cannot be imported
EXTRA_OF_PATH = {
    "api/test_adapters.py": "pettingzoo", "api/test_docstrings.py": "openspiel", "api/test_extras.py": "openspiel",
    "api/test_gymnasium.py": "gymnasium", "api/test_pickles.py": "pettingzoo", "api/test_vector.py": "vector",
    "conformance/test_backgammon.py": "openspiel", "conformance/test_catan.py": "oracles",
    "conformance/test_chess.py": "oracles", "conformance/test_cribbage.py": "openspiel", "conformance/test_draughts.py": "oracles",
    "conformance/test_files.py": "oracles", "conformance/test_gin_rummy.py": "openspiel",
    "conformance/test_hanabi.py": "openspiel", "conformance/test_hearts.py": "openspiel", "conformance/test_liars_dice.py": "openspiel",
    "conformance/test_limit_holdem.py": "openspiel",
    "conformance/test_library.py": "openspiel", "conformance/test_notation.py": "oracles", "conformance/test_yacht.py": "openspiel",
    "editor": "lsp", "lab/test_balance.py": "balance", "lab/test_cluster.py": "cluster", "lab/test_comparison_errors.py": "lab",
    "lab/test_report.py": "lab", "project/test_peers.py": "pettingzoo", "web": "web",
}


def is_installed(extra: str) -> bool:
    """Whether the packages of an extra are installed."""
    return find_spec(MODULES[extra]) is not None


def list_missing() -> list[str]:
    """Returns the names of the extras that are not installed."""
    return [extra for extra in MODULES if not is_installed(extra)]

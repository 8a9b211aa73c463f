"""Which tests are too slow for every commit: `slow.txt`, written by `pytest --weigh`.

    .venv/bin/python -m pytest --weigh                            # adds what has become slow
    .venv/bin/python -m pytest --weigh -m "long or not long"      # weighs everything again

Of the tests that run, those that take more than `LIMIT` seconds of processor, with what they start, are listed, and the others no longer;
of the tests that do not run nothing changes. What is listed is marked `long`: CI runs it, a commit need not. Seconds of processor and not
of the clock, so that a busy machine weighs as a quiet one does.
"""

from __future__ import annotations

from pathlib import Path

LIST = Path(__file__).parent / "slow.txt"
LIMIT = 0.07
WEIGHT = "seconds of processor"                                    # under this name a report carries what its test took

seen: dict[str, float] = {}                                        # in this run, by the name of the test


def slow() -> set[str]:
    """The names of the tests that are listed, as pytest writes them."""
    return set(LIST.read_text(encoding="utf-8").splitlines()) if LIST.exists() else set()


def write() -> None:
    """Lists what this run has found slow, and strikes off what it has not."""
    listed = slow() - set(seen) | {name for name, weight in seen.items() if weight > LIMIT}
    LIST.write_text("".join(f"{name}\n" for name in sorted(listed)), encoding="utf-8")

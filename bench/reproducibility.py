"""Checks that a game is the same everywhere: `python bench/reproducibility.py [--python /usr/bin/python3.13 ...] [--games hex,go]
[--decisions 30]`.

Plays the beginning of every game with a fixed generator, in this Python and in each Python that you name. It hashes everything that is
visible: positions, moves, questions and moves in four languages, views, tables, logs, standings, and the choice of a bot. The environments
differ in hash seed, locale, time zone, width of the terminal, and `-O`, none of which may change anything. One locale is Turkish, whose
small i has no dot, if `localedef` can make it. There must be only one hash. Each Python needs the dependencies of Ludoglot.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
LANGUAGES = ("en", "it", "es", "hu")
TURKISH = "tr_TR.UTF-8"
SURROUNDINGS = [
    ("0", "C", "UTC", [], "80"), ("1", TURKISH, "Pacific/Kiritimati", [], "200"), ("77", "C.UTF-8", "America/St_Johns", ["-O"], "41"),
    ("random", "POSIX", "Asia/Kathmandu", ["-X", "utf8=0"], "0")]
BOT = 4000                           # a bot is asked up to this product of moves and decisions


def played(names: list[str], decisions: int) -> dict[str, str]:
    """Returns a hash for each game, over everything that is visible in its beginning."""
    import locale

    from ludoglot.engine.api import load
    from ludoglot.engine.bots.greedy import BOTS
    from ludoglot.engine.bots.rng import decision_rng
    from ludoglot.engine.library.find import list_game_ids
    locale.setlocale(locale.LC_ALL, "")
    found = {}
    for name in names or list_game_ids():
        match, seen, state = load(name).start(seed=2026), hashlib.sha256(), 88172645463325252
        for n in range(decisions):
            if match.over:
                break
            lang, options = LANGUAGES[n % 4], match.options
            said = [match.digest(), match.question(lang), match.decision, [one.spelling for one in options],
                    match.view(n % len(match.seats())), [match.words(one, lang) for one in options[:20]]]
            if n % 8 == 0:
                said.append(match.table(lang, seat=0))
            if n == 2 and len(options) < 40:
                said.append(BOTS["greedy"](match.position, match.seat or 0, decision_rng(1, 0, 1)))
            seen.update(json.dumps(said, ensure_ascii=False).encode())
            state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            match.play(options[(state >> 33) % len(options)])
        ranks = [(rank.seat, rank.rank, str(rank.values)) for rank in match.standing]
        seen.update(json.dumps([match.log(lang) for lang in LANGUAGES] + ranks, ensure_ascii=False).encode())
        found[name] = seen.hexdigest()[:16]
    return found


def in_surroundings(python: str, place: Path, which: tuple[str, str, str, list[str], str], more: list[str]) -> dict[str, str]:
    """Returns the hashes that a separate Python computes in an environment."""
    seed, language, zone, flags, columns = which
    environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": language, "TZ": zone, "COLUMNS": columns, "LOCPATH": str(place),
                   "PYTHONPATH": str(ROOT / ".typing"), "LUDOGLOT_CACHE": str(place / "cache")}
    done = subprocess.run([python, *flags, __file__, "--alone", *more], env=environment, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"{python} {which}: {done.stderr[-2000:]}")
    found: dict[str, str] = json.loads(done.stdout)
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--python", action="append", default=[])
    arguments.add_argument("--games", default="")
    arguments.add_argument("--decisions", type=int, default=30)
    arguments.add_argument("--alone", action="store_true", help="only here; print the hashes")
    given = arguments.parse_args()
    if given.alone:
        print(json.dumps(played(given.games.split(",") if given.games else [], given.decisions)))
        return
    more, all_found = ["--games", given.games, "--decisions", str(given.decisions)], []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        turkish = shutil.which("localedef") is not None and subprocess.run(
            ["localedef", "-i", "tr_TR", "-f", "UTF-8", str(place / TURKISH)], capture_output=True).returncode == 0
        for python in [sys.executable, *given.python]:
            version = subprocess.run([python, "-V"], capture_output=True, text=True).stdout.strip()
            for which in SURROUNDINGS:
                if which[1] == TURKISH and not turkish:
                    print(f"{version}: no Turkish locale here")
                    which = (which[0], "C.UTF-8", *which[2:])
                found = in_surroundings(python, place, which, more)
                whole = hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16]
                all_found.append(found)
                flags = f", {' '.join(which[3])}" if which[3] else ""
                print(f"{version}, hash seed {which[0]}, {which[1]}, {which[2]}{flags}: {len(found)} games, {whole}", flush=True)
    for name in all_found[0]:
        if len({found[name] for found in all_found}) > 1:
            print(f"  ! {name} is not the same everywhere: {[found[name] for found in all_found]}")
    same = all(found == all_found[0] for found in all_found)
    print(f"{len(all_found)} surroundings, {'one hash' if same else 'NOT one hash'}")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()

"""`ludoglot play`: people at this screen, bots, or both; and going on with a saved game."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ..words.languages import LANGUAGES, known_language
from .frame import Names, Number, argument, command, house_option, json_option, lang_option, near, option
from .voice import Refusal, Usage, Voice

PATIENCE = 1.0                       # seconds after which bots that play among themselves are reported on
LAST = "\0last"                      # `--resume` without a file


@command("play")
@argument("game", required=False)
@option("--players", type=Number(1), word="number")
@option("--seats", type=Names(), word="list")
@option("--names", type=Names(), word="list")
@option("--langs", type=Names(), word="list")
@option("--option", "settings", multiple=True, word="setting")
@house_option
@option("--seed", type=Number(), word="number")
@option("--save", "save_as", word="file")
@option("--resume", is_flag=False, flag_value=LAST, word="file")
@option("--max-rounds", type=Number(1), word="number")
@option("--no-auto", is_flag=True)
@option("--plain", is_flag=True)
@json_option
@lang_option
@click.pass_obj
def play_command(voice: Voice, game: str | None, resume: str | None, **given: Any) -> int:
    if resume is not None:
        return go_on(voice, resume, given["max_rounds"], given["as_json"], given["plain"])
    if game is None:
        raise Usage("cli.missing", name=voice.text("cli.metavar.game"))
    return begin(voice, game, **given)


def begin(voice: Voice, game: str, players: int | None, seats: list[str] | None, names: list[str] | None, langs: list[str] | None,
          settings: tuple[str, ...], houses: tuple[str, ...], seed: int | None, save_as: str | None, max_rounds: int | None,
          no_auto: bool, plain: bool, as_json: bool) -> int:
    """A new game from the command line's wishes."""
    from ..saves import Setup, house_entry, new_save_path
    from ..table import HUMAN, Table
    from .loading import load_game, settings_from
    if seats is not None:
        check_seats(seats)
        players = players or len(seats)
    loaded = load_game(voice, game, players or (len(names) if names else None), settings_from(settings), map(Path, houses))
    count = loaded.game.players
    seats = seats if seats is not None else [HUMAN, *["bot:greedy"] * (count - 1)]
    for given in (seats, names or [], langs or []):
        if len(given) > count or given is seats and len(given) < count:
            raise Usage("usage.seats", given=len(given), wanted=count)
    langs = check_langs(langs or [])
    if as_json and HUMAN in seats:
        raise Usage("usage.json_needs_bots")
    house = [{**house_entry(path), "name": name} for path, name in zip(loaded.houses, loaded.house_names)]
    named = game if loaded.found.name == loaded.game.ruleset.id else str(loaded.found.folder.resolve())
    setup = Setup(named, count, seed if seed is not None else any_seed(), dict(loaded.game.ruleset.settings), house,
                  pad(names or [], count), list(seats), pad(langs, count), auto=not no_auto)
    path = Path(save_as) if save_as else new_save_path(loaded.game.ruleset.id) if HUMAN in seats else None
    try:
        table = Table.new(loaded.game, setup, path)
    except OSError as error:
        raise Refusal("file.unwritable", file=str(path), reason=error.strerror or "") from error
    return at_table(voice, table, loaded, max_rounds, as_json, plain)


def go_on(voice: Voice, resume: str, max_rounds: int | None, as_json: bool, plain: bool = False) -> int:
    """A saved game from where it stopped."""
    from ..saves import SaveFault, last_save
    from ..table import Table
    from .replay import load_saved
    path = last_save() if resume == LAST else Path(resume)
    if path is None:
        raise Refusal("save.nothing")
    loaded = load_saved(voice, path)
    try:
        table = Table.resume(loaded.game, path)
    except SaveFault as error:
        raise Refusal(error.key, **error.args_) from error
    if not as_json:
        voice.warn(voice.text("save.resumed", file=str(path)))
    return at_table(voice, table, loaded, max_rounds, as_json, plain)


def at_table(voice: Voice, table: Any, loaded: Any, max_rounds: int | None, as_json: bool, plain: bool = False) -> int:
    """Play on to the end, to a person's leaving, or to the last round asked for."""
    from ..position import RuleError
    from .loading import show_fault
    try:
        if table.humans:
            from .loading import warn_of_table
            from .session import Session
            warn_of_table(voice, loaded)
            return Session(voice, table, loaded, max_rounds, plain).run()
        with watching(voice, table) as watch:
            for _ in table.settle(max_rounds):
                watch()
    except RuleError as error:
        show_fault(voice, error.diagnostic)
        return 1
    finally:
        if table.save is not None:
            table.save.close()
    if as_json:
        voice.data(summary(table, max_rounds))
    else:
        for line in standing_lines(table, loaded, voice.lang, max_rounds):
            voice.out(line)
    return 0


@contextmanager
def watching(voice: Voice, table: Any) -> Iterator[Callable[[], None]]:
    """While bots play among themselves: how far they are, on a terminal and only when it takes long. To be called at each decision."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    began, console = time.monotonic(), Console(stderr=True)
    status = console.status("")

    def watch() -> None:
        if len(table.steps) % 10 == 0 and time.monotonic() - began > PATIENCE:
            status.update(voice.text("play.progress", number=table.position.rounds, n=table.asked))
            status.start()
    try:
        yield watch
    finally:
        status.stop()


def summary(table: Any, max_rounds: int | None) -> dict[str, Any]:
    """What `play --json` prints: the same for the same rules, seed and bots, on every machine and in every language."""
    setup, position = table.setup, table.position
    members = position.game.model.enums["Player"].members
    rounds = position.rounds if max_rounds is None else min(position.rounds, max_rounds)
    standing = [{"seat": rank.seat, "name": setup.names[rank.seat] or members[rank.seat], "score": rank.values[0], "rank": rank.rank}
                for rank in position.standing()]
    house = [{"name": entry["name"], "hash": entry["hash"]} for entry in setup.house]
    return {"game": position.game.ruleset.id, "options": setup.options, "house": house,
            "seed": setup.seed, "players": setup.players, "decisions": table.asked, "rounds": rounds, "finished": position.over,
            "standing": standing, "hash": position.digest()}


def standing_lines(table: Any, loaded: Any, lang: str, max_rounds: int | None = None) -> list[str]:
    """The standing in words, with who has won or how far the game went."""
    from ..telling import Teller
    words = loaded.words(lang)
    teller = Teller(loaded.game, words, table.setup.names)
    ranks = table.position.standing()
    scored = any(value not in (0, 1) for rank in ranks for value in rank.values[:1])
    lines = []
    if not table.over:
        lines.append(words.text("play.stopped", n=min(table.position.rounds, max_rounds or table.position.rounds)))
    lines.append(words.text("result.standing"))
    for rank in ranks:
        if scored:
            lines.append(words.text("result.rank", rank=rank.rank, who=teller.name(rank.seat), score=rank.values[0]))
        else:
            lines.append(words.text("result.rank_only", rank=rank.rank, who=teller.name(rank.seat)))
    first = [teller.who(rank.seat) for rank in ranks if rank.rank == 1]
    if table.over:
        if len(first) == 1:
            lines.append(words.text("result.winner", who=first[0]))
        elif len(first) == len(ranks) and not scored:
            lines.append(words.text("result.drawn"))
        else:
            lines.append(words.text("result.shared", who=first))
    return lines


def check_seats(seats: list[str]) -> None:
    """Whether each is a person or a bot we have."""
    from ..bots import BOTS
    known = ["human", *(f"bot:{name}" for name in BOTS)]
    for seat in seats:
        if seat not in known:
            raise Usage("usage.bot", name=seat, bots=known, meant=near(seat, known))


def check_langs(langs: list[str]) -> list[str]:
    for lang in langs:
        if lang and known_language(lang) is None:
            raise Usage("usage.language", name=lang, languages=", ".join(LANGUAGES))
    return [known_language(lang) or "" if lang else "" for lang in langs]


def pad(texts: list[str], count: int) -> list[str]:
    return [*texts, *[""] * (count - len(texts))]


def any_seed() -> int:
    """A seed for somebody who does not care which."""
    import secrets
    return secrets.randbelow(1 << 32)

"""`ludoglot replay`: a saved game told again, or played again and compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from .frame import Number, argument, command, json_option, lang_option, option
from .loading import Loaded, find_game, load_game
from .voice import Refusal, Usage, Voice


@command("replay")
@argument("file")
@option("--verify", is_flag=True)
@option("--view", type=Number(0), word="seat")
@json_option
@lang_option
@click.pass_obj
def replay_command(voice: Voice, file: str, verify: bool, view: int | None, as_json: bool) -> int:
    from ..saves import SaveFault, read_save
    from ..table import Table
    from ..telling import Teller
    from .play import standing_lines, summary
    path = Path(file)
    loaded = load_saved(voice, path)
    setup, lines, _ = read_save(path)
    if view is not None and view >= setup.players:
        raise Usage("usage.seat", given=view, last=setup.players - 1)
    table = Table(loaded.game, setup)
    table.keep = True
    teller = Teller(loaded.game, loaded.words(voice.lang), setup.names)
    quiet = verify or as_json
    for said in map(teller.told, table.opening):
        if said and not quiet:
            voice.out(said)
    rounds = 0
    for n, line in enumerate(lines, start=1):
        if table.position.rounds != rounds and not quiet:
            rounds = table.position.rounds
            voice.out()
            voice.out(teller.words.text("play.round", number=rounds))
        try:
            step = table.retake(line, n)
        except SaveFault as error:
            raise Refusal(error.key, **error.args_) from error
        for said in [] if quiet else teller.story(step, view):
            voice.out(said)
    if as_json:
        voice.data({**summary(table, None), "verified": len(lines)})
    elif verify:
        voice.say("replay.verified", n=len(lines))
    elif table.over:
        voice.out()
        for said in standing_lines(table, loaded, voice.lang):
            voice.out(said)
    return 0


def load_saved(voice: Voice, path: Path, game: str | None = None, houses: Sequence[Path] = ()) -> Loaded:
    """The rules of a save, house rules included: the very same as those it was played with. `game` and `houses` say where they lie now, if
    they have moved. Raises Usage and Refusal."""
    from ..find import UnknownGame, find
    from ..saves import SaveFault, house_entry, read_save
    try:
        setup, _, _ = read_save(path)
    except SaveFault as error:
        kind = Usage if error.key == "file.missing" else Refusal
        raise kind(error.key, **error.args_) from error
    packs = list(houses) or [Path(entry["path"]) for entry in setup.house]
    elsewhere = voice.text("cli.metavar.path")
    try:
        find(setup.game) if game is None else find_game(game)
    except UnknownGame:
        command = f"ludoglot play {elsewhere} --resume {path}"
        raise Refusal("save.game_missing", file=str(path), game=setup.game, command=command) from None
    for entry, pack in [] if houses else zip(setup.house, packs):
        if not pack.exists():
            command = f"ludoglot play --resume {path} --house {elsewhere}"
            raise Refusal("save.house_missing", file=str(path), name=entry["name"], path=entry["path"], command=command)
    settings = {name: str(value) for name, value in setup.options.items()}
    try:
        loaded = load_game(voice, game or setup.game, setup.players, settings, packs)
    except Usage as error:
        if error.key == "file.missing":
            raise
        raise Refusal("save.other_rules", file=str(path)) from error
    if loaded.game.meaning == setup.rules:
        return loaded
    changed = [entry["name"] for entry, pack in zip(setup.house, packs) if not houses and house_entry(pack)["hash"] != entry.get("hash")]
    if changed:
        raise Refusal("save.house_changed", file=str(path), names=changed)
    raise Refusal("save.other_rules", file=str(path))

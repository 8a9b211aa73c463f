"""`ludoglot replay`: a saved game told again, or played again and compared."""

from __future__ import annotations

from pathlib import Path

import click

from .frame import Number, argument, command, json_option, lang_option, option
from .loading import Loaded, load_game
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
    from ..scoring import breakdown
    from ..table import Table
    from ..telling import Teller
    from .play import summary
    from .standing import breakdown_lines, standing_lines
    path = Path(file)
    loaded = load_saved(voice, path)
    setup, lines, _ = read_save(path)
    if setup.rules != loaded.game.meaning:
        raise Refusal("save.other_rules", file=file)
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
        parts = [{"seat": part.seat, "source": part.source, "points": part.points} for part in breakdown(table, teller.words.has)]
        voice.data({**summary(table, None), "verified": len(lines), "breakdown": parts})
    elif verify:
        voice.say("replay.verified", n=len(lines))
    elif table.over:
        voice.out()
        for said in [*standing_lines(table, loaded, voice.lang), *breakdown_lines(table, loaded, teller, voice.width)]:
            voice.out(said)
    return 0


def load_saved(voice: Voice, path: Path) -> Loaded:
    """The rules of a save, house rules included. Raises Usage and Refusal."""
    from ..saves import SaveFault, read_save
    try:
        setup, _, _ = read_save(path)
    except SaveFault as error:
        kind = Usage if error.key == "file.missing" else Refusal
        raise kind(error.key, **error.args_) from error
    settings = {name: str(value) for name, value in setup.options.items()}
    return load_game(voice, setup.game, setup.players, settings, [Path(entry["path"]) for entry in setup.house])

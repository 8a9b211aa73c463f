"""The pages before a game: the list of games, the setup of a table, its invite links, and the password."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ...dsl.diagnostics.diagnostic import RulesRejectedError
from ...dsl.diagnostics.sanitize import sanitize
from ..bots.greedy import BOTS
from ..errors import MessageError
from ..i18n import LANGUAGES, Localizer, ProperName, engine_localizer
from ..library.find import UnknownGameError, list_game_ids
from ..match.save_reader import parse_save
from ..match.setup import HUMAN, MatchSetup, SavedDecision
from ..position.position import RuleError
from ..position.seeds import new_secret_seed
from .game_list import GameEntry, describe, view_game, words_of
from .live_match import is_seat_kind
from .own_tables import OwnTable, list_own_tables
from .seat_names import number_names
from .security import PASS_COOKIE, client_address, is_loopback, is_same_token, read_form, read_upload
from .site import Site, redirect
from .storage import SeatRecord, TableRecord

MAX_NAME_CHARS = 40
LAN_COMMAND = "ludoglot serve --host 0.0.0.0"
MAX_UNFOLDED_OPTIONS = 3                    # more of them are details of the rules that few people change


@dataclass(frozen=True)
class OptionChoice:
    """An option of a game, with its values and their texts."""

    name: str
    title: str
    values: list[tuple[str, str]]
    default: str


def site_of(request: Request) -> Site:
    """Returns the server of a request."""
    site: Site = request.app.state.site
    return site


def view_options(entry: dict[str, Any], words: Localizer) -> list[OptionChoice]:
    """Returns the options of a game in the language of its compiled rules."""
    return [OptionChoice(name, words.text_or(f"variant.{name}.name", name),
                         [(spell(value), words.option_value_text(name, value)) for value in raw["values"]], spell(raw["default"]))
            for name, raw in entry["options"].items()]


def name_partners(teams: Sequence[Sequence[int]], words: Localizer) -> list[str]:
    """Returns the names of the partners of each seat. They are "" if there are none, or if all players are partners."""
    return [words.list([words.text("seat.name", seat=other + 1) for other in team if other != seat]) if 1 < len(team) < len(teams) else ""
            for seat, team in enumerate(teams)]


def spell(value: object) -> str:
    """Returns the spelling of an option's value."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---------------------------------------------------------------- the list of games, and the password


async def show_lobby(request: Request) -> Response:
    """Shows the games."""
    site = site_of(request)
    if not site.knows_password(request):
        return redirect("/password")
    lang = site.language(request)

    def view() -> tuple[list[GameEntry], list[OwnTable]]:
        return list_games(site, lang), list_own_tables(site, request, lang)
    games, own = await run_in_threadpool(view)
    return site.render(request, "lobby.html", engine_localizer(lang), games=games, own=own)


def list_games(site: Site, lang: str) -> list[GameEntry]:
    """Returns the games in the order of their names. Kept until other games are installed."""
    key = (lang, *list_game_ids())
    found = site.games.get(key)
    if found is None:
        if len(site.games) >= len(LANGUAGES):
            site.games.clear()
        games = (view_game(site, describe(game), lang) for game in key[1:])
        found = site.games[key] = sorted(games, key=lambda game: game.title.casefold())
    return found


async def show_password(request: Request) -> Response:
    """Asks for the password of the server. People who were invited find their tables without it."""
    site = site_of(request)
    return await render_password(site, request)


async def render_password(site: Site, request: Request, message: str = "", status: int = 200) -> Response:
    """Returns the form for the password."""
    lang = site.language(request)
    own = await run_in_threadpool(list_own_tables, site, request, lang)
    return site.render(request, "password.html", engine_localizer(lang), status, message=message, own=own)


async def enter_password(request: Request) -> Response:
    """Checks the password of the server."""
    site = site_of(request)
    fields = await read_form(request, site.secret)
    if not site.passwords.allows(client_address(request)):
        raise HTTPException(429)
    if not is_same_token(fields.get("password", ""), site.password):
        words = engine_localizer(site.language(request))
        return await render_password(site, request, words.text("web.password.wrong"), 403)
    answer = redirect("/")
    site.set_cookie(request, answer, PASS_COOKIE, site.password_token)
    return answer


# ---------------------------------------------------------------- a new table


async def show_new(request: Request) -> Response:
    """Shows the form for a new table."""
    site = site_of(request)
    if not site.knows_password(request):
        return redirect("/password")
    entry = describe(request.path_params["game"])
    return await render_new(site, request, entry, read_count(request.query_params.get("players", ""), entry), {})


async def render_new(site: Site, request: Request, entry: dict[str, Any], count: int, typed: Mapping[str, str], message: str = "",
                     status: int = 200) -> Response:
    """Returns the form for a new table, with the values of the fields in `typed`."""
    lang = site.language(request)

    def view() -> tuple[GameEntry, list[OptionChoice], list[tuple[str, str]], list[str]]:
        loaded, lock = site.store.rules.load(entry["id"], count, {})
        with lock:
            game, options = view_game(site, entry, lang), view_options(entry, loaded.localizer(lang))
            partners = name_partners(loaded.game.partners, loaded.localizer(lang))
        return game, options, [(pack.name, pack.description_in(lang)) for pack in site.store.rules.list_packs(entry["id"])], partners
    game, options, packs, partners = await run_in_threadpool(view)
    is_changed = any(typed.get(f"option.{option.name}", option.default) != option.default for option in options)
    return site.render(request, "new.html", engine_localizer(lang), status, game=game, counts=range(game.low, game.high + 1), count=count,
                       options=options, packs=packs, partners=partners, bots=list(BOTS), max_name=MAX_NAME_CHARS, message=message,
                       typed=typed, max_options=MAX_UNFOLDED_OPTIONS, changed=is_changed)


def read_count(typed: str, entry: dict[str, Any]) -> int:
    """Returns the number of players that was chosen, or two, or the nearest number that the game allows."""
    low, high = entry["players"]
    wanted = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else 2
    return int(min(high, max(low, wanted)))


async def create_table(request: Request) -> Response:
    """Creates a table, and leads to its invite links. If only the number of players changes, shows the form again."""
    site = site_of(request)
    fields = await read_form(request, site.secret)
    if not site.knows_password(request):
        raise HTTPException(403)
    entry = describe(request.path_params["game"])
    count, lang = read_count(fields.get("players", ""), entry), site.language(request)
    if "change" in fields:
        return await render_new(site, request, entry, count, fields)
    if not site.new_tables.allows(client_address(request)):
        raise HTTPException(429)
    setup = read_setup(fields, entry, count, lang)
    chosen = [name.removeprefix("pack.") for name in fields if name.startswith("pack.")]
    try:
        setup.house = await run_in_threadpool(site.store.rules.choose_packs, entry["id"], chosen)
        return await open_table(site, request, setup, "spectators" in fields)
    except MessageError as error:
        return await render_new(site, request, entry, count, fields, engine_localizer(lang).message(error.key, **error.params), 400)


class TableError(MessageError):
    """A table that cannot be created."""


async def open_table(site: Site, request: Request, setup: MatchSetup, spectators: bool,
                     decisions: Sequence[SavedDecision] | None = None) -> Response:
    """Creates a table, and returns the way to its invite links. Raises TableError."""
    if HUMAN not in setup.seats:
        raise TableError("web.new.all_bots")
    try:
        record = await run_in_threadpool(site.store.create, setup, spectators, decisions)
    except RulesRejectedError:
        raise TableError("web.packs.rejected") from None
    except RuleError:
        raise TableError("web.fault") from None
    site.bots.wake(record.id, client_address(request))
    return redirect(record.host_path)


async def upload_save(request: Request) -> Response:
    """Creates a table that continues a save, and leads to its invite links."""
    site = site_of(request)
    if not site.knows_password(request):
        raise HTTPException(403)
    if (address := client_address(request)) in site.uploading:
        raise HTTPException(429, "web.upload.busy")
    site.uploading.add(address)
    try:
        return await continue_save(request, site, *await read_upload(request, site.secret))
    finally:
        site.uploading.discard(address)


async def continue_save(request: Request, site: Site, name: str, raw: bytes) -> Response:
    """Creates a table that continues the save in an uploaded file."""
    if not site.new_tables.allows(client_address(request)):
        raise HTTPException(429)
    try:
        contents = await run_in_threadpool(parse_save, Path(sanitize(name)), raw)
        setup = contents.setup
        if setup.game not in list_game_ids():
            raise UnknownGameError("usage.game", name=setup.game)
        setup.names = number_names([read_name(one) for one in setup.names])
        setup.seats = [kind if is_seat_kind(kind) else HUMAN for kind in setup.seats]
        setup.house = await run_in_threadpool(site.store.rules.match_packs, setup.game, setup.house)
        return await open_table(site, request, setup, False, contents.lines)
    except MessageError as error:
        return site.render_message(request, error.key, 400, **error.params)


def read_setup(fields: dict[str, str], entry: dict[str, Any], count: int, lang: str) -> MatchSetup:
    """Returns the setup that a form describes. Raises HTTPException."""
    kinds = [fields.get(f"kind{n}", HUMAN) for n in range(count)]
    langs = [fields.get(f"lang{n}", "") for n in range(count)]
    if not all(map(is_seat_kind, kinds)) or not all(code in ("", *LANGUAGES) for code in langs):
        raise HTTPException(400)
    options = {}
    for name, raw in entry["options"].items():
        value = fields.get(f"option.{name}", spell(raw["default"]))
        if value not in map(spell, raw["values"]):
            raise HTTPException(400)
        options[name] = value
    names = number_names([read_name(fields.get(f"name{n}", "")) for n in range(count)])
    return MatchSetup(entry["id"], count, new_secret_seed(), options, names=names, seats=kinds, langs=langs, lang=lang)


def read_name(typed: str) -> str:
    """Returns a player's name as it is stored."""
    return clean_line(typed, MAX_NAME_CHARS)


def clean_line(typed: str, limit: int) -> str:
    """Returns a text of a stranger as one line, without invisible characters and not too long."""
    return " ".join("".join(c if c.isprintable() else " " for c in typed).split())[:limit]


# ---------------------------------------------------------------- invite links


async def read_hosted(request: Request) -> TableRecord:
    """Returns the table whose host the browser is. Raises HTTPException."""
    site = site_of(request)
    record = await run_in_threadpool(site.storage.read_table, request.path_params["table"])
    if record is None or not is_same_token(request.path_params["token"], record.host_token):
        raise HTTPException(404)
    return record


async def show_host(request: Request) -> Response:
    """Shows the invite links of a table to its host."""
    site, record = site_of(request), await read_hosted(request)
    lang = site.language(request)
    words = words_of(describe(record.setup.game), lang)

    def read_more() -> tuple[bool, str]:
        found = site.people.find_rematch(record.id)
        following = site.storage.read_table(found.next_id) if found is not None else None
        return site.people.read_messages(record, site.people.chat_revision(record)) is not None, following.host_path if following else ""
    chat, next_host = await run_in_threadpool(read_more)

    def name(seat: int) -> str:
        return record.seats[seat].name or words.text("seat.name", seat=seat + 1)
    def link(seat: SeatRecord) -> str:
        return site.link(request, f"/table/{record.id}/{seat.seat + 1}/join/{seat.token}")
    seats = [{"number": seat.seat, "name": name(seat.seat), "who": ProperName(name(seat.seat)), "taken": seat.taken, "link": link(seat),
              "stand_in": seat.seat in record.stand_ins,
              "bot": "" if seat.is_human else seat.kind.removeprefix("bot:")}
             for seat in record.seats]
    watch = site.link(request, f"/table/{record.id}/watch") if record.spectators else ""
    return site.render(request, "host.html", words, game=words.text("game.name"), seats=seats, table=record.id, token=record.host_token,
                       bots=list(BOTS), chat=chat, next_host=next_host, watch=watch,
                       local_command=LAN_COMMAND if is_loopback(urlsplit(site.link(request, "")).hostname or "") else "")


async def free_seat(request: Request) -> Response:
    """Gives a seat a new invite link."""
    site = site_of(request)
    fields = await read_form(request, site.secret)
    record = await read_hosted(request)
    if (number := fields.get("seat", "")) not in [str(seat.seat) for seat in record.seats]:
        raise HTTPException(400)
    await run_in_threadpool(site.storage.free_seat, record.id, int(number))
    site.changed(record.id, request)
    return redirect(record.host_path)

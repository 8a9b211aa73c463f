"""Reads game files in the styles of other programs (file_styles.py).

Each file leads to the final position of the independent engine, or a sentence rejects it. A damaged file is never silently read as a
shorter game.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections import Counter
from functools import cache

import pytest
from ludoglot.engine.notation import NotationError, load_notation
from ludoglot.engine.notation.game_record import GameRecordNotation
from ludoglot.engine.notation.match_notation import read_game_options, read_game_text
from ludoglot.engine.notation.playback import ReplayedRecord
from ludoglot.engine.notation.position_line import PositionNotation, set_up_game
from ludoglot.engine.notation.sgf import parse_nodes
from ludoglot.engine.position.position import Game, Position
from shared_games import shared

from .file_styles import CHESS_STYLES, DRAUGHTS_VARIANTS, WrittenGame, generate_chess_game, generate_draughts_game, generate_go_game
from .test_notation import parse_fen_squares

DAMAGE_CHARACTERS = 'abeh18KNQx-=+#0O.… \n{}()[];%$*"\\:WB½…é\0'


def replay_to_end(game: Game, found: ReplayedRecord) -> Position:
    """Returns the position after a written game."""
    position = set_up_game(game, found.start, 1)
    for option in found.options:
        assert position.decision is not None
        position.play(position.decision.seat, option)
    return position


def read_chess_game(seed: int, style: str) -> str:
    """Reads a random game of chess. Returns the outcome."""
    written, game = generate_chess_game(seed, style), shared("chess", 2)
    found = read_game_text(game, written.text, 1)
    keys = [key for key, _ in found.notes]
    if "notation.ended_before" in keys:
        return "told"
    last = (1 if str(written.end).split()[1] == "w" else 0)
    shown = PositionNotation(game, load_notation(game)).write(replay_to_end(game, found), 1, 1 - last)
    assert shown.split()[:3] == str(written.end).split()[:3], written.text
    return "went on" if keys else "read"


def read_draughts_game(seed: int, name: str) -> str:
    """Reads a random game of draughts. Returns the outcome."""
    written, game = generate_draughts_game(seed, name), shared(name, 2)
    try:
        found = read_game_text(game, written.text, 1)
    except NotationError as error:
        assert error.key == "notation.several", (error.key, error.params, written.text)
        return "refused"
    position, keys = replay_to_end(game, found), [key for key, _ in found.notes if key in ("notation.ended_before", "notation.went_on")]
    if "notation.ended_before" in keys:
        return "told"
    seat = game.model.enums["Player"].members.index({"W": "white", "B": "black"}[str(written.end)[0]])
    shown = PositionNotation(game, load_notation(game)).write(position, 1, seat)
    assert parse_fen_squares(shown) == parse_fen_squares(str(written.end)), written.text
    return "went on" if keys else "read"


@cache
def load_go(size: str, handicap: str = "0") -> Game:
    chosen, usual = {"points_a_side": size, "handicap": handicap}, {"points_a_side": "9", "handicap": "0"}
    return shared("go", 2, {name: value for name, value in chosen.items() if value != usual[name]})


def read_go_game(seed: int) -> str:
    """Reads a random game of go. Returns the outcome."""
    written = generate_go_game(seed)
    try:
        options = read_game_options(load_go("9"), written.text)
        game = load_go(options.get("points_a_side", "9"), options.get("handicap", "0"))
        found = read_game_text(game, written.text, 1)
    except NotationError as error:
        assert written.end is None, (error.key, written)
        assert error.key in ("notation.other_statement", "notation.other_number", "notation.sets_up", "notation.other_mover")
        return "refused"
    assert written.end is not None and len(found.options) == written.moves
    assert draw_board(game, replay_to_end(game, found)) == written.end, written.text
    return "read"


def draw_board(game: Game, position: Position) -> list[str]:
    """Returns the stones of a position, row by row from the top."""
    signs = {"none": "+", "black": "X", "white": "O"}
    size = int(len(game.model.enums["Cell"].members) ** 0.5)
    stones = {cell: game.spell(game.cells["stone"].state.type, position.raw_at(game.cells["stone"], [n]))
              for n, cell in enumerate(game.model.enums["Cell"].members)}
    return ["".join(signs[stones[f"{chr(97 + column)}{row}"]] for column in range(size)) for row in range(size, 0, -1)]


@pytest.mark.long
@pytest.mark.parametrize("style", CHESS_STYLES)
def test_chess_games_are_read_in_every_style(style: str):
    assert read_chess_game(1, style) in ("read", "went on")


@pytest.mark.long
@pytest.mark.parametrize("name", DRAUGHTS_VARIANTS)
def test_draughts_games_are_read_in_tournament_layouts(name: str):
    assert "read" in {read_draughts_game(seed, name) for seed in range(2)}


@pytest.mark.long
def test_go_games_are_read_with_their_root_properties():
    assert set(Counter(read_go_game(seed) for seed in range(12))) == {"read", "refused"}


@pytest.mark.long
@pytest.mark.parametrize("style", CHESS_STYLES)
def test_many_chess_games_are_read(style: str):
    found = Counter(read_chess_game(seed, style) for seed in range(8))
    assert found["read"] + found["went on"] + found["told"] == 8


# ---------------------------------------------------------------- variants that the standards allow


def read_end(name: str, text: str, **options: str) -> tuple[str, ReplayedRecord]:
    """Returns the final position of a file on one line, and the game."""
    game = shared(name, 2, options)
    found = read_game_text(game, text, 1)
    position, seat = replay_to_end(game, found), found.options and count_moves(game, found) % 2 or 0
    return PositionNotation(game, load_notation(game)).write(position, 1, seat), found


def get_rejection_key(name: str, text: str, **options: str) -> str:
    """Returns the key of the message that rejects a file."""
    with pytest.raises(NotationError) as error:
        read_game_text(shared(name, 2, options), text, 1)
    return error.value.key


RESULTS = ["1-0", "0-1", "1/2-1/2", "½-½", "2-0", "0-2", "1-1", "0-0", "*", "1 - 0", "1/2 - 1/2", "0–1"]


@pytest.mark.long_cases("english-draughts-1. 11-15 23-19-0\\u20131")
@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize(("name", "moves"), [
    ("chess", "1. e4 e5"), ("international-draughts", "1. 32-28 18-23"), ("english-draughts", "1. 11-15 23-19")])
def test_every_result_ends_the_moves(name: str, moves: str, result: str):
    tag = f'[Result "{result}"]\n\n'
    found = read_game_text(shared(name, 2), tag + moves + " " + result, 1)
    assert len(found.options) == 2 and not found.notes and not found.more
    again = read_game_text(shared(name, 2), f"{moves} {result}\n\n[White \"C\"]\n\n*", 1) if result != "0-0" or name != "chess" else None
    assert again is None or again.more and len(again.options) == 2


@pytest.mark.parametrize("before", [
    "{ copied from my notebook }\n", "; copied from my notebook\n", "% made by a program\n", "\ufeff", "{ [White \"C\"] }\n;x\n%y\n\n"])
@pytest.mark.parametrize("tags", ['[White "Ada"]\n[Result "*"]\n', '[White "Ada"] [Result "*"]\n', '[White "Ada "the rook" L."]\n',
                                  '[White-Title "GM"]\n[A "x ] y"]\n', ""])
def test_remarks_and_odd_tags_do_not_end_a_game(before: str, tags: str):
    _, found = read_end("chess", before + tags + "\n1. e4 e5 2. Nf3 *")
    assert len(found.options) == 3 and not found.more


@pytest.mark.long_cases("1. e4 * e5-notation.after_result")
@pytest.mark.parametrize(("text", "key"), [
    ('[White "Ada]\n[Black "Bea"]\n\n1. e4 *', "notation.bad_tag"),
    ("[White Ada]\n\n1. e4 *", "notation.bad_tag"),
    ('White "Ada"]\n[Black "Bea"]\n\n1. e4 *', "notation.stray"),
    ("1. e4 {no end e5 *", "notation.open_comment"),
    ("1. e4 (1. d4 e5 *", "notation.open_variation"),
    ('1. e4 (1. d4 e5 *\n\n[White "B"]\n\n1. d4 *', "notation.open_variation"),
    ("1. e4 ) e5 *", "notation.stray"),
    ("1. e4 * e5", "notation.after_result"),
    ("1. e4 e5 * 2. Nf3 *", "notation.after_result"),
    ("1. e4 e5 3. Nf3 *", "notation.misnumbered"),
    ('[SetUp "1"]\n\n1. e4 *', "notation.setup_missing"),
    ('[SetUp "0"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *', "notation.other_statement"),
    ('[Variant "Chess960"]\n\n1. e4 *', "notation.other_statement"),
    ("\n \n", "notation.empty"),
])
def test_unreadable_games_are_rejected(text: str, key: str):
    assert get_rejection_key("chess", text) == key


@pytest.mark.parametrize(("text", "key"), [
    ("(;GM[1]SZ[9];B[ee]", "notation.open_variation"), ("(;SZ[9];B[ee]))", "notation.stray"),
    ("(;SZ[9];B[ee]C[no end)", "notation.open_comment"),
    ("(;SZ[9];B[ee]);W[cc])", "notation.stray"), ("(;SZ[9];B[ee](;W[cc]);B[gg])", "notation.stray"), ("(;SZ[9];B;W[cc])", "notation.stray"),
    ("(;SZ[9];[ee])", "notation.stray"), ("(;GM[2])", "notation.other_statement"), ("(;SZ[15])", "notation.other_statement"),
    ("(;SZ[9:13])", "notation.other_statement"), ("(;SZ[19];B[ee])", "notation.other_option"), ("(;KM[0.5])", "notation.other_number"),
    ("(;SZ[9];B[ee];KM[0])", "notation.other_statement"), ("(;HA[2];B[cc];B[gg];W[ee])", "notation.other_option"),
    ("(;HA[12];B[cc])", "notation.other_statement"),
    ("(;RU[Japanese])", "notation.other_statement"), ("(;PL[W];W[ee])", "notation.other_mover"), ("(;B[ee];PL[B])", "notation.other_mover"),
    ("(;B[ee];AW[cc])", "notation.sets_up"), ("(;B[ee];AB[cc])", "notation.sets_up"), ("(;AB[cc])", "notation.placed_too_many"),
    ("(;B[];W[];B[cc])", "notation.over"), ("no tree", "notation.empty"),
    ("(B[aa]", "notation.no_root"), ("(B[aa];W[bb])", "notation.no_root"), (" ; B[aa]", "notation.no_root"),
    ("(SZ[9];B[aa])", "notation.no_root"), (";B[aa] (;SZ[9];B[ee])", "notation.no_root"),
])
def test_broken_or_unsupported_trees_are_rejected(text: str, key: str):
    assert get_rejection_key("go", text) == key


@pytest.mark.parametrize(("name", "text", "key"), [
    ("english-draughts", '[Variant "Russian"]\n\n1. 11-15 *', "notation.other_statement"),
    ("international-draughts", '[Variant "Frisian"]\n\n1. 32-28 *', "notation.other_statement"),
    ("international-draughts", '[Variant "Italian"]\n\n1. 21-17 *', "notation.other_option"),
    ("chess", '[Variant "Atomic"]\n\n1. e4 *', "notation.other_statement"),
])
def test_unsupported_variants_are_rejected(name: str, text: str, key: str):
    assert get_rejection_key(name, text) == key


@pytest.mark.parametrize(("name", "text"), [
    ("english-draughts", '[Variant "English draughts"]\n[GameType "21 , B, 8, 8"]\n\n1. 11-15 *'),
    ("international-draughts", '[Variant "International"]\n[FEN "W:W31-50:B1-20:H0:F1"]\n\n1. 32-28 *'),
    ("go", "(;SZ[9]KM[7,5]AB[]AW[];B[ee])"), ("go", "(;SZ[9]KM[7½];B[ee])"),
])
def test_matching_properties_can_have_other_spellings(name: str, text: str):
    game = load_go("9") if name == "go" else shared(name, 2)
    assert len(read_game_text(game, text, 1).options) == 1


@pytest.mark.parametrize("text", [
    "(;SZ[9]KM[7.50]HA[0]RU[Chinese]PL[B];B[cc];W[gg];PL[B];B[ee])", "notes before (;SZ[9:9]\n;B [cc]\n;W [gg] C[a [b\\] ;c] ;B[ee])",
    "(;SiZe[9]Komi[7.5];Black[cc];White[gg];Black[ee])", "Ada (White [5d]) lost (;SZ[9];B[cc];W[gg];B[ee])"])
def test_matching_properties_are_accepted(text: str):
    text = text.replace("SiZe", "SZ").replace("Komi", "KM")
    assert len(read_game_text(load_go("9"), text, 1).options) == 3


@pytest.mark.parametrize("stones", ["AB[cc][gg];W[ee]", "AB[gg]AB[cc]PL[W];W[ee]", ";B[cc];B[gg];W[ee]"])
def test_handicap_stones_are_placed_before_white_begins(stones: str):
    text = f"(;SZ[9]HA[2]{stones};B[])"
    assert read_game_options(load_go("9"), text) == {"points_a_side": "9", "handicap": "2"}
    game = load_go("9", "2")
    found = read_game_text(game, text, 1)
    assert sorted(found.options[:2]) == ["cell=c7", "cell=g3"] and found.options[2:] == ["place cell=e5", "pass"]
    written = GameRecordNotation(game, load_notation(game)).write(None, 1, found.options, ["", ""], found.tags)
    assert "HA[2]" in written and "KM[0.5]" in written and written.count("AB[") == 1 and ";W[ee] ;B[]" in written
    assert read_game_text(game, written, 1).options == found.options


@pytest.mark.parametrize(("text", "key"), [
    ("(;SZ[9]HA[2]AB[cc];W[ee])", "notation.placed_too_few"), ("(;SZ[9]HA[2];W[ee])", "notation.placed_too_few"),
    ("(;SZ[9]HA[2]AB[cc][gg][dd];W[ee])", "notation.placed_too_many"), ("(;SZ[9]HA[2]AB[cc][cc];W[ee])", "notation.no_move"),
    ("(;SZ[9]HA[2]AB[cc][gg];B[ee])", "notation.not_their_turn"), ("(;SZ[9]HA[2]AB[cc][gg]PL[B];W[ee])", "notation.other_mover"),
    ("(;SZ[9]HA[2]KM[7.5]AB[cc][gg];W[ee])", "notation.other_number")])
def test_a_handicap_that_contradicts_its_stones_is_rejected(text: str, key: str):
    with pytest.raises(NotationError) as error:
        read_game_text(load_go("9", "2"), text, 1)
    assert error.value.key == key


def test_a_file_sets_the_options_of_its_game():
    game = load_go("9")
    assert read_game_options(game, "(;SZ[13];B[dd])") == {"points_a_side": "13", "handicap": "0"}
    assert read_game_options(game, "(;B[dd])")["points_a_side"] == "19"     # default size of the standard
    draughts = shared("international-draughts", 2)
    assert read_game_options(draughts, '[GameType "22,W,8,8,N2,1"]\n\n1. 21-17 *') == {"style": "italian"}
    assert get_rejection_key("international-draughts", '[GameType "21"]\n\n*') == "notation.other_statement"


@pytest.mark.parametrize("move", ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "g1-f3", "Nf3!?", "Nf3$14", "♘f3", "Nf3+", "Nxf3",
                                  "nf3", "G1-F3", "Nf3,", "Nf3.", "Nf3+-", "Nf3 +=", "Nf3 =", "Nf3 ±", "Nf3−+", "Ng1—f3",
                                  "\u200bNf3"])
def test_a_knight_move_is_read_in_every_spelling(move: str):
    assert read_game_text(shared("chess", 2), f"1. e4 e5 2. {move} *", 1).options[2] == "origin=g1 target=f3"


@pytest.mark.long
@pytest.mark.parametrize(("fen", "moves", "options"), [
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", ["e8=Q", "e8Q", "e8=q", "e8q", "e8(Q)", "e8/Q", "e8 =Q", "e8 = Q", "e8= q", "E7-E8Q",
      "e7e8q", "e7e8Q", "e7-e8=Q"],
     ["origin=e7 target=e8", "kind=queen"]),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["O-O", "0-0", "o-o", "e1g1", "Ke1-g1"], ["origin=e1 target=g1"]),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["O-O-O", "0-0-0", "o-o-o", "e1c1"], ["origin=e1 target=c1"]),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", ["exd6", "ed6", "e5d6", "exd6e.p.", "exd6 e.p.", "exd6ep", "exd6 ep", "exd6/ep", "eXd6",
                                           "e5xd6", "e5:d6"],
     ["origin=e5 target=d6"]),
    ("4k3/8/8/8/8/8/4K3/2R5 w - - 0 1", ["Rh1", "Rch1", "Rc1-h1"], ["origin=c1 target=h1"]),
    ("4k3/8/8/8/8/2b5/1P6/2B1K3 w - - 0 1", ["bxc3", "b2xc3", "b2c3", "bc3"], ["origin=b2 target=c3"]),
])
def test_special_chess_moves_are_read_in_every_spelling(fen: str, moves: list[str], options: list[str]):
    for move in moves:
        assert read_game_text(shared("chess", 2), f'[FEN "{fen}"]\n\n1. {move} *', 1).options == options, move


@pytest.mark.long_cases("1\\u2026 Ke7 2. e4")
@pytest.mark.parametrize("start", ["1. ... Ke7 2. e4", "1... Ke7 2. e4", "1… Ke7 2. e4", "1. .. Ke7 2 e4", "31... Ke7 32. e4", "Ke7 e4",
                                   "... Ke7 e4"])
def test_the_second_player_can_begin_with_any_number(start: str):
    text = f'[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]\n\n{start} *'
    assert read_game_text(shared("chess", 2), text, 1).options == ["origin=e8 target=e7", "origin=e2 target=e4"]


FIRST_STEP = "go origin=d4 target=e5"


@pytest.mark.parametrize("first", ["32-28", "32 - 28", "32- 28", "32 -28", "32–28", "32-28!", "32-28 $1", "32-28(!)",
                                   "32−28", "032-028", "32-28,", "32-28*", "D4-E5"])
def test_a_step_of_a_man_is_read_in_every_spelling(first: str):
    assert read_game_text(shared("international-draughts", 2), f"1. {first} 18-23 *", 1).options[0] == FIRST_STEP


def test_captures_and_squares_with_letters_are_read():
    game = shared("international-draughts", 2)
    moves = "1. 32-28 19-23 2. {} *"
    wanted = read_game_text(game, moves.format("28x19"), 1).options
    for text in ("28:19", "28 x 19", "28X19", "28 X 19", "28-19", "28×19"):
        assert read_game_text(game, moves.format(text), 1).options == wanted
    a, b = wanted[0].split("=")[1].split()[0], wanted[0].split("=")[2]
    assert read_game_text(game, f"1. {a}-{b} 19-23 *", 1).options == wanted[:2]


@pytest.mark.parametrize("numbers", ["1. {} {} 2. {}", "1 {} {} 2 {}", "1) {} {} 2) {}", "1.) {} {} 2.) {}", "1.{} 1...{} 2.{}",
                                     "01. {} {} 02. {}",
                                     "1. {} .. {}\n2. {}", "{}, {}, {}"])
def test_move_numbers_are_read_in_every_format(numbers: str):
    assert len(read_game_text(shared("chess", 2), numbers.format("e4", "e5", "Nf3") + " *", 1).options) == 3


SHUFFLING_MOVES = [("46-41", "4-9"), ("41-46", "9-4")]


@pytest.mark.parametrize(("name", "text", "note"), [
    ("international-draughts",
     '[FEN "W:WK46:BK4"]\n\n' + " ".join(f"{n + 1}. {' '.join(SHUFFLING_MOVES[n % 2])}" for n in range(40)) + " *", "notation.went_on"),
    ("chess", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *", "notation.went_on"),
    ("chess", '[FEN "8/8/4k3/8/8/8/8/4K2R w - - 98 80"]\n\n1. Rh2 Kd6 2. Rh3 Kd5 *', "notation.went_on"),
    ("chess", '[FEN "8/8/4k3/8/8/4p3/8/4K3 w - - 0 1"]\n\n1. Kd1 Kd6 2. Ke2 Ke5 3. Kxe3 Kd5 4. Kd3 *', "notation.ended_before"),
])
def test_a_game_after_an_automatic_draw_is_read_with_a_note(name: str, text: str, note: str):
    _, found = read_end(name, text)
    assert note in [key for key, _ in found.notes] and found.options


def test_moves_without_a_result_give_a_note():
    _, found = read_end("chess", "1. e4 e5")
    assert [key for key, _ in found.notes] == ["notation.no_result"]


@pytest.mark.parametrize(("text", "key"), [("W:W31-50:B1-99", "notation.wrong_part"), ("W:W31,31-50:B20-1", "notation.wrong_part"),
                                           ("W:W1-20:B20", "notation.wrong_part")])
def test_contradictory_squares_are_rejected(text: str, key: str):
    assert get_rejection_key("international-draughts", text) == key


@pytest.mark.long
def test_positions_with_operations_are_read():
    line = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -"
    game = shared("chess", 2)
    found = read_game_text(game, f'{line} bm Rxf4+; id "a; b"; hmvc 3; fmvn 9;', 1)
    assert found.start is not None and found.start.number == 9 and found.start.entries["quiet"] == 3
    assert read_game_text(game, f"{line} 0 1 ;D1 14 ;D2 191", 1).start == read_game_text(game, f"{line} 0 1", 1).start
    assert get_rejection_key("chess", f"{line} garbage") == "notation.no_position"
    two = f"{line} id \"a\";\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    assert read_game_text(game, two, 1).more and read_game_text(game, two, 1, number=2).start != read_game_text(game, two, 1).start


@pytest.mark.long_cases("chess-text1", "chess-text9", "go-text2", "go-text5", "go-text8")
@pytest.mark.parametrize("text", ["[" * 400_000, "(" * 400_000, "(;" * 200_000, "(;C[" + "[" * 400_000, "{" * 400_000,
                                  "(;" + "B[]" * 200_000, "1 " * 200_000, '[A "' * 100_000, "(;" + ";" * 400_000 + ")", '"]' * 200_000])
@pytest.mark.parametrize("name", ["chess", "go"])
def test_very_long_texts_are_read_in_linear_time(name: str, text: str):
    with contextlib.suppress(NotationError):
        read_game_text(shared(name, 2), text, 1)


# ---------------------------------------------------------------- damage


def damage_text(text: str, rng: random.Random) -> str:
    """Returns a text with characters inserted, removed or replaced, or cut short."""
    for _ in range(rng.randint(1, 3)):
        at, some = rng.randrange(len(text) + 1), "".join(rng.choice(DAMAGE_CHARACTERS) for _ in range(rng.randint(1, 3)))
        text = rng.choice([text[:at] + some + text[at:], text[:at] + text[at + rng.randint(1, 12) :],
                           text[:at] + some + text[at + len(some) :], text[:at]])
    return text


def read_damaged_game(game: Game, written: WrittenGame, seed: int, whole: bool = True) -> str:
    """Damages a game and reads it. Returns the outcome: never an internal error, and never (if `whole`) a shorter game without a
    message.
    """
    rng = random.Random(seed)
    text = damage_text(written.text, rng)
    try:
        found = read_game_text(game, text, 1)
    except NotationError as error:
        assert error.key.startswith("notation.")
        return "refused"
    moves = count_moves(game, found)
    assert not whole or moves >= written.moves or found.notes or found.more, (text, moves, written.moves)
    return "told" if found.notes else "read"


def count_moves(game: Game, found: ReplayedRecord) -> int:
    """Returns the number of moves of a game. A move can be several decisions, and the last one ends the turn."""
    position, moves = set_up_game(game, found.start, 1), 0
    for option in found.options:
        assert position.decision is not None
        seat = position.decision.seat
        position.play(seat, option)
        moves += position.decision is None or position.decision.seat != seat
    return moves


UNDAMAGED_GAMES = [
    ("chess", generate_chess_game(1, "remarks", 30)), ("chess", generate_chess_game(2, "variations", 30)),
    ("chess", generate_chess_game(3, "numbers", 30)),
    ("international-draughts", generate_draughts_game(4, "international-draughts", 30)),
    ("english-draughts", generate_draughts_game(5, "english-draughts", 30)),
]


def list_go_games(seed: int = 0) -> list[WrittenGame]:
    """Returns readable games of go."""
    return [written for n in range(seed, seed + 60) if (written := generate_go_game(n, 12)).end is not None and "SZ[9" in written.text][:2]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_damaged_games_are_never_silently_shortened(seed: int):
    for name, written in UNDAMAGED_GAMES:
        read_damaged_game(shared(name, 2), written, seed)
    for written in list_go_games():
        for more in range(8):
            read_damaged_game(load_go("9"), written, 8 * seed + more)


@pytest.mark.long
def test_many_damaged_games_cause_no_internal_error():
    """A damaged tree can be a valid tree of a shorter game: a comment swallows the moves after it.

    So this test checks trees only for internal errors.
    """
    for seed in range(100, 140):
        for name, written in UNDAMAGED_GAMES:
            read_damaged_game(shared(name, 2), written, seed)
        for written in list_go_games():
            for more in range(8):
                read_damaged_game(load_go("9"), written, 8 * seed + more, whole=False)


@pytest.mark.parametrize(("text", "key"), [
    ("(;SZ[9]" + ";B[aa];W[bb]" * 100_000 + ")", "notation.too_long"),
    ("(" + ";" * 900_000 + ")", "notation.too_long"),
    ("(;" * 400_000, "notation.too_long"),
    ("(;SZ[9];B[aa](;W[bb])" + "(;W[cc]" * 100_000 + ")" * 100_001, "notation.too_many_variations"),
])
def test_huge_trees_are_refused_early(text, key):
    began = time.process_time()
    with pytest.raises(NotationError) as error:
        parse_nodes(text)
    assert error.value.key == key and time.process_time() - began < 2


def test_a_long_analysis_is_read_along_its_first_branches():
    text = "(;SZ[9] AB [aa][bb\\]] ; B[cc] C[a (comment); with \\] signs] (;W[dd];B[ee])" + "(;W[ff](;B[gg]C[x])(;B[hh];W[]))" * 3_000 + ")"
    nodes, more, doubtful = parse_nodes(text)
    assert nodes == [[("SZ", "9"), ("AB", "aa"), ("AB", "bb]")], [("B", "cc"), ("C", "a (comment); with ] signs")],
                     [("W", "dd")], [("B", "ee")]]
    assert not more and not doubtful


@pytest.mark.parametrize("text", [
    "(;B[aa](;W[bb]);W[cc])", "(;B[aa](;W[bb])(;W))", "(;B[aa](;W[bb])W[cc])", "(;b[aa])", "(;B;W[aa])", "(;[aa])",
    "(;B[aa](;W[bb])(;w[cc]))", "(;B[aa]()(;W[bb]))",
])
def test_an_invalid_tree_is_refused_at_its_place(text):
    with pytest.raises(NotationError) as error:
        parse_nodes(text)
    assert error.value.key == "notation.stray"

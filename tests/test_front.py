"""The front door, `import stampede`: new games, bots, records, and how they show themselves."""

import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import stampede
from stampede.core.errors import ActionError, InputError, NotToAct, RecordError, RuleSetError
from stampede.core.playthrough import AnyPlaythrough
from stampede.zoff import Edition
from tests.zoff.arranged import edition_file
from tests.zoff.drawn_editions import draw_edition


def play_on(game: AnyPlaythrough, turns: int, seed: int = 1) -> None:
    bot, rng = stampede.bot("random"), random.Random(seed)
    for _ in range(turns):
        game.play_bot(bot, rng)


def test_every_public_name_can_be_loaded_and_is_listed() -> None:
    assert stampede.__all__ == sorted(stampede.__all__)
    for name in stampede.__all__:
        assert getattr(stampede, name) is not None
        assert name in dir(stampede)
    with pytest.raises(AttributeError, match="has no attribute 'newgame'"):
        getattr(stampede, "newgame")  # noqa: B009 - the attribute doesn't exist


def test_importing_the_package_loads_no_game() -> None:
    """`import stampede` stays quick: a name loads its module at its first use."""
    code = "import sys, stampede; print(*sorted(m for m in sys.modules if 'stampede' in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["stampede"]


def test_a_game_of_zoff_from_its_options() -> None:
    game = stampede.new_game("zoff", players=5, seed=3, fair=True)
    assert game.to_act == (0, 1, 2, 3, 4)
    assert game.rules.fair
    assert not game.rules.auction
    again = stampede.new_game("zoff", players=5, seed=3, fair=True)
    assert again.state == game.state
    assert stampede.new_game("zoff", players=5, seed=4).state != game.state
    assert stampede.new_game("zoff").seats == 4


def test_a_game_of_buffalo_from_its_options() -> None:
    fen = "5b5/11/11/5C5/11/3DD1DD3/11 b - - 0 7"
    assert stampede.new_game("buffalo", start=fen).state.position.fen() == fen
    start = stampede.Position.from_fen(fen)
    assert stampede.new_game("buffalo", start=start).state.position == start
    for removed in ("c, f", "c f", ["c", "f"]):
        assert stampede.new_game("buffalo", removed=removed).rules.removed == ("c", "f")
    assert stampede.new_game("buffalo", opening_moves=3).state.opening is not None


def test_an_edition_of_a_file(tmp_path: Path) -> None:
    file = edition_file(tmp_path, "my-box")
    game = stampede.new_game("zoff", players=3, seed=1, edition=file)
    assert game.rules.edition == "my-box"
    file.unlink()
    rng = random.Random(1)
    while game.to_act:
        game.play_bot(stampede.bot("zoff-1"), rng)
    (record,) = stampede.read_records([game.record().dumps()])
    assert stampede.replay(record).state == game.state
    drawn = draw_edition(rng)
    assert stampede.new_game("zoff", edition=drawn).state.setup.edition == drawn
    usual = Edition.default().id
    assert stampede.new_game("zoff", edition=usual).rules.edition == usual


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("chess", {}, "game: expected zoff or buffalo, got 'chess'"),
        ("zoff", {"playrs": 3}, "has no option 'playrs': expected one of edition, players"),
        ("zoff", {"start": "x"}, "has no option 'start'"),
        ("buffalo", {"fair": True}, "has no option 'fair': expected one of removed"),
        ("zoff", {"players": 9}, "players: expected a whole number from 2 to 6, got 9"),
        ("zoff", {"players": "4"}, "players: expected a whole number"),
        ("zoff", {"players": True}, "players: expected a whole number"),
        ("zoff", {"fair": "yes"}, "fair: expected True or False, got 'yes'"),
        ("zoff", {"edition": "mine"}, "edition: expected fx-schmid-1998-r1, got 'mine'"),
        ("zoff", {"edition": Path("missing.toml")}, "missing.toml: expected an edition file"),
        ("buffalo", {"removed": "z"}, "removed: expected some of a, b, c"),
        ("buffalo", {"removed": 3}, "removed: expected some of a, b, c"),
        ("buffalo", {"removed": ["a", "a"]}, "removed: expected different files"),
        ("buffalo", {"removed": list("abcdefghijk")}, "removed: expected at most 10"),
        ("buffalo", {"opening_moves": 0}, "opening_moves: expected a whole number from 1 to 11"),
        ("buffalo", {"start": "nonsense"}, "FEN: expected 4 or 6 fields"),
        ("buffalo", {"start": 7}, "start: expected a text, got 7"),
    ],
)
def test_a_wrong_option_gets_one_line_that_says_what_is_expected(
    game: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        stampede.new_game(game, **options)
    assert "\n" not in str(caught.value)


def test_a_seat_may_be_left_out_only_while_it_is_clear() -> None:
    buffalo = stampede.new_game("buffalo")
    assert list(buffalo.legal()) == list(buffalo.legal(0))
    assert len(buffalo.legal(1)) == 0
    zoff = stampede.new_game("zoff", players=3, seed=1)
    with pytest.raises(NotToAct, match="seats 0, 1, 2 are to act"):
        zoff.legal()
    for wrong in (3, -1, True):
        with pytest.raises(InputError, match="seat: expected 0 to 2"):
            zoff.legal(wrong)
        with pytest.raises(InputError, match="seat: expected 0 to 2"):
            zoff.view(wrong)


def test_actions_may_be_given_as_json() -> None:
    buffalo = stampede.new_game("buffalo")
    buffalo.play(0, "f7f6")
    assert str(buffalo.turns[0].action) == "f7f6"
    zoff = stampede.new_game("zoff", players=3, seed=1)
    choice = zoff.legal(0).sample(random.Random(0))
    zoff.play(0, zoff.game.write_action(choice))
    assert zoff.turns[0].action == choice


def test_a_refused_action_changes_nothing() -> None:
    game = stampede.new_game("buffalo")
    refused: list[Any] = ["f7f5", "nonsense", None, 3, [], {"type": "place"}]
    for wrong in refused:
        with pytest.raises((ActionError, InputError)):
            game.play(0, wrong)
    zoff: AnyPlaythrough = stampede.new_game("zoff", players=3, seed=1)
    refused = ["nonsense", None, 3, [], {"type": "gallop"}, {}]
    for wrong in refused:
        with pytest.raises((ActionError, InputError)):
            zoff.play(0, wrong)
    for seat in (None, "0", 9, -1):
        with pytest.raises((ActionError, InputError), match="seat"):
            zoff.play(seat, zoff.legal(0).sample(random.Random(1)))  # type: ignore[arg-type]
    assert zoff.turns == []
    with pytest.raises(NotToAct):
        game.play(1, "d2d5")
    assert game.turns == []


@pytest.mark.parametrize("bot", ["random", 3, None, type("Bot", (), {"choose": None})])
def test_what_is_no_bot_is_refused(bot: Any) -> None:
    game = stampede.new_game("buffalo")
    with pytest.raises(InputError, match=r"bot: expected one such as stampede\.bot\('random'\)"):
        game.play_bot(bot, random.Random(1))


def test_a_seed_is_a_number_or_a_text() -> None:
    wrong: Any = [1]
    with pytest.raises(RuleSetError, match="seed: expected a whole number or a text"):
        stampede.new_game("zoff", seed=wrong)
    with pytest.raises(InputError, match="bot: expected a name, got 3"):
        stampede.bot(3)  # type: ignore[arg-type]


def test_bots_play_and_are_named_in_the_record() -> None:
    game = stampede.new_game("zoff", players=3, seed=1)
    bot, rng = stampede.bot("random"), random.Random(1)
    game.play(0, game.legal(0).sample(rng))
    game.play_bot(bot, rng, 2)
    game.play_bot(bot, rng)  # seat 1: the only one left
    seats = game.record().seats
    assert [seat.name for seat in seats] == ["Player 1", "random", "random"]
    assert [seat.kind for seat in seats] == ["human", "bot", "bot"]
    while game.to_act:
        game.play_bot(bot, rng)
    with pytest.raises(ActionError, match="expected a game in progress"):
        game.play_bot(bot, rng)


def test_records_are_written_read_and_replayed(tmp_path: Path) -> None:
    games: list[AnyPlaythrough] = [stampede.new_game("zoff", players=3, seed=1)]
    games.append(stampede.new_game("buffalo"))
    for game in games:
        play_on(game, 9)
    file = tmp_path / "games.jsonl"
    records = [game.record() for game in games]
    file.write_text("".join(record.dumps() + "\n" for record in records), encoding="utf-8")
    assert list(stampede.read_records(file)) == records
    assert list(stampede.read_records(str(file))) == records
    assert list(stampede.read_records(file.read_text(encoding="utf-8").splitlines())) == records
    for game, record in zip(games, records, strict=True):
        assert stampede.replay(record).state == game.state
    file.write_text(records[0].dumps() + "\nnonsense\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"games\.jsonl: line 2: expected one JSON object"):
        list(stampede.read_records(file))


def test_a_record_of_an_unknown_game_names_the_known_ones() -> None:
    record = stampede.GameRecord("chess", {}, (), {}, ())
    with pytest.raises(RuleSetError, match="expected zoff or buffalo"):
        stampede.replay(record)


def test_reprs_are_short_and_tell_the_moment() -> None:
    zoff = stampede.new_game("zoff", players=4, seed=1)
    assert repr(zoff) == "<Zoff in Buffalo, 4 players, round 1 of 5, to act: 0, 1, 2, 3>"
    play_on(zoff, 30)
    objects = [zoff, zoff.state, zoff.view(), zoff.view(0), zoff.record(), zoff.state.setup]
    objects += [zoff.state.setup.edition, zoff.view(0).legal]
    for shown in objects:
        assert len(repr(shown)) < 160, repr(shown)
        assert "\n" not in repr(shown)
    buffalo = stampede.new_game("buffalo")
    buffalo.play(0, "f7f6")
    assert repr(buffalo) == "<Buffalo, move 2, to act: 1>"
    for shown in (buffalo, buffalo.state, buffalo.view(0), buffalo.record()):
        assert len(repr(shown)) < 120
    while buffalo.to_act:
        play_on(buffalo, 1, len(buffalo.turns))
    assert re.fullmatch(r"<Buffalo, move \d+, won by [01] \(\w+\)>", repr(buffalo))


def test_values_repr_as_the_code_that_makes_them() -> None:
    from stampede.buffalo import Move, Position  # noqa: PLC0415 - the names that eval needs
    from stampede.zoff import CowCard  # noqa: PLC0415

    known = {"Position": Position, "Move": Move, "CowCard": CowCard}
    for value in (Position.start().play("f7f6"), Move.parse("a7a6"), CowCard.parse("4M")):
        assert eval(repr(value), known) == value  # noqa: S307 - our own repr


def test_printing_a_game_shows_what_a_spectator_sees() -> None:
    """Sealed choices and hands stay hidden: the text and the picture come from the spectator's view."""
    games = [stampede.new_game("zoff", players=3, seed=1) for _ in range(2)]
    for seed, game in enumerate(games):
        game.play(0, game.legal(0).sample(random.Random(seed)))
    assert games[0].state != games[1].state
    assert str(games[0]) == str(games[1]) == str(games[0].view())
    assert games[0]._repr_svg_() == games[1]._repr_svg_()
    assert "has chosen" in str(games[0])
    assert "holds" not in str(games[0])
    assert "Seat 1 holds 2" in str(games[0].view(1))


def test_printing_buffalo_shows_the_board_and_the_turn() -> None:
    game = stampede.new_game("buffalo")
    game.play(0, "f7f6")
    assert str(game).startswith("7  b b b b b . b b b b b\n")
    assert str(game).endswith("Move 2: the hunter is to move")
    drawn = game._repr_svg_()
    assert drawn is not None
    assert drawn.startswith("<svg")
    assert "#ffd83d" in drawn, "the last move is marked"

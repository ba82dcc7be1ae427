"""The example client really plays, in both games, against another copy of itself."""

import asyncio
import subprocess
import sys

import pytest

from tests.repository.files import ROOT
from tests.server.clients import guests

PROGRAM = ROOT / "examples" / "random_player.py"


@pytest.mark.parametrize(
    ("game", "players", "rules"),
    [("buffalo", 2, {}), ("zoff", 3, {"fair": True}), ("zoff", 2, {"auction": True})],
)
def test_outside_programs_play_a_whole_game(
    base: str, game: str, players: int, rules: dict[str, bool]
) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (host,):
            opened = await host.open(game, [{}] * players, rules=rules)
            command = [sys.executable, str(PROGRAM), base, opened["table"], opened["invite"]]
            programs = [
                subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(players)
            ]
            told = [(await asyncio.to_thread(program.communicate))[0] for program in programs]
            assert [program.returncode for program in programs] == [0] * players
            assert all("winners" in text for text in told)
            view = (await host.look(opened["table"]))["view"]
            assert view["phase"] == "over"
            assert {player["kind"] for player in view["players"]} == {"program"}

    asyncio.run(scenario())

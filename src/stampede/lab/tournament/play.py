"""Playing a bout: its games with their results and records, as one JSON value."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stampede.bots import RandomBot
from stampede.buffalo import Position
from stampede.core.errors import StampedeError
from stampede.core.game import Seat
from stampede.core.json import Json, JsonObject
from stampede.core.playthrough import AnyPlaythrough, Playthrough
from stampede.core.record import GameRecord, SeatInfo
from stampede.games import game_named
from stampede.lab.arena.answers import PlayerFault
from stampede.lab.tournament.contestants import BotContestant, Contestant
from stampede.lab.tournament.pairing import Bout
from stampede.lab.tournament.spec import TournamentSpec

__all__ = ["Arena"]

FORFEIT: Final = "resigned"
"""The reason by which a game is over for a player that failed, where the rules know one."""


@dataclass(frozen=True, slots=True)
class Arena:
    """A tournament with its players: plays any bout of it."""

    spec: TournamentSpec
    contestants: Mapping[str, Contestant]

    def play(self, bout: Bout) -> JsonObject:
        """Plays all games of a bout. Programs and connections end with it."""
        try:
            games: list[Json] = [
                self._play_game(bout, number) for number in range(len(bout.lineup))
            ]
        finally:
            for name in dict.fromkeys(bout.lineup):
                self.contestants[name].close()
        return {"lineup": list(bout.lineup), "start": bout.start, "games": games}

    def _begin(self, bout: Bout) -> AnyPlaythrough:
        spec = self.spec
        game = game_named(spec.game).game
        rules = game.read_rules(spec.rules)
        if spec.openings:
            fen = spec.openings[bout.start % len(spec.openings)]
            return Playthrough(game, rules, Position.from_fen(fen))
        deal = game.draw(rules, random.Random(f"{spec.seed}/{bout.start}/deal"))
        return Playthrough(game, rules, deal)

    def _play_game(self, bout: Bout, number: int) -> JsonObject:
        played, lineup = self._begin(bout), bout.rotation(number)
        seats: list[Contestant] = [self.contestants[name] for name in lineup]
        faults: dict[Seat, str] = {}
        for seat in range(len(lineup)):
            self._ask(played, seats, seat, faults, begin=self._seed(bout, number, seat))
        while played.to_act:
            self._ask(played, seats, played.to_act[0], faults)
        for seat, player in enumerate(seats):
            player.end(played, seat)
        record = self._record(played, bout, number, faults)
        assert played.outcome is not None, "nobody is to act, so the game is over"
        scores = (record.result or {}).get("scores")
        places = _places(len(lineup), played.outcome.winners, scores, faults)
        first = places[0]
        return {
            "seats": list(lineup),
            "shares": [(seat in first) / len(first) for seat in range(len(lineup))],
            "places": [list(place) for place in places],
            "reason": "fault" if faults else played.outcome.reason,
            "faults": [[lineup[seat], why] for seat, why in faults.items()],
            "decisions": len(played.turns),
            "record": record.to_json(),
        }

    def _record(
        self, played: AnyPlaythrough, bout: Bout, number: int, faults: Mapping[Seat, str]
    ) -> GameRecord:
        lineup = bout.rotation(number)
        meta: dict[str, Json] = {
            "tournament": self.spec.name,
            "start": bout.start,
            "rotation": number,
        }
        if faults:
            meta["faults"] = [f"{lineup[seat]}: {why}" for seat, why in faults.items()]
        return played.record(
            tuple(SeatInfo(name, "bot", self._text(name)) for name in lineup), meta
        )

    def _ask(
        self,
        played: AnyPlaythrough,
        seats: list[Contestant],
        seat: Seat,
        faults: dict[Seat, str],
        begin: str | None = None,
    ) -> None:
        """Begins a seat's game, or lets it act; a player that fails loses.

        Where the rules know no forfeit, a random bot finishes the game for it, as the game needs all seats.
        """
        if played.outcome is not None:
            return
        try:
            if begin is not None:
                seats[seat].begin(played, seat, begin)
            else:
                _carry_out(played, seat, seats[seat].act(played, seat))
        except PlayerFault as error:
            faults[seat] = " ".join(str(error).split())[:300]
            if FORFEIT in played.game.forfeits:
                others = tuple(other for other in range(len(seats)) if other != seat)
                played.forfeit(others, FORFEIT)
                return
            seats[seat] = BotContestant(RandomBot())
            seats[seat].begin(played, seat, f"{self.spec.seed}/stand-in/{len(played.turns)}")

    def _seed(self, bout: Bout, number: int, seat: Seat) -> str:
        return f"{self.spec.seed}/{'/'.join(bout.lineup)}/{bout.start}/{number}/{seat}"

    def _text(self, name: str) -> str:
        return next(player.player for player in self.spec.players if player.name == name)


def _carry_out(played: AnyPlaythrough, seat: Seat, action: Json) -> None:
    try:
        played.play(seat, action)
    except StampedeError as error:
        raise PlayerFault(f"illegal action {str(action)[:80]}: {error}") from error


def _places(
    seats: int, winners: Sequence[Seat], scores: Json, faults: Mapping[Seat, str]
) -> list[tuple[Seat, ...]]:
    """The seats by place: winners, then by score, then those that failed; equal ones share a place."""

    def key(seat: Seat) -> tuple[bool, bool, float]:
        score = scores[seat] if isinstance(scores, list) else 0
        return (
            seat in faults,
            seat not in winners,
            -float(score) if isinstance(score, int | float) else 0.0,
        )

    found: dict[tuple[bool, bool, float], list[Seat]] = {}
    for seat in range(seats):
        found.setdefault(key(seat), []).append(seat)
    return [tuple(found[each]) for each in sorted(found)]

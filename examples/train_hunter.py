"""Trains a hunter for Buffalo in a few seconds, with NumPy alone: the cross-entropy method on five weights.

    python examples/train_hunter.py

The hunter looks one move ahead and values a position by five features. Each generation tries some weights in games
against a random buffalo side, keeps the best quarter, and draws the next weights around them. Seven buffaloes are left
out, so a game is short. Needs stampede[engine], for NumPy.
"""

import random

import numpy as np
import numpy.typing as npt

import stampede
from stampede.buffalo import BuffaloView, Move

Weights = npt.NDArray[np.float64]
LEFT_OUT = "a b d f h j k"
GENERATIONS, POPULATION, KEPT, GAMES = 5, 12, 3, 4


def features(position: stampede.Position) -> list[float]:
    """What stands where: buffaloes, how far the unguarded ones are, blocked and guarded ones, the chief's distance."""
    hunters = [position.chief, *position.dogs]
    unguarded = blocked = guarded = 0.0
    nearest = 12.0
    for buffalo in position.buffaloes:
        ahead = [
            piece for piece in hunters if piece.file == buffalo.file and piece.rank < buffalo.rank
        ]
        guarded += bool(ahead)
        blocked += any(piece.rank == buffalo.rank - 1 for piece in ahead)
        unguarded += 0.0 if ahead else (8 - buffalo.rank) ** 2 / 10
        distance = max(
            abs(position.chief.file - buffalo.file), abs(position.chief.rank - buffalo.rank)
        )
        nearest = min(nearest, distance + 3.0 * (buffalo.rank == 7))
    return [len(position.buffaloes), unguarded, blocked, guarded, nearest / 4]


class Hunter:
    """A bot that plays the move whose position it values most."""

    name = "trained hunter"

    def __init__(self, weights: Weights) -> None:
        """Keeps the weights of the features."""
        self.weights = [float(weight) for weight in weights]

    def choose(self, view: BuffaloView, rng: random.Random) -> Move:
        """Looks one move ahead."""
        return max(view.legal, key=lambda move: self.value(view.position.after(move), rng))

    def value(self, position: stampede.Position, rng: random.Random) -> float:
        """The sum of the weighted features, and a little chance against ties."""
        pairs = zip(self.weights, features(position), strict=True)
        return sum(weight * feature for weight, feature in pairs) + 1e-6 * rng.random()


def play(bot: stampede.Bot, seed: str) -> bool:
    """Plays one game as the hunter against a random buffalo side; tells whether the hunter won."""
    game, rng = stampede.new_game("buffalo", removed=LEFT_OUT), random.Random(seed)
    sides = (stampede.bot("random"), bot)
    while game.to_act:
        game.play_bot(sides[game.to_act[0]], rng)
    return game.outcome is not None and game.outcome.winners == (1,)


def win_share(bot: stampede.Bot, games: int, seed: str) -> float:
    """The share of games that a hunter wins."""
    return sum(play(bot, f"{seed}/{game}") for game in range(games)) / games


def train(seed: int = 1) -> Weights:
    """Returns trained weights."""
    rng = np.random.default_rng(seed)
    mean, spread = np.zeros(5), np.ones(5)
    for generation in range(GENERATIONS):
        tried = rng.normal(mean, spread, (POPULATION, 5))
        shares = [win_share(Hunter(weights), GAMES, f"{seed}/{generation}") for weights in tried]
        best = tried[np.argsort(shares)[-KEPT:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1
        print(f"generation {generation + 1}: best {max(shares):.0%}, mean {np.mean(shares):.0%}")
    return np.asarray(mean)


if __name__ == "__main__":
    before = win_share(stampede.bot("random"), 100, "test")
    after = win_share(Hunter(train()), 100, "test")
    print(f"A random hunter wins {before:.0%} of 100 games, the trained one {after:.0%}.")

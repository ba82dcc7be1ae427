"""Statistics over 1,000 games: does it matter in Zoff which colour you play, and how do games end?

python examples/statistics_of_games.py [GAMES]
"""

import random
import sys
from collections import Counter

import stampede
from stampede.lab.arena.stats import Score


def main(games: int = 1000) -> Counter[str]:
    """Plays the games, prints each colour's share of wins with its 95 % interval, and returns the wins."""
    bot = stampede.bot("random")
    wins: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    cows = 0
    for number in range(games):
        game, rng = stampede.new_game("zoff", players=4, seed=number), random.Random(number)
        while game.to_act:
            game.play_bot(bot, rng)
        view = game.view()
        assert view.result is not None
        for seat in view.result.winners:
            wins[view.seats[seat].colours[0]] += 1
        cows += sum(view.result.placed)
        ends[view.result.reason] += 1
    for colour, count in wins.most_common():
        score = Score(count, games)
        low, high = score.interval
        print(f"{colour:8} wins {score.share:.1%} of games, 95 % interval {low:.1%} to {high:.1%}")
    print(f"Cows on pastures at the end: {cows / games:.1f} on average. Ends: {dict(ends)}")
    return wins


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

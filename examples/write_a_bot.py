"""A bot of your own, for Zoff: it likes high cards on pastures where it already leads.

    python examples/write_a_bot.py
    stampede simulate zoff --seats write_a_bot:Majority,random,random,zoff-1 --games 20    (in this folder)

A bot has a name and chooses one of `view.legal`. It is given its seat's view, so it can't see hidden cards.
"""

import random

import stampede
from stampede.zoff import Choose, Place, PlaceBonus, ZoffAction, ZoffView

DRAWN = 40


class Majority:
    """Draws some choices at random and keeps the best by a rule of thumb; places as many cows as it may."""

    name = "majority"

    def choose(self, view: ZoffView, rng: random.Random) -> ZoffAction:
        """Answers whatever is asked: a choice, a placement, a bonus, a bid."""
        drawn = [view.legal.sample(rng) for _ in range(DRAWN)]
        return max(drawn, key=lambda action: self.worth(view, action))

    def worth(self, view: ZoffView, action: ZoffAction) -> float:
        """How much an answer promises."""
        match action:
            case Choose(pairs=pairs):
                return sum(self.promise(view, pair.pasture, pair.card.value) for pair in pairs)
            case Place(cows=cows):
                return cows
            case PlaceBonus(on=pastures):
                return len(pastures)
        return 0.0

    def promise(self, view: ZoffView, name: str, value: int) -> float:
        """What a card is worth on a pasture: cows that fit, more where we have the largest herd."""
        (pasture,) = (pasture for pasture in view.pastures if pasture.name == name)
        assert view.viewer is not None
        mine = view.seats[view.viewer].colours
        leads = next(iter(pasture.herds), None) in mine
        return min(value, pasture.free) * (1.5 if leads else 1.0)


def main(games: int = 100) -> float:
    """Plays against three random bots and returns the share of games won."""
    bots: list[stampede.Bot] = [Majority(), *[stampede.bot("random")] * 3]
    won = 0.0
    for number in range(games):
        game, rng = stampede.new_game("zoff", players=4, seed=number), random.Random(number)
        while game.to_act:
            seat = game.to_act[0]
            game.play_bot(bots[seat], rng, seat)
        assert game.outcome is not None
        won += (0 in game.outcome.winners) / len(game.outcome.winners)
    print(f"{bots[0].name} wins {won:g} of {games} games against three random bots.")
    return won / games


if __name__ == "__main__":
    main()

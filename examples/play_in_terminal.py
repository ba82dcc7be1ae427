"""A game of Buffalo against a bot, in a terminal loop.

    python examples/play_in_terminal.py [BOT]

You lead the buffaloes: type moves such as f7f6. The bot is `random`, or any other: buffalo-3 to buffalo-10 need
stampede[engine].
"""

import random
import sys
from typing import Any

import stampede


def ask(game: "stampede.Playthrough[Any, Any, Any, Any]") -> None:
    """Asks for a move until one is legal."""
    while True:
        try:
            game.play(0, input("Your move: ").strip())
        except stampede.StampedeError as error:
            print(error)  # it says what is expected, or which rule refuses the move
        else:
            return


def main(name: str = "random") -> None:
    """Plays until the game is over."""
    game, bot, rng = stampede.new_game("buffalo"), stampede.bot(name, "buffalo"), random.Random()
    while game.to_act:
        if game.to_act == (0,):
            print(game)
            ask(game)
        else:
            game.play_bot(bot, rng)
            print(f"{bot.name} plays {game.turns[-1].action}")
    print(game)


if __name__ == "__main__":
    main(*sys.argv[1:])

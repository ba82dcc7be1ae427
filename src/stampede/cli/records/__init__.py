"""Commands for records of games: check, show and review them."""

"""Writes an edition as TOML, with comments for an owner of the box who corrects it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from stampede.zoff.edition import MAX_BONUS, MAX_CAPACITY, MIN_CAPACITY, CowCard, Edition

__all__ = ["write_edition"]

_HEAD = """\
# Zoff in Buffalo: what is printed on boards and cards. Correct what differs from your box, mark it "box", and keep an
# id of your own: the shipped edition's id stands for the shipped data. `stampede zoff edition check FILE` checks it.
# Every value says where it comes from:
#   seed           in the rule sheets
#   public         on a public page
#   reconstructed  in neither: a best fit
#   box            read off a real copy of the game
[edition]
"""
_PASTURES = f"""
# Pastures, smallest first: {MIN_CAPACITY} to {MAX_CAPACITY} spaces, bonuses of 0 to {MAX_BONUS} cows for two to four
# ranks. Two players need 6, 8, 10, 12, 16, 18 and 24. The twelfth is for six players only; leave it out, together with
# the sixth colour, if you have no extension.
"""
_CARDS = """
# Letters of the cow cards, by value: two, three, four or five cows. No letter stands twice at the same value. A source
# is one word for all letters of a value, or a list with one for each.
"""
_EXTRAS = """
# The cards with bracketed letters, for two players only.
"""


def write_edition(edition: Edition) -> str:
    """The edition as the text of a TOML file; `Edition.parse` reads it back."""
    parts = [_HEAD, f"id = {_quoted(edition.id)}\ntitle = {_quoted(edition.title)}\n", _PASTURES]
    for pasture in edition.pastures:
        source = ", ".join(f"{k} = {_quoted(str(v))}" for k, v in pasture.source.to_json().items())
        parts.append(
            f"[[pasture]]\nname = {_quoted(pasture.name)}\ncapacity = {pasture.capacity}\n"
            f"bonus = [{', '.join(map(str, pasture.bonus))}]\nsource = {{ {source} }}\n"
        )
    for comment, table, owned in (
        (_CARDS, "cow_cards", edition.cards),
        (_EXTRAS, "two_player_extras", edition.extras),
    ):
        parts.append(comment)
        parts += [f"[{table}.{colour}]\n{_letters(edition, colour, owned)}" for colour in owned]
    return "".join(parts)


def _letters(edition: Edition, colour: str, owned: Mapping[str, tuple[CowCard, ...]]) -> str:
    lines, marks = [], []
    for value in sorted({card.value for card in owned[colour]}):
        cards = [card for card in owned[colour] if card.value == value]
        lines.append(f"{value} = {_quoted(''.join(card.letter for card in cards))}\n")
        found = [edition.source_of(colour, card) for card in cards]
        words = ", ".join(_quoted(mark) for mark in found)
        marks.append(f"{value} = {_quoted(found[0]) if len(set(found)) == 1 else f'[{words}]'}")
    return f"{''.join(lines)}source = {{ {', '.join(marks)} }}\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)

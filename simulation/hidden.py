"""What viewers may not know yet, taken from the folded state, and searched for in every byte that they were sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simulation.observations import BodySeen, ViewSeen
from stampede.core.series import Player
from stampede.matches.entries import Entry
from stampede.matches.lifecycle import next_proof
from stampede.matches.table import Table
from stampede.zoff.actions import Bid, Choose
from stampede.zoff.state import State

__all__ = ["HiddenNow", "Sealed", "find_hidden", "search_body", "search_view"]


class Sealed(NamedTuple):
    """A text that one player may know, or nobody."""

    player: Player | None
    text: bytes
    what: str


class _Span(NamedTuple):
    """A sealed text with the entries between which it is hidden; `last` is None while it still is."""

    sealed: Sealed
    first: int
    last: int | None


@dataclass(slots=True)
class HiddenNow:
    """What is hidden after an entry, and since when.

    Attributes:
        texts: Sealed answers, and the seeds of deals.
        cards: By player: the cards in their hand.
        spans: What has been hidden up to now.
    """

    texts: dict[Sealed, int] = field(default_factory=dict)
    cards: dict[Player | None, set[str]] = field(default_factory=dict)
    spans: list[_Span] = field(default_factory=list)

    def update(self, table: Table, entry: Entry) -> None:
        """Follows an entry, which the table has applied."""
        found = find_hidden(table)
        for sealed, first in list(self.texts.items()):
            if sealed not in found:
                del self.texts[sealed]
                self.spans.append(_Span(sealed, first, entry.seq))
        for sealed in found:
            self.texts.setdefault(sealed, entry.seq)
        self.cards = _find_cards(table)

    def all_spans(self) -> list[_Span]:
        """Everything that was hidden, up to the log's end."""
        return [*self.spans, *(_Span(sealed, first, None) for sealed, first in self.texts.items())]


def find_hidden(table: Table) -> list[Sealed]:
    """The texts that are hidden now: the seeds of this game and the next, and all sealed answers."""
    state, match = table.state, table.state.match
    proofs = [next_proof(state)]
    if match is not None and match.ended_at is None:
        proofs.append(match.proof)
    found = [
        Sealed(None, text.hex().encode(), "the secret of a deal")
        for proof in proofs
        for text in (proof.seed, proof.nonce)
    ]
    if match is None or match.ended_at is not None or not isinstance(match.state, State):
        return found
    for seat, answer in enumerate(match.state.sealed):
        if answer is not None:
            player = match.seating[seat]
            found += [Sealed(player, text, "a sealed answer") for text in _texts(answer)]
    return found


def _texts(answer: Any) -> Iterator[bytes]:
    """How an answer would look among a message's bytes."""
    data = answer.to_json()
    if isinstance(answer, Choose):
        yield _bytes(data["pairs"])
    elif isinstance(answer, Bid):
        yield _bytes(data["bid"])
    else:
        yield _bytes(data["colours"])


def _bytes(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def _find_cards(table: Table) -> dict[Player | None, set[str]]:
    """By player: the cards in their hands. Cards that nobody owns yet are under None."""
    match = table.state.match
    if match is None or match.ended_at is not None or not isinstance(match.state, State):
        return {}
    found: dict[Player | None, set[str]] = {}
    for owner, hand in zip(match.state.owners, match.state.hands, strict=True):
        player = None if owner is None else match.seating[owner]
        found.setdefault(player, set()).update(str(card) for card in hand)
    return found


# --- searching ---


def search_view(hidden: HiddenNow, item: ViewSeen) -> Iterator[str]:
    """Yields what a viewer was sent and may not know at the entry up to which `hidden` stands."""
    own_texts = set()
    if item.player is not None:
        own_texts = {sealed.text for sealed in hidden.texts if sealed.player == item.player}
    for sealed in hidden.texts:
        if sealed.text not in own_texts and sealed.text in item.raw:
            yield f"{sealed.what} of player {sealed.player}"
    if hidden.cards:
        shown = _cards_in(item.view.get("view"))
        own = hidden.cards.get(item.player, set()) if item.player is not None else set()
        for player, cards in hidden.cards.items():
            if player is None or player != item.player:
                for card in sorted((cards & shown) - own):
                    yield f"the card {card} in the hand of player {player}"


def _cards_in(data: Any) -> set[str]:
    """All texts of two characters in a view, whatever they are called there."""
    if isinstance(data, str):
        return {data} if len(data) == 2 else set()
    if isinstance(data, dict):
        data = [item for key, item in data.items() if key not in ("rules", "pastures", "settings")]
    if isinstance(data, list):
        return {text for item in data for text in _cards_in(item)}
    return set()


def search_body(
    spans: list[_Span], body: BodySeen, player_texts: set[bytes], written: dict[int, float]
) -> Iterator[str]:
    """Yields what the body of a response holds although it was still hidden when it had arrived.

    Args:
        spans: Everything that was hidden at that table.
        body: The body.
        player_texts: What its reader may know: their own answers.
        written: When each entry of the table was durable.
    """
    for sealed, first, last in spans:
        if last is not None and written.get(last, 0.0) <= body.at:
            continue  # it was open by then
        if sealed.text in player_texts:
            continue
        text = body.raw if sealed.player is None else _since(body.raw, first)
        if sealed.text in text:
            yield f"{sealed.what} of player {sealed.player}"


def _since(raw: bytes, first: int) -> bytes:
    """The part of a body that tells of entries from a number on: earlier games may have had the same answer."""
    try:
        data = json.loads(raw)
    except ValueError:
        return raw
    found = data.get("messages") if isinstance(data, dict) else data
    if not isinstance(found, list):
        return raw
    late = [item for item in found if not isinstance(item, dict) or item.get("seq", first) >= first]
    return _bytes(late)

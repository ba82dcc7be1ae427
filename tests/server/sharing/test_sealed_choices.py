"""What the server tells those who don't sit at a table is the same, whatever a player has sealed."""

import pytest

from stampede.core.json import Json, canonical
from stampede.matches import Clock, Table
from stampede.matches.commands import Act, Vote, VoteTopic
from stampede.matches.settings import ClockKind
from stampede.matches.state import Phase
from stampede.server.notices.notices import due_notices
from stampede.server.sharing.cards import describe, draw_card
from stampede.server.sharing.moments import table_moment
from stampede.server.sharing.rasterise import to_png
from stampede.server.sharing.texts import LANGUAGES, texts_in
from tests.matches.adapters import CATALOGUE
from tests.matches.sitting import Sitting, person, zoff, zoff_rules

DAYS = Clock(ClockKind.DAYS, 86_400_000)
TRIES = 20


def sealed_variants(sitting: Sitting, player: int) -> list[Json]:
    """Different answers that a player can seal now."""
    found = {canonical(one): one for one in (sitting.any_action(player) for _ in range(TRIES))}
    return list(found.values())[:4]


class Told:
    """A copy of a table at which a player has sealed one of their answers, and all that is told about it."""

    def __init__(self, sitting: Sitting, player: int, action: Json) -> None:
        table = Table.rebuild(CATALOGUE, sitting.log)
        self.payloads = self._do(table, Act(player, sitting.decision, action), sitting.now)
        self.state = table.state
        self.moment = table_moment(table)
        self.seq = table.seq
        if table.state.phase is Phase.PLAYING:  # the others are asked while it is sealed
            self.proposal = self._do(table, Vote(player, VoteTopic.PAUSE, agree=True), sitting.now)
        texts = [texts_in(language) for language in LANGUAGES]
        self.preview = [describe(self.moment, one) for one in texts]
        self.cards = [draw_card(self.moment, one) for one in texts]

    def _do(self, table: Table, command: Act | Vote, now: int) -> list[bytes]:
        """Carries a command out; returns the notices that it makes due, in all languages."""
        before = table.state
        caller = person(command.player)
        for entry in table.decide(command, caller, type(command).__name__, now).entries:
            table.apply(entry)
        due = list(due_notices(table.spec, command, before, table.state))
        return [one.payload(language) for one in due for language in LANGUAGES]

    def public(self) -> tuple[object, ...]:
        return self.payloads, self.proposal, self.preview, self.cards, self.seq


@pytest.mark.parametrize(
    ("players", "rules"), [(2, {}), (3, {"auction": True}), (4, {"fair": True, "auction": True})]
)
def test_another_sealed_choice_changes_no_byte_of_a_notice_a_preview_or_a_picture(
    players: int, rules: dict[str, bool]
) -> None:
    sitting = zoff(players, clock=DAYS, rules=zoff_rules(players, **rules))
    sitting.sit(*range(players))
    compared = 0
    while sitting.phase == "playing":
        waiting = sitting.awaited()
        decision = sitting.table.view_for(None).decision
        assert decision is not None
        if decision.secret and len(waiting) > 1:  # the last answer reveals all
            ways = sealed_variants(sitting, waiting[0])
            one, *others = (Told(sitting, waiting[0], way) for way in ways)
            for other in others:
                assert one.state != other.state, "the choices really differ"
                assert one.proposal, "a notice is due"
                assert one.public() == other.public()
                compared += 1
            if others and compared <= 3:
                assert to_png(one.cards[0]) == to_png(others[0].cards[0])
        sitting.act(waiting[0])
    assert compared >= 10


def test_a_notice_of_the_turn_goes_to_all_at_once_whatever_was_sealed() -> None:
    """The entry that ends a sealed round makes notices due; the sealed ones before it make none."""
    sitting = zoff(3, clock=DAYS)
    sitting.sit(0, 1, 2)
    first, second, last = sitting.awaited()
    for player in (first, second):
        (action,) = sealed_variants(sitting, player)[:1]
        assert Told(sitting, player, action).payloads == []
        sitting.act(player, action)
    (action,) = sealed_variants(sitting, last)[:1]
    assert Told(sitting, last, action).payloads != []

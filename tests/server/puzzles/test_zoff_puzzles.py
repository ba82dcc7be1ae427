"""Puzzles of Zoff over HTTP: asked without a word of their solution, drawn by kind, and played out."""

import asyncio

from stampede.proofs.puzzles.zoff_notation import read_word
from stampede.proofs.puzzles.zoff_puzzle import (
    KINDS,
    ZoffPuzzle,
    shipped_zoff_puzzles,
    zoff_puzzle_numbered,
)
from stampede.server.puzzles.zoff_models import (
    ZoffAttemptAnswer,
    ZoffChoicesAnswer,
    ZoffPuzzleAnswer,
    ZoffPuzzleHintAnswer,
    ZoffSolutionAnswer,
)
from stampede.zoff import ZoffGame
from tests.server.clients import guests
from tests.server.people import browsers, keep, new_name


def first_of(kind: str) -> ZoffPuzzle:
    """The first puzzle of a kind, with as few players as there are."""
    fitting = (puzzle for puzzle in shipped_zoff_puzzles() if puzzle.kind == kind)
    return min(fitting, key=lambda puzzle: (puzzle.players, puzzle.number))


def test_every_choice_is_played_out_and_one_of_them_is_right(base: str) -> None:
    game = ZoffGame()

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            for kind in KINDS:
                puzzle = first_of(kind)
                path = f"/api/puzzles/zoff/{puzzle.number}"
                state = puzzle.state()
                seat = game.to_act(state)[0]
                hint = await ann.request("POST", f"{path}/hint")
                aim = ZoffPuzzleHintAnswer.model_validate(hint.json())
                given = await ann.request("POST", f"{path}/solution")
                solution = ZoffSolutionAnswer.model_validate(given.json())
                actions = [choice["action"] for choice in given.json()["choices"]]
                for number, choice in enumerate(solution.choices[:4]):
                    body = {"action": actions[number]}
                    answer = await ann.request("POST", f"{path}/attempt", body)
                    said = ZoffAttemptAnswer.model_validate(answer.json())
                    assert said.right == (number == 0)
                    assert said.brought == choice
                    assert (said.solution is None) == (number > 0)
                best = solution.choices[0]
                assert actions[0] == read_word(state, seat, puzzle.solution).to_json()
                assert (aim.cows, aim.winners) == (best.cows, best.winners)
                told, why = aim.look, solution.difference
                assert (told and told.model_dump()) == (
                    why and {"kind": why.kind, "pasture": why.pasture}
                )
                assert len(solution.choices) == len(list(game.legal(state, seat)))

    asyncio.run(scenario())


def test_nothing_of_the_solution_is_sent_with_a_puzzle(base: str) -> None:
    """Two puzzles that differ in their solution only would be the same bytes: only what the seat sees is sent."""
    sent = {"number", "count", "players", "kind", "grade", "names", "view", "held"}
    game = ZoffGame()

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            for kind in KINDS:
                puzzle = first_of(kind)
                answer = await ann.request("GET", f"/api/puzzles/zoff/{puzzle.number}")
                told = answer.json()
                assert set(told) == sent
                state = puzzle.state()
                seat = game.to_act(state)[0]
                assert told["view"] == game.view(state, seat).to_json()
                assert b"solution" not in answer.content
                assert told["held"] == (
                    [str(card) for card in state.hands[state.group_of_seat(1 - seat)]]
                    if kind == "choose"
                    else []
                )

    asyncio.run(scenario())


def test_puzzles_are_drawn_by_players_kind_and_grade_and_nonsense_is_refused(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            got = await ann.request("GET", "/api/puzzles/zoff")
            choices = ZoffChoicesAnswer.model_validate(got.json())
            assert sum(choices.players.values()) == choices.count == len(shipped_zoff_puzzles())
            for players in choices.players:
                answer = await ann.request("GET", f"/api/puzzles/zoff/next?players={players}")
                told = ZoffPuzzleAnswer.model_validate(answer.json())
                assert told.players == int(players) == len(told.names)
                assert zoff_puzzle_numbered(told.number).players == told.players
            fresh, *seen = (one.number for one in shipped_zoff_puzzles() if one.players == 6)
            query = f"players=6&seen={','.join(map(str, seen))}"
            answer = await ann.request("GET", f"/api/puzzles/zoff/next?{query}")
            assert answer.json()["number"] == fresh
            answer = await ann.request("GET", "/api/puzzles/zoff/daily?day=2026-01-02")
            assert ZoffPuzzleAnswer.model_validate(answer.json()).number == 2
            for path, status in (
                ("next?players=7", 422),
                ("next?players=6&kind=choose", 404),
                ("next?seen=x", 422),
                ("daily?day=0", 422),
                ("daily?day=2999-01-01", 404),
                ("0", 422),
                ("100000", 404),
            ):
                answer = await ann.request("GET", f"/api/puzzles/zoff/{path}")
                assert answer.status_code == status, path
            place = f"/api/puzzles/zoff/{first_of('place').number}/attempt"
            for action in ({"type": "place", "cows": 99}, {"type": "bonus", "on": []}, {}):
                answer = await ann.request("POST", place, {"action": action})
                assert answer.status_code in (409, 422), action
            assert (await ann.request("POST", place, {})).status_code == 422

    asyncio.run(scenario())


def test_a_rated_puzzle_of_zoff_counts_once_and_for_zoff_alone(base: str) -> None:
    puzzle = first_of("place")
    other = zoff_puzzle_numbered(puzzle.number % len(shipped_zoff_puzzles()) + 1)
    seat = ZoffGame().to_act(puzzle.state())[0]
    best = {"action": read_word(puzzle.state(), seat, puzzle.solution).to_json(), "rated": True}
    path = "/api/puzzles/zoff"
    with browsers(base, 2) as (ann, other_person):
        attempt = f"{path}/{puzzle.number}/attempt"
        assert ann.post(attempt, json=best).status_code == 401
        name = new_name()
        keep(ann, name)
        buffalo = ann.get("/api/puzzles/rating").json()
        before = ann.get(f"{path}/rating").json()
        assert before == buffalo
        after = ann.post(attempt, json=best).json()["rating"]
        assert after["rating"] > before["rating"]
        assert (after["games"], after["wins"]) == (1, 1)
        assert ann.post(attempt, json=best).json()["rating"] is None
        ann.post(f"{path}/{other.number}/solution?rated=true").raise_for_status()
        now = ann.get(f"{path}/rating").json()
        assert (now["games"], now["wins"]) == (2, 1)
        assert now["rating"] < after["rating"]
        assert ann.get(f"{path}/rated").json()["number"] not in (puzzle.number, other.number)
        assert ann.get("/api/puzzles/rating").json() == buffalo
        assert list(ann.get(f"/api/people/{name}").json()["puzzles"]) == ["zoff"]
        for ratings, told in ((True, ["zoff"]), (False, [])):
            ann.post("/api/account/profile", json={"shown": True, "ratings": ratings})
            assert list(other_person.get(f"/api/people/{name}").json()["puzzles"]) == told
        assert ann.delete("/api/account").json() == {"done": True}
        keep(ann, name)
        assert ann.get(f"{path}/rating").json() == before

"""Puzzles over HTTP: asked without their solution, played to the end, refuted, drawn by kind, and rated once."""

import asyncio
from datetime import UTC, date, datetime, timedelta

from stampede.proofs.puzzles.puzzle import Puzzle, puzzle_numbered, shipped_puzzles
from stampede.server.puzzles.models import (
    AttemptAnswer,
    ChoicesAnswer,
    PuzzleAnswer,
    PuzzleHintAnswer,
    SolutionAnswer,
)
from tests.server.clients import guests
from tests.server.people import browsers, keep, new_name, sign_in


def shortest() -> Puzzle:
    """A puzzle with few moves, for quick tests."""
    return min(shipped_puzzles(), key=lambda puzzle: (len(puzzle.line), puzzle.number))


def test_a_puzzle_is_played_to_the_end_and_every_other_first_move_is_refuted(base: str) -> None:
    puzzle = shortest()
    path = f"/api/puzzles/{puzzle.number}"

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            told = PuzzleAnswer.model_validate((await ann.request("GET", path)).json())
            assert (told.fen, told.count) == (puzzle.position.fen(), len(shipped_puzzles()))
            moves = [f"{start}{end}" for start, ends in told.moves.items() for end in ends]
            assert sorted(moves) == sorted(map(str, puzzle.position.legal_moves))
            for move in moves:
                answer = await ann.request("POST", f"{path}/attempt", {"moves": [move]})
                said = AttemptAnswer.model_validate(answer.json())
                assert said.right == (move == str(puzzle.solution))
                assert said.right or said.refutation
                assert said.solution is None
                for text in said.refutation[:1]:
                    puzzle.position.play(move).play(text)
            mine: list[str] = []
            while True:
                played = len(mine) * 2
                mine.append(str(puzzle.line[played]))
                answer = await ann.request("POST", f"{path}/attempt", {"moves": mine})
                said = AttemptAnswer.model_validate(answer.json())
                assert said.right
                if said.over:
                    break
                assert said.played == [str(move) for move in puzzle.line[: played + 2]]
            assert said.solution is not None
            assert said.solution.theme == puzzle.theme
            more = await ann.request("POST", f"{path}/attempt", {"moves": [*mine, "a7a6"]})
            assert more.status_code in (409, 422)

    asyncio.run(scenario())


def test_a_day_has_its_puzzle_and_nonsense_is_refused(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            path = "/api/puzzles/daily?day=2025-12-24"
            first, second = [(await ann.request("GET", path)).json() for _ in range(2)]
            assert first == second
            assert (await ann.request("GET", "/api/puzzles/daily")).status_code == 200
            assert (await ann.request("GET", "/api/puzzles/daily?day=soon")).status_code == 422
            tomorrow = datetime.now(UTC).date() + timedelta(days=2)
            future = await ann.request("GET", f"/api/puzzles/daily?day={tomorrow}")
            assert future.status_code == 404
            assert "expected a day up to today" in future.text
            assert (await ann.request("GET", "/api/puzzles/99999")).status_code == 404
            for move in ("a1a2", "zzzz", "toolong"):
                bad = await ann.request("POST", "/api/puzzles/7/attempt", {"moves": [move]})
                assert bad.status_code == 422, bad.text

    asyncio.run(scenario())


def test_puzzles_are_drawn_by_kind_and_not_soon_again(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            kinds = ChoicesAnswer.model_validate((await ann.request("GET", "/api/puzzles")).json())
            assert sum(kinds.themes.values()) == kinds.count == sum(kinds.grades.values())
            rare = min(kinds.themes, key=lambda theme: kinds.themes[theme])
            seen: list[int] = []
            for _ in range(min(5, kinds.themes[rare])):
                query = f"theme={rare}&seen={','.join(map(str, seen))}"
                found = await ann.request("GET", f"/api/puzzles/next?{query}")
                puzzle = puzzle_numbered(found.json()["number"])
                assert puzzle.theme == rare
                assert puzzle.number not in seen
                seen.append(puzzle.number)
            hard = await ann.request("GET", "/api/puzzles/next?grade=4&side=hunter")
            puzzle = puzzle_numbered(hard.json()["number"])
            assert (puzzle.grade, puzzle.position.turn.word) == (4, "hunter")
            for query in ("theme=checkmate", "grade=9", "side=dogs", "seen=1;2"):
                bad = await ann.request("GET", f"/api/puzzles/next?{query}")
                assert bad.status_code == 422

    asyncio.run(scenario())


def test_a_hint_names_the_piece_and_giving_up_the_solution(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            puzzle = puzzle_numbered(7)
            found = (await ann.request("POST", "/api/puzzles/7/hint")).json()
            hint = PuzzleHintAnswer.model_validate(found)
            assert (hint.theme, hint.square) == (puzzle.theme, str(puzzle.solution.from_square))
            found = (await ann.request("POST", "/api/puzzles/7/solution")).json()
            told = SolutionAnswer.model_validate(found)
            assert told.line == [str(move) for move in puzzle.line]
            assert (await ann.request("POST", "/api/puzzles/99999/solution")).status_code == 404

    asyncio.run(scenario())


def test_a_rated_puzzle_counts_once_and_hints_count_as_missed(base: str) -> None:
    puzzle = shortest()
    other = puzzle_numbered(puzzle.number % len(shipped_puzzles()) + 1)
    mine = [str(move) for move in puzzle.line[::2]]
    path = f"/api/puzzles/{puzzle.number}/attempt"
    with browsers(base, 1) as (ann,):
        refused = ann.post(path, json={"moves": mine, "rated": True})
        assert refused.status_code == 401
        keep(ann, new_name())
        before = ann.get("/api/puzzles/rating").json()
        assert (before["games"], before["provisional"]) == (0, True)
        begun = ann.post(path, json={"moves": mine[:1], "rated": True}).json()
        assert begun["rating"] is None
        after = ann.post(path, json={"moves": mine, "rated": True}).json()["rating"]
        assert after["rating"] > before["rating"]
        assert (after["games"], after["wins"]) == (1, 1)
        assert ann.post(path, json={"moves": mine, "rated": True}).json()["rating"] is None
        ann.post(f"/api/puzzles/{other.number}/hint?rated=true").raise_for_status()
        now = ann.get("/api/puzzles/rating").json()
        assert (now["games"], now["wins"]) == (2, 1)
        assert now["rating"] < after["rating"]
        drawn = ann.get("/api/puzzles/rated").json()["number"]
        assert drawn not in (puzzle.number, other.number)


def test_daily_puzzles_belong_to_the_account_and_go_with_it(base: str) -> None:
    path = "/api/puzzles/days"
    today = datetime.now(UTC).date()
    first, later = (str(today - timedelta(days=days)) for days in (9, 2))
    with browsers(base, 2) as (ann, other):
        done = {"days": {"buffalo": {first: "helped"}, "zoff": {later: "solved"}}}
        assert ann.post(path, json=done).status_code == 401
        name = new_name()
        keep(ann, name)
        for _ in range(2):
            assert ann.post(path, json=done).json() == done
        sign_in(other, name).raise_for_status()
        more = other.post(path, json={"days": {"buffalo": {first: "solved", later: "solved"}}})
        assert more.json()["days"]["buffalo"] == {first: "helped", later: "solved"}, "first stays"
        assert ann.get(path).json() == more.json()
        for days in (
            {"chess": {later: "solved"}},
            {"zoff": {"10 November": "solved"}},
            {"zoff": {later: "won"}},
            {"zoff": [later]},
            {"zoff": {str(date(1000 + day, 1, 1)): "solved" for day in range(501)}},
        ):
            assert ann.post(path, json={"days": days}).status_code == 422
        early = {"days": {"zoff": {str(today + timedelta(days=3)): "solved"}}}
        assert ann.post(path, json=early).status_code == 404, "that day hasn't begun anywhere"
        assert ann.delete("/api/account").json() == {"done": True}
        keep(ann, name)
        assert ann.get(path).json() == {"days": {}}

"""Puzzles over HTTP: told without their solution, which the right move brings, or giving up."""

import asyncio
from datetime import UTC, datetime, timedelta

from stampede.proofs.puzzles.puzzle import puzzle_numbered, shipped_puzzles
from stampede.server.study.models import AttemptAnswer, PuzzleAnswer, SolutionAnswer
from tests.server.clients import guests


def test_a_puzzle_is_asked_answered_and_explained(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            found = (await ann.request("GET", "/api/puzzles/7")).json()
            told = PuzzleAnswer.model_validate(found)
            puzzle = puzzle_numbered(7)
            assert (told.fen, told.count) == (puzzle.position.fen(), len(shipped_puzzles()))
            moves = [f"{start}{end}" for start, ends in told.moves.items() for end in ends]
            assert sorted(moves) == sorted(map(str, puzzle.position.legal_moves))
            for move in moves:
                answer = await ann.request("POST", "/api/puzzles/7/attempt", {"move": move})
                said = AttemptAnswer.model_validate(answer.json())
                assert said.right == (move == str(puzzle.solution))
                assert bool(said.line) == said.right

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
                bad = await ann.request("POST", "/api/puzzles/7/attempt", {"move": move})
                assert bad.status_code == 422, bad.text

    asyncio.run(scenario())


def test_a_player_who_gives_up_is_told_the_solution(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            found = (await ann.request("GET", "/api/puzzles/7/solution")).json()
            told = SolutionAnswer.model_validate(found)
            puzzle = puzzle_numbered(7)
            assert told.line == [str(move) for move in puzzle.line]
            assert (told.theme, told.moves_to_win) == (puzzle.theme, (puzzle.plies + 1) // 2)
            assert (await ann.request("GET", "/api/puzzles/99999/solution")).status_code == 404

    asyncio.run(scenario())

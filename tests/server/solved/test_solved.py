"""What is proven, over HTTP: the ladder as in the documentation, and proofs that answer every try to break them."""

import asyncio
from hashlib import sha256

from stampede.buffalo import Position
from stampede.proofs.certificates.shipped import (
    SHIPPED,
    shipped_files,
    verified_certificates,
)
from stampede.server.solved.models import ChallengeAnswer, SolvedAnswer
from tests.server.clients import guests


def test_the_ladder_tells_what_the_certificates_prove(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            told = SolvedAnswer.model_validate((await ann.request("GET", "/api/solved")).json())
            rungs = {rung.rung: rung for rung in told.rungs}
            assert sorted(rungs) == list(range(-10, 11))
            assert [rungs[rung].winner for rung in range(2, 11)] == ["hunter"] * 9
            assert (rungs[1].winner, rungs[1].proven, rungs[1].total) == (None, 4, 6)
            assert rungs[0].winner is None
            assert [board.winner for board in told.boards] == ["hunter"] * 6
            assert {one.files[0]: one.winner for one in told.fewer if one.missing == 1} == {
                **dict.fromkeys("abcd", "hunter"),
                "e": None,
                "f": None,
            }
            for rung in told.rungs:
                Position.from_fen(rung.fen)
                assert bool(rung.known) == (rung.winner is None), "an open rung tells what is known"
            assert [one.missing for one in rungs[1].known] == ["e", "f"]
            assert all(one.games > 0 and one.positions > 0 for one in rungs[0].known)
            assert [one.files for one in told.first_moves] == [[file] for file in "abcdef"]
            assert all(len(one.known) == (one.winner is None) for one in told.first_moves)
            assert {one.name for one in told.certificates} == {p.stem for p in shipped_files()}
            for proof in verified_certificates():
                counts = {
                    claim.position.fen().split()[0].count("b") for claim in proof.header.claims
                }
                assert len(counts) == 1, "a page can say how many buffaloes a certificate is about"

    asyncio.run(scenario())


def test_every_claim_of_the_page_names_a_verified_certificate(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            told = SolvedAnswer.model_validate((await ann.request("GET", "/api/solved")).json())
            verified = {proof.name: proof.header for proof in verified_certificates()}
            claims = [
                *((rung.winner, by) for rung in told.rungs for by in rung.certificates),
                *((one.winner, one.certificate) for one in told.boards),
                *((one.winner, one.certificate) for one in told.first_moves),
                *((one.winner, one.certificate) for one in told.fewer),
                *((one.winner, one.certificate) for one in told.others),
            ]
            assert len(claims) > 30
            for winner, by in claims:
                if by is None:
                    assert winner is None, "without a certificate a position is open"
                else:
                    assert winner in (None, verified[by].winner.word)
            for rung in told.rungs:
                assert rung.winner is None or rung.certificates

    asyncio.run(scenario())


def test_a_certificate_is_served_as_it_was_verified(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            path = "/api/solved/certificates/opening-abc-3"
            found = await ann.request("GET", path)
            expected = (SHIPPED / "opening-abc-3.cert").read_bytes()
            assert sha256(found.content).digest() == sha256(expected).digest()
            for name in ("verified", "..%2Fverified.json", "nothing"):
                answer = await ann.request("GET", f"/api/solved/certificates/{name}")
                assert answer.status_code == 404

    asyncio.run(scenario())


def test_whatever_the_hunter_tries_the_certificate_answers_until_the_buffaloes_win(
    base: str,
) -> None:
    """The first and the last legal move each time: two whole games, every answer from the certificate or a won race."""

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            for which in (0, -1):
                moves: list[str] = []
                while True:
                    body = {"start": "opening-abc-3", "moves": moves}
                    answer = await ann.request("POST", "/api/solved/play", body)
                    told = ChallengeAnswer.model_validate(answer.json())
                    if told.reply is not None:
                        moves = [*moves, told.reply]
                    if told.over:
                        break
                    assert told.kind in (None, "certificate", "engine")
                    assert told.turn == "hunter"
                    legal = [f"{start}{end}" for start, ends in told.moves.items() for end in ends]
                    moves = [*moves, sorted(legal)[which]]
                assert told.winner == "buffalo"

    asyncio.run(scenario())


def test_bad_starts_and_moves_are_refused(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            for start, moves, status in (
                ("nothing", [], 404),
                ("board-5", ["k7k6"], 422),
                ("board-5", ["zzzz"], 422),
                ("rung-3", ["d7d5"], 422),
            ):
                body = {"start": start, "moves": moves}
                assert (await ann.request("POST", "/api/solved/play", body)).status_code == status
            narrow = await ann.request(
                "POST", "/api/solved/play", {"start": "board-5", "moves": ["a7a6"]}
            )
            told = ChallengeAnswer.model_validate(narrow.json())
            assert told.reply is not None
            assert told.reply[2] in "abcde"

    asyncio.run(scenario())

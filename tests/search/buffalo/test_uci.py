"""The engine as a program of its own, spoken to as GUIs and match runners do."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from stampede.buffalo import START_FEN, Position
from tests.waiting import PATIENCE

COMMAND = [sys.executable, "-m", "stampede.cli", "uci"]
WON_IN_TWO = "11/11/11/11/b9b/2DDCDD4/11 b - - 0 1"


class Talk:
    """A conversation with a running engine."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        """All lines up to the one that begins with a word."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.split()[:1] == [word]:
                return lines
        raise AssertionError(f"no {word} in {lines}")

    def ask(self, *lines: str, until: str) -> list[str]:
        self.say(*lines)
        return self.until(until)


@pytest.fixture(scope="module")
def talk() -> Iterator[Talk]:
    talking = Talk()
    try:
        yield talking
        talking.process.communicate("quit\n", timeout=PATIENCE)
        assert talking.process.returncode == 0
    finally:
        talking.process.kill()


@pytest.fixture(autouse=True)
def _fresh(talk: Talk) -> None:
    talk.ask("setoption name MultiPV value 1", "ucinewgame", "isready", until="readyok")


def test_it_introduces_itself(talk: Talk) -> None:
    lines = talk.ask("uci", until="uciok")
    assert any(line.startswith("id name Stampede") for line in lines)
    assert any(line.startswith("option name MultiPV") for line in lines)


@pytest.mark.parametrize(
    "go", ["depth 4", "nodes 5000", "movetime 100", "wtime 2000 btime 2000 winc 10 binc 10"]
)
def test_it_answers_every_kind_of_budget_with_a_legal_move(talk: Talk, go: str) -> None:
    lines = talk.ask("position startpos moves f7f6 f2f3", f"go {go}", until="bestmove")
    position = Position.start().play("f7f6").play("f2f3")
    position.play(lines[-1].split()[1])
    assert any(" score " in line and " pv " in line and " nps " in line for line in lines)


def test_it_reads_fens_and_tells_proven_wins_as_mates(talk: Talk) -> None:
    lines = talk.ask(f"position fen {WON_IN_TWO}", "go depth 6", until="bestmove")
    assert any("score mate 2 " in line for line in lines)
    assert lines[-1].split()[1] in ("a3a2", "k3k2")


def test_several_lines_are_numbered(talk: Talk) -> None:
    lines = talk.ask(
        "setoption name MultiPV value 3", "position startpos", "go depth 3", until="bestmove"
    )
    assert {f" multipv {number} " in " ".join(lines) for number in (1, 2, 3)} == {True}


def test_an_endless_search_answers_while_it_thinks_and_ends_at_stop(talk: Talk) -> None:
    talk.say("position startpos", "go infinite")
    before = talk.ask("isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in before)
    assert talk.ask("stop", until="bestmove")


def test_an_endless_search_waits_for_stop_even_when_all_is_proven(talk: Talk) -> None:
    talk.say(f"position fen {WON_IN_TWO}", "go infinite")
    before = talk.ask("isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in before)
    assert talk.ask("stop", until="bestmove")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("position fen nonsense b - -", "7 ranks"),
        ("position fen b10/11/11/11/11/3DD1DD3/11 b - -", "chief"),
        ("position startpos moves a7a5", "B2.2"),
        ("position here", "startpos or fen"),
        ("go nodes 0", "nodes"),
        ("go sideways", "sideways"),
        ("setoption name Hash value much", "Hash"),
        ("setoption name Speed value 9", "Speed"),
        ("fly", "fly"),
    ],
)
def test_bad_input_is_answered_and_changes_nothing(talk: Talk, command: str, message: str) -> None:
    lines = talk.ask("position startpos moves a7a6", command, "d", "isready", until="readyok")
    errors = [line for line in lines if line.startswith("info string error")]
    assert len(errors) == 1
    assert message in errors[0]
    assert f"info string {Position.start().play('a7a6').fen()}" in lines


def test_a_finished_game_has_no_best_move(talk: Talk) -> None:
    over = "11/11/11/11/11/3DDCDD3/b10 w - - 0 1"
    assert talk.ask(f"position fen {over}", "go depth 3", until="bestmove")[-1] == "bestmove (none)"


def test_it_leaves_when_its_input_ends() -> None:
    done = subprocess.run(
        COMMAND,
        input=f"position fen {START_FEN}\ngo infinite\n",
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE,  # it may have to compile first
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""


def test_what_a_certificate_knows_is_told_and_never_as_a_faster_win(talk: Talk) -> None:
    """The hunter beats eight buffaloes; each has five steps to rank 2, so that the end comes after 40 moves at most."""
    fen = Position.start("abc").fen()
    lines = talk.ask(f"position fen {fen}", "go nodes 2000", until="bestmove")
    proven = next(line for line in lines if line.startswith("info string the hunter wins: proven"))
    count = int(proven.split("at most ")[1].split()[0])
    assert count <= 40
    last = next(line for line in reversed(lines) if " score " in line)
    assert f"score mate -{count} " in last


def test_tables_and_certificates_can_be_switched_off(talk: Talk) -> None:
    fen = Position.start("abc").fen()
    talk.say("setoption name Tables value false")
    lines = talk.ask(f"position fen {fen}", "go nodes 2000", until="bestmove")
    assert not any("proven" in line for line in lines)
    talk.say("setoption name Tables value true")
    assert (
        "expected true or false"
        in talk.ask("setoption name Tables value maybe", "isready", until="readyok")[0]
    )

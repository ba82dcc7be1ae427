"""The command as a whole: help, versions, exit codes, errors in one line."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import stampede
from stampede.cli.common.guard import guard
from stampede.cli.main import ENTRIES, build, build_index
from stampede.core.errors import StampedeError
from tests.cli.helpers import (
    APP,
    STAMPEDE,
    ending,
    environment,
    hearing_interrupts,
    invoke,
    run,
)
from tests.waiting import PATIENCE, wait_until


def commands(group: typer.Typer, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Walk over all commands below a group, by the words that call them."""
    for command in group.registered_commands:
        assert command.callback is not None
        yield (*path, command.name or command.callback.__name__)
    for below in group.registered_groups:
        assert below.typer_instance is not None
        name = (below.name,) if isinstance(below.name, str) else ()
        yield from commands(below.typer_instance, (*path, *name))


@pytest.mark.parametrize("command", sorted(commands(APP)), ids=" ".join)
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    result = invoke(*command, "--help")
    assert result.exit_code == 0
    assert f"Usage: stampede {' '.join(command)}" in " ".join(result.output.split())


@pytest.mark.parametrize(
    "command",
    [
        *(("play",), ("play", "zoff"), ("play", "buffalo"), ("simulate",), ("perft",)),
        *(("record", "check"), ("record", "show"), ("rules",)),
        *(("buffalo", "show"), ("zoff", "edition", "show"), ("zoff", "edition", "check")),
    ],
    ids=" ".join,
)
def test_help_gives_an_example(command: tuple[str, ...]) -> None:
    text = " ".join(invoke(*command, "--help").output.split())
    assert re.search(rf"Examples?: stampede {' '.join(command)}\b", text)


def test_the_version_is_the_packages() -> None:
    assert invoke("--version").output == f"stampede {stampede.__version__}\n"


def test_alone_it_shows_what_there_is() -> None:
    result = invoke()
    assert result.exit_code == 0
    for word in ("play", "simulate", "record", "perft", "zoff", "buffalo", "rules"):
        assert word in result.output


@pytest.mark.parametrize("name", ENTRIES)
def test_each_command_is_complete_when_it_is_loaded_alone(name: str) -> None:
    alone = set(commands(build(name)))
    assert alone == {words for words in commands(APP) if words[0] == name}
    assert alone


@pytest.mark.parametrize("name", ENTRIES)
def test_the_index_tells_what_a_commands_own_help_begins_with(name: str) -> None:
    own = " ".join(invoke(name, "--help").output.split())
    assert ENTRIES[name].summary in own


def test_the_index_lists_the_commands_without_loading_them() -> None:
    listed = [words[0] for words in commands(build_index())]
    assert sorted(listed) == sorted({words[0] for words in commands(APP)})
    code = (
        "import sys; sys.argv = ['stampede', '--help']\n"
        "from stampede.cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith(('stampede.cli.', 'stampede.games'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1]
    assert loaded == "['stampede.cli.common', 'stampede.cli.common.guard', 'stampede.cli.main']"
    assert "simulate" in done.stdout


def test_an_unknown_command_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    done = run(tmp_path, "simulat")
    assert done.returncode == 2
    assert "No such command 'simulat'" in done.stderr
    assert "simulate" in done.stderr


def test_the_package_runs_as_a_module(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "stampede", "--version"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout == f"stampede {stampede.__version__}\n"


def test_neither_help_nor_a_game_imports_the_heavy_libraries() -> None:
    """Start-up stays quick as long as compiled code is loaded only by those who need it."""
    code = (
        "import sys; from stampede.cli.main import build; from typer.testing import CliRunner;"
        "r = CliRunner().invoke(build(), ['perft', '--depth', '1']); assert r.output == '11\\n';"
        "print([m for m in ('numba', 'numpy', 'scipy', 'fastapi', 'ray') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("record", "check", "missing.jsonl"),
        ("record", "show", "folder"),
        ("record", "check", "binary"),
        ("record", "check", "empty"),
        ("record", "show", "record", "--game", "2"),
        ("zoff", "edition", "check", "missing.toml"),
        ("zoff", "edition", "show", "missing.toml"),
        ("simulate", "chess"),
        ("simulate", "zoff", "--players", "7"),
        ("simulate", "buffalo", "--players", "3"),
        ("simulate", "buffalo", "--variant", "fair"),
        ("simulate", "zoff", "--bot", "genius"),
        ("simulate", "zoff", "--games", "1", "--records", "missing/games.jsonl"),
        ("perft", "nonsense", "--depth", "1"),
        ("buffalo", "show", "nonsense"),
        ("buffalo", "show", "--svg", "missing/board.svg"),
        ("rules", "chess"),
        ("play", "zoff", "--players", "9"),
        ("play", "zoff", "--human", "5"),
        ("play", "zoff", "--human", "1,1"),
        ("play", "zoff", "--names", "Anna,Ben"),
        ("play", "zoff", "--human", "all", "--names", "Anna,Anna"),
        ("play", "zoff", "--save", "record"),
        ("play", "buffalo", "--as", "cow"),
        ("play", "buffalo", "--removed", "z"),
        ("play", "buffalo", "--opening-moves", "12"),
        ("play", "buffalo", "--series", "ladder", "--removed", "a"),
        ("play", "buffalo", "--start", "nonsense"),
        ("play", "--resume", "missing.json"),
        ("play", "--resume", "empty"),
        ("play", "zoff"),
        ("play",),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_on_standard_error_and_exit_code_2(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "empty").write_text("")
    invoke("simulate", "buffalo", "--games", "1", "--records", "record")
    result = invoke(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("stampede: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output


def test_a_wrong_option_is_bad_usage() -> None:
    for arguments in (("perft",), ("perft", "--depth", "-1"), ("simulate",), ("gallop",)):
        assert invoke(*arguments).exit_code == 2


def test_the_guard_lets_no_error_of_ours_through_and_hides_no_bug() -> None:
    broken = typer.Typer()

    @broken.command()
    def refuse() -> None:
        raise StampedeError("one\nline")

    @broken.command()
    def crash() -> None:
        raise ZeroDivisionError

    from typer.testing import CliRunner  # noqa: PLC0415 - for this app only

    guard(broken)
    refused = CliRunner().invoke(broken, ["refuse"])
    assert (refused.exit_code, refused.stderr) == (2, "stampede: one line\n")
    assert isinstance(CliRunner().invoke(broken, ["crash"]).exception, ZeroDivisionError)


def test_a_reader_that_goes_away_is_no_error_message(tmp_path: Path) -> None:
    run(tmp_path, "simulate", "zoff", "--games", "3", "--records", "games.jsonl")
    with subprocess.Popen(
        [STAMPEDE, "record", "show", "games.jsonl", "--game", "1", "--events"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        with ending(process, patience=PATIENCE):
            process.stdout.close()
            complaint = process.stderr.read()
    assert complaint == b""
    assert process.returncode in (0, 141)


def test_an_interrupted_simulation_leaves_no_half_file(tmp_path: Path) -> None:
    command = [STAMPEDE, "simulate", "zoff", "--games", "1000000", "--records", "games.jsonl"]

    def is_writing() -> bool:
        kept = list(tmp_path.glob("stampede-*/shard-*"))  # where records go until all are there
        return any(path.stat().st_size for path in kept) or process.poll() is not None

    with (
        hearing_interrupts(),
        subprocess.Popen(
            command,
            cwd=tmp_path,
            env=environment(tmp_path, {"TMPDIR": str(tmp_path)}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
        ending(process),
    ):
        wait_until("records are being written", is_writing, lambda: list(tmp_path.iterdir()))
        process.send_signal(signal.SIGINT)
        out, complaint = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, complaint) == (130, b"", b"stampede: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_narrow_encoding_spoils_letters_not_commands(tmp_path: Path) -> None:
    done = run(tmp_path, "buffalo", "show", extra={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert " 7  B  B  B " in done.stdout

"""One grammar for all commands: how they describe themselves, their options and their values."""

import re
from typing import Any

import pytest
from typer.main import get_command

from tests.cli.helpers import APP
from tests.cli.test_main import commands

METAVARS = {
    *("ADDRESS", "BOT", "CLAUSE", "E0,E1", "FEN", "FEN|RECORD", "FILE", "FILES", "FOLDER"),
    *("GAME", "GB"),
    *("HASH", "ID", "LIST", "MB", "MOVE", "N", "NAME", "NEW", "PLAYER", "SEATS", "SECONDS"),
    *("SIDE", "SPEC", "TEXT", "URL", "YYYY-MM-DD", "text|json"),
}
ALL = sorted(words for words in commands(APP) if words != ("solve", "table"))  # an old name


def command_of(words: tuple[str, ...]) -> Any:
    """The command as the parser has it, whichever library that belongs to."""
    found: Any = get_command(APP)
    for word in words:
        found = found.commands[word]
    return found


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_a_command_says_what_it_does_in_a_sentence(words: tuple[str, ...]) -> None:
    text = command_of(words).help
    first = text.splitlines()[0]
    assert re.match(r"[A-Z][a-z]+s ", first), "the third person: Shows, Plays …"
    assert first.rstrip().endswith("."), first


@pytest.mark.parametrize("words", [w for w in ALL if w != ("uci",)], ids=" ".join)
def test_a_command_gives_examples_on_lines_of_their_own(words: tuple[str, ...]) -> None:
    lines = [line.strip() for line in command_of(words).help.splitlines()]
    (start,) = (number for number, line in enumerate(lines) if line.startswith("Example"))
    examples = [line for line in lines[start + 1 :] if line]
    assert all(line.startswith("stampede ") for line in examples)
    assert lines[start] == ("Example:" if len(examples) == 1 else "Examples:")


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_options_have_a_sentence_and_a_usual_word_for_their_value(words: tuple[str, ...]) -> None:
    for option in command_of(words).params:  # --series lists its words itself
        if option.name == "help":
            continue
        assert option.help, option.name
        assert option.help.endswith("."), option.help
        assert "by default" not in option.help, f"{option.name}: write 'default: …'"
        if option.name != "series" and not getattr(option, "is_flag", False):
            assert option.metavar in METAVARS, f"{words}: {option.name} has {option.metavar}"

"""docs/cli.md has every command and every option, as the program itself describes them."""

import pytest

from scripts.cli_reference import HIDDEN, PAGE, list_commands, make_page

COMMANDS = dict(list_commands())


def test_the_page_is_what_the_commands_say() -> None:
    assert make_page() == PAGE.read_text(encoding="utf-8"), "run make reference"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_its_section_with_every_option(name: str) -> None:
    page = PAGE.read_text(encoding="utf-8").replace("\\|", "|")
    section = page.split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]
    for parameter in (each for each in COMMANDS[name].params if not each.hidden):
        words = parameter.opts if parameter.opts[0].startswith("-") else [parameter.metavar or ""]
        assert all(word in section for word in words if word not in HIDDEN), parameter.name


def test_the_commands_are_all_there() -> None:
    assert {"stampede play zoff", "stampede solve verify", "stampede serve"} <= set(COMMANDS)
    assert all(command.help for command in COMMANDS.values())

"""Running benchmarks by their command."""

from typer.testing import CliRunner, Result

from benches.commands import app


def bench(*arguments: object) -> Result:
    """Runs `python -m benches` in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])

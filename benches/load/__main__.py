"""Runs the bench without the command line's `stampede bench server`."""

import argparse
import dataclasses
import json

from benches.load.measure import Plan, run, tell_stderr


def main() -> None:
    """Measures, and prints."""
    parser = argparse.ArgumentParser(description="The server under load.")
    for field in dataclasses.fields(Plan):
        kind = type(field.default)
        parser.add_argument(f"--{field.name}", type=kind, default=field.default)
    parser.add_argument("--json", action="store_true")
    given = vars(parser.parse_args())
    as_json = given.pop("json")
    report = run(Plan(**given), tell_stderr)
    if as_json:
        print(json.dumps(report.to_json()))
        return
    for figure in report.figures:
        wanted = "" if figure.expected is None else f"{figure.expected:g}"
        print(f"{figure.name:48}{figure.value:12,.1f} {figure.unit:8}{wanted:>8}")


if __name__ == "__main__":
    main()

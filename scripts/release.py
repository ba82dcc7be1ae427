"""Rehearse a release: check version, changelog, tag and tree, build the packages, try them in fresh environments.

Run by `make release`. It uploads nothing. All findings are listed at the end; it exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from email import message_from_bytes
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from packaging.metadata import Metadata
from packaging.version import InvalidVersion, Version
from trove_classifiers import classifiers as known_classifiers

__all__ = [
    "check_changelog",
    "check_metadata",
    "check_tag",
    "check_tree",
    "check_version",
    "try_base",
    "try_commands",
    "try_package",
    "try_server",
]

ROOT: Final = Path(__file__).resolve().parents[1]
ADDRESS: Final = re.compile(r"http://[\w.]+:\d+")
ASSET: Final = re.compile(r'src="/(assets/[^"]+\.js)"')
MOST_BYTES: Final = 15_000_000
"""What an install without extras may take on disk, its dependencies included, bytecode aside."""
MOST_TRIES: Final = 600
PIPS_OWN: Final = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")
RELATIVE: Final = re.compile(r"\]\((?!https?:|mailto:|#)")


def main() -> None:
    """Checks, builds, tries; lists what is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the packages go")
    parser.add_argument(
        "--rehearse", action="store_true", help="ask for no tag, date or clean tree"
    )
    parser.add_argument(
        "--try", type=Path, metavar="FOLDER", help="only try the packages in a folder"
    )
    options = vars(parser.parse_args())
    out: Path = (options["try"] or options["out"]).resolve()
    version = read_version((ROOT / "src" / "stampede" / "__init__.py").read_text(encoding="utf-8"))
    print(f"Stampede {version}")
    findings = list(check_version(version))
    if not options["rehearse"] and not options["try"]:
        changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        findings += [
            *check_changelog(version, changelog),
            *check_tree(ROOT),
            *check_tag(version, ROOT),
        ]
    with tempfile.TemporaryDirectory(prefix="stampede-release-") as folder:
        if not options["try"]:
            build(Path(folder), out)
        for name in (f"stampede-{version}-py3-none-any.whl", f"stampede-{version}.tar.gz"):
            findings += [
                f"{name}: {text}" for text in try_package(out / name, version, Path(folder))
            ]
    for finding in findings:
        print(f"missing: {finding}")
    if findings:
        sys.exit(1)
    print(f"Ready: {out} holds what can be released.")


def try_package(package: Path, version: str, work: Path) -> Iterator[str]:
    """Yields what is wrong with a package: its metadata, its files, what it does once installed."""
    if not package.is_file():
        yield f"the file in {package.parent}"
        return
    print(f"{package.name}: {package.stat().st_size:,} bytes; trying it in fresh environments ...")
    yield from check_metadata(package, version)
    base = install(package, work / f"base{package.suffix}")
    yield from try_base(base, version)
    server = install(package, work / f"server{package.suffix}", extra="[server]")
    yield from try_commands(server, version)
    yield from try_server(find_command(server), work, {})


def read_version(source: str) -> str:
    """Reads the version from the text of `stampede/__init__.py`."""
    (found,) = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    return str(found)


def check_version(version: str) -> Iterator[str]:
    """Yields what is wrong with a version: it has to be X.Y.Z, perhaps with a pre-release part."""
    try:
        parsed = Version(version)
    except InvalidVersion:
        yield f"a version as X.Y.Z in src/stampede/__init__.py, not {version!r}"
        return
    if parsed.is_devrelease or parsed.local or len(parsed.release) != 3:
        yield f"a version as X.Y.Z in src/stampede/__init__.py, not {version!r}"


def check_changelog(version: str, changelog: str) -> Iterator[str]:
    """Yields what the changelog lacks: a dated section of this version, the first one."""
    headings = re.findall(r"^## \[?([\w.]+)\]?(.*)$", changelog, re.MULTILINE)
    if not headings or headings[0][0] != version:
        found = headings[0][0] if headings else "none"
        yield f"the section {version} at the top of CHANGELOG.md; the first one is {found}"
    elif not re.search(r"\d{4}-\d\d-\d\d", headings[0][1]):
        yield f'a date in the heading of CHANGELOG.md: "## {version} (YYYY-MM-DD)"'


def check_tree(root: Path) -> Iterator[str]:
    """Yields the files that differ from the last commit."""
    changed = git(root, "status", "--porcelain")
    if changed:
        yield f"a clean tree; changed or untracked: {', '.join(line[3:] for line in changed)}"


def check_tag(version: str, root: Path) -> Iterator[str]:
    """Yields what is wrong with the tag vX.Y.Z."""
    tag = f"v{version}"
    if tag in git(root, "tag", "--points-at", "HEAD"):
        return
    if tag in git(root, "tag", "--list", tag):
        yield f"the tag {tag} on this commit; it is on another one"
    else:
        yield f"the tag of this commit: git tag -a {tag} -m 'Stampede {version}'"


def build(work: Path, out: Path) -> None:
    """Builds wheel and sdist from a clone of the last commit, so that no untracked file slips in."""
    print("Building from a clean clone ...")
    clone = work / "clone"
    run(["git", "clone", "--quiet", "--no-local", str(ROOT), str(clone)])
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("stampede-*"):
        old.unlink()
    targets = ["-t", "sdist", "-t", "wheel"]
    run([sys.executable, "-m", "hatchling", "build", *targets, "-d", str(out)], cwd=clone)


def check_metadata(package: Path, version: str) -> Iterator[str]:
    """Yields what is wrong with the metadata of a wheel or an sdist."""
    raw = read_metadata(package)
    metadata = Metadata.from_email(raw, validate=True)
    if metadata.name != "stampede" or metadata.version != Version(version):
        yield f"the metadata of stampede {version}, not of {metadata.name} {metadata.version}"
    if unknown := set(metadata.classifiers or ()) - set(known_classifiers):
        yield f"classifiers that the index knows, not {', '.join(sorted(unknown))}"
    description = metadata.description or str(message_from_bytes(raw).get_payload())
    if not description.strip() or metadata.description_content_type != "text/markdown":
        yield "a description in Markdown"
    if RELATIVE.search(description):
        yield "a description without links or pictures that are relative to the repository"
    names = set(list_files(package))
    for needed in ("stampede/py.typed", "stampede/server/web/index.html"):
        if not any(name.endswith(needed) for name in names):
            yield f"the file {needed}"


def read_metadata(package: Path) -> bytes:
    """Reads METADATA of a wheel or PKG-INFO of an sdist."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            return wheel.read(name)
    with tarfile.open(package) as sdist:
        name = f"{package.name.removesuffix('.tar.gz')}/PKG-INFO"
        found = sdist.extractfile(name)
        assert found is not None
        return found.read()


def list_files(package: Path) -> list[str]:
    """Lists the files in a wheel or an sdist."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return wheel.namelist()
    with tarfile.open(package) as sdist:
        return sdist.getnames()


def install(package: Path, folder: Path, extra: str = "") -> Path:
    """Installs a package into a fresh environment; returns the folder of its programs."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [
        str(programs / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    run([*pip, "-c", str(ROOT / "constraints.txt"), f"{package}{extra}"])
    return programs


def find_command(programs: Path) -> list[str]:
    """Returns the command `stampede` of an environment; exits if the package has none."""
    found = shutil.which("stampede", path=str(programs))
    return [found] if found is not None else sys.exit(f"no command `stampede` in {programs}")


def try_base(programs: Path, version: str) -> Iterator[str]:
    """Yields what is wrong with an install without extras: its commands, or its size."""
    yield from try_commands(programs, version)
    size, bytecode = measure_install(programs.parent)
    print(
        f"  without extras: {size / 1e6:.1f} MB of packages, and {bytecode / 1e6:.1f} MB of bytecode"
    )
    if size > MOST_BYTES:
        yield f"an install without extras of at most {MOST_BYTES / 1e6:.0f} MB, not {size / 1e6:.1f}"


def measure_install(environment: Path) -> tuple[int, int]:
    """Adds up the bytes of an environment's packages, and of the bytecode that pip compiles; pip's own aside."""
    (packages,) = environment.rglob("site-packages")
    size = bytecode = 0
    for file in packages.rglob("*"):
        if not file.is_file() or file.relative_to(packages).parts[0].startswith(PIPS_OWN):
            continue
        if file.suffix == ".pyc":
            bytecode += file.stat().st_size
        else:
            size += file.stat().st_size
    return size, bytecode


def try_commands(programs: Path, version: str) -> Iterator[str]:
    """Yields what an installed package can't do: name its version, play both games, start as a module."""
    command = find_command(programs)
    with tempfile.TemporaryDirectory() as folder:
        said = run([*command, "--version"], cwd=Path(folder)).strip()
        if said != f"stampede {version}":
            yield f"`stampede --version` with {version}, not {said!r}"
        for game in ("zoff", "buffalo"):
            run([*command, "simulate", game, "--games", "1"], cwd=Path(folder))
        run([str(programs / "python"), "-m", "stampede", "rules", "zoff"], cwd=Path(folder))


def try_server(
    command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> Iterator[str]:
    """Yields what `COMMAND serve` doesn't do: serve the client's page, its scripts and the API."""
    database = f"sqlite:///{(folder / 'tables.db').as_posix()}"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-warmup", "--database", database]
    with subprocess.Popen(
        [*command, "serve", *options],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            said: list[str] = []
            address = None
            for line in server.stdout:
                said.append(line)
                if address := ADDRESS.search(line):
                    break
            if address is None:
                yield f"`stampede serve` with an address; it said {''.join(said)!r}"
                return
            if not wait_until_it_listens(address[0], server):
                yield "`stampede serve` that answers at the address it prints"
                return
            yield from _try_pages(address[0])
        finally:
            server.terminate()


def _try_pages(address: str) -> Iterator[str]:
    page = fetch(f"{address}/")
    assets = ASSET.findall(page)
    if not assets:
        yield f"the browser client at `/`, not {page[:200]!r}"
    for asset in assets:
        if len(fetch(f"{address}/{asset}")) < 1000:
            yield f"the script {asset} of the browser client"
    if '"zoff"' not in fetch(f"{address}/api/games"):
        yield "the games at `/api/games`"


def wait_until_it_listens(address: str, server: subprocess.Popen[str]) -> bool:
    """Waits for the first connection that a server accepts: it prints its address a moment earlier."""
    host, _, port = address.removeprefix("http://").partition(":")
    for _ in range(MOST_TRIES):
        if server.poll() is not None:
            return False
        try:
            socket.create_connection((host, int(port)), timeout=60).close()
        except ConnectionRefusedError:
            time.sleep(0.1)
        else:
            return True
    return False


def fetch(address: str) -> str:
    """Fetches a page of the server that is being tried."""
    with urlopen(address, timeout=60) as answer:  # noqa: S310 - our own server's address
        return str(answer.read().decode())


def git(root: Path, *words: str) -> list[str]:
    """Runs git and returns the lines that it prints."""
    return run(["git", *words], cwd=root).splitlines()


def run(command: Sequence[str], cwd: Path | None = None) -> str:
    """Runs a command and returns its output; ends with that output if the command fails."""
    done = subprocess.run(
        command, cwd=cwd, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed with exit code {done.returncode}: {' '.join(command)}")
    return done.stdout


if __name__ == "__main__":
    main()

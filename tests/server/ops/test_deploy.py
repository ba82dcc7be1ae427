"""What `deploy/` and the pages for operators say is true of this server."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from stampede.cli.main import build
from stampede.server.settings import DEPRECATED, REMOVED, ServerSettings

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = sorted(path for path in (ROOT / "deploy").iterdir() if path.is_file())
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("server", "operations", "club", "city")]
SETTINGS = {f"STAMPEDE_{name.upper()}" for name in ServerSettings.model_fields}
OLD_NAMES = {f"STAMPEDE_{name.upper()}" for name in (*DEPRECATED, *REMOVED)}
OF_OTHERS = {"STAMPEDE_SITE", "STAMPEDE_UPSTREAMS", "STAMPEDE_TABLEBASES"}
"""Read by Caddy and by programs that use Buffalo's tablebases, not by the server's settings."""


@pytest.mark.parametrize("path", [*DEPLOY, *PAGES], ids=lambda path: path.name)
def test_every_variable_that_is_named_is_a_setting(path: Path) -> None:
    named = set(re.findall(r"STAMPEDE_[A-Z_]+[A-Z]", path.read_text()))
    unknown = named - SETTINGS - OF_OTHERS - (OLD_NAMES if path.name == "server.md" else set())
    assert {name for name in unknown if not _is_prefix(name)} == set()


def _is_prefix(name: str) -> bool:
    """`STAMPEDE_MAX_…` stands for several."""
    return any(setting.startswith(f"{name}_") for setting in SETTINGS)


def test_every_setting_is_told() -> None:
    told = set(re.findall(r"STAMPEDE_[A-Z_]+[A-Z]", (ROOT / "docs" / "server.md").read_text()))
    assert SETTINGS - told == set()


def test_the_image_is_built_from_what_is_there() -> None:
    text = (ROOT / "deploy" / "Dockerfile").read_text()
    copies = re.findall(r"^COPY (?!--)(.+) \S+$", text, re.MULTILINE)
    sources = [source for copy in copies for source in copy.split()]
    assert len(sources) >= 6
    assert [source for source in sources if not (ROOT / source).exists()] == []
    assert "USER stampede" in text


def test_the_compose_file_holds_together() -> None:
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
    server = compose["services"]["server"]
    assert (ROOT / "deploy" / server["build"]["context"] / server["build"]["dockerfile"]).is_file()
    assert server["command"][0].endswith("exec stampede serve")
    assert server["environment"]["STAMPEDE_SECURE_COOKIES"] == "true"
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    assert server["environment"]["STAMPEDE_TRUSTED_PROXIES"] == network["subnet"]
    assert "ports" not in server, "only the proxy can be reached"
    for service in compose["services"].values():
        assert set(service.get("secrets", [])) <= set(compose["secrets"])
        volumes = [volume.split(":")[0] for volume in service.get("volumes", [])]
        assert {name for name in volumes if not name.startswith(".")} <= set(compose["volumes"])
        assert set(service.get("depends_on", [])) <= set(compose["services"])


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze here")
    units = [path for path in DEPLOY if path.suffix in (".service", ".timer")]
    for unit in units:  # the program isn't installed where the units have it
        text = re.sub(
            r"/usr/local/lib/stampede/bin/stampede", shutil.which("true") or "", unit.read_text()
        )
        (tmp_path / unit.name).write_text(text)
    command = ["systemd-analyze", "verify", *(str(tmp_path / unit.name) for unit in units)]
    told = subprocess.run(command, check=False, capture_output=True, text=True)
    ours = [line for line in told.stderr.splitlines() if "stampede" in line]
    assert (ours, told.returncode) == ([], 0)


@pytest.mark.parametrize(
    ("options", "environment", "told"),
    [
        (["--workers", "2"], {}, "workers: expected 1 with SQLite"),
        (["--log", "xml"], {}, "STAMPEDE_LOG_FORMAT: "),
        ([], {"STAMPEDE_PORT": "none"}, "STAMPEDE_PORT: "),
        (["--database", "postgresql://nobody@127.0.0.1:1/x"], {}, "expected a database that can"),
    ],
)
def test_what_keeps_a_server_from_starting_is_told_in_a_line(
    tmp_path: Path, options: list[str], environment: dict[str, str], told: str
) -> None:
    """Before it says that it is open."""
    usual = {"STAMPEDE_DATABASE_URL": f"sqlite:///{tmp_path / 'tables.db'}"}
    words = ["serve", "--no-warmup", *options]
    done = CliRunner(env={**usual, **environment}).invoke(build("serve"), words)
    assert done.exit_code == 2
    assert told in done.output
    assert "Traceback" not in done.output
    assert "is open" not in done.output

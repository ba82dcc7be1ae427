"""The sounds of the tables: made by our script, small, and played by the browser."""

import importlib.util
import wave
from pathlib import Path
from types import ModuleType

from playwright.sync_api import Browser, expect

from tests.server.servers import ServerProcess
from tests.web.browsers import ROOT
from tests.web.visitor import visiting

KEPT = ROOT / "web" / "public" / "sounds"
MOST = 40_000


def script() -> ModuleType:
    """The script that makes them."""
    spec = importlib.util.spec_from_file_location("sounds", ROOT / "scripts" / "sounds.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def samples(path: Path) -> bytes:
    """The samples of a file."""
    with wave.open(str(path), "rb") as file:
        return file.readframes(file.getnframes())


def test_the_kept_sounds_are_what_the_script_makes_and_small() -> None:
    made = script()
    assert {path.stem for path in KEPT.glob("*")} == set(made.SOUNDS)
    for name in made.SOUNDS:
        kept, new = samples(KEPT / f"{name}.wav"), made.make(name)
        assert len(kept) == len(new)
        # Another machine's sine may differ in its last bit.
        assert max(abs(one - other) for one, other in zip(kept, new, strict=True)) <= 2
    assert sum(path.stat().st_size for path in KEPT.glob("*")) <= MOST


def test_a_browser_decodes_every_sound(browser: Browser, server: ServerProcess) -> None:
    with visiting(browser, server.base) as visitor:
        visitor.visit("/")
        for path in KEPT.glob("*.wav"):
            seconds = visitor.page.evaluate(
                """async (name) => {
                    const answer = await fetch(`/sounds/${name}`);
                    const audio = new OfflineAudioContext(1, 1, 16000);
                    return (await audio.decodeAudioData(await answer.arrayBuffer())).duration;
                }""",
                path.name,
            )
            assert 0.05 < seconds < 1.5


def test_phones_are_mute_until_asked_and_the_volume_is_kept(
    browser: Browser, server: ServerProcess
) -> None:
    with visiting(browser, server.base, size=(390, 844), touch=True) as visitor:
        visitor.play_now("buffalo")
        expect(visitor.it("sound")).to_have_attribute("aria-pressed", "false")
        visitor.it("menu").click()
        visitor.it("sounds").click()
        visitor.it("volume").fill("0.3")
        visitor.page.reload()
        expect(visitor.it("sound")).to_have_attribute("aria-pressed", "true")
        visitor.it("menu").click()
        expect(visitor.it("volume")).to_have_value("0.3")

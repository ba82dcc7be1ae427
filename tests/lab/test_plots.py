"""Plots: well-formed, repeatable, and with every number where it belongs."""

import math
from xml.etree import ElementTree

import pytest

from stampede.lab.plots import Curve, Estimate, draw_bars, draw_curves, draw_estimates

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314 - our own


def test_estimates_stand_in_order_along_the_axis_and_names_are_escaped() -> None:
    rows = [
        Estimate("a < b & c", 0.2, 0.1, 0.3),
        Estimate("second", 0.4, 0.35, 0.45, "other"),
        Estimate("third", 0.6, 0.6, 0.6),
    ]
    root = parsed(draw_estimates("Title", rows, axis="share", reference=0.25))
    dots = root.findall(f"{SVG}circle")
    xs = [float(dot.attrib["cx"]) for dot in dots]
    assert xs == sorted(xs)
    assert xs[2] - xs[1] == pytest.approx(xs[1] - xs[0], abs=0.2)
    lines = {line.get("class"): float(line.attrib["x1"]) for line in root.findall(f"{SVG}line")}
    assert lines["reference"] == pytest.approx(xs[0] + (xs[1] - xs[0]) / 4, abs=0.2)
    texts = [text.text for text in root.findall(f"{SVG}text")]
    assert {"a < b & c", "Title", "share", "other"} <= set(texts)
    assert dots[0].get("fill") != dots[1].get("fill")


def test_curves_have_bands_and_labels_that_cover_their_numbers() -> None:
    curves = [
        Curve("one", ((0, -1.0), (50_000, 1.0)), ((-1.2, -0.8), (0.8, 1.2))),
        Curve("two", ((0, 0.0), (100_000, 0.5))),
    ]
    picture = draw_curves("Learning", curves, x_axis="games", y_axis="lead")
    assert picture == draw_curves("Learning", curves, x_axis="games", y_axis="lead")
    root = parsed(picture)
    assert len(root.findall(f"{SVG}polyline")) == 2
    assert len(root.findall(f"{SVG}polygon")) == 1
    texts = {text.text for text in root.findall(f"{SVG}text")}
    assert {"one", "two", "games", "lead", "100k", "-1", "0", "1"} <= texts


def test_an_interval_without_an_end_has_an_arrow_within_the_plot() -> None:
    rows = [
        Estimate("best", 3, 1, math.inf),
        Estimate("even", 2, 1, 3),
        Estimate("x", 0, -math.inf, 1),
    ]
    root = parsed(draw_estimates("Title", rows, axis="Elo", width=380))
    assert root.get("width") == "380"
    assert len(root.findall(f"{SVG}path")) == 2
    for line in root.findall(f"{SVG}line"):
        assert 0 <= float(line.attrib["x1"]) <= float(line.attrib["x2"]) <= 380


def test_names_that_need_much_room_stand_above_their_rows() -> None:
    rows = [Estimate("a name of thirty letters or so", 3, 1, 4), Estimate("short", 2, 1, 3)]
    narrow, wide = (draw_estimates("", rows, axis="", width=width) for width in (380, 720))
    for picture, above in ((narrow, True), (wide, False)):
        root = parsed(picture)
        name = next(text for text in root.findall(f"{SVG}text") if text.text == rows[0].name)
        dot = root.findall(f"{SVG}circle")[0]
        assert (float(name.attrib["y"]) < float(dot.attrib["cy"])) is above


def test_bars_are_as_long_as_their_numbers() -> None:
    root = parsed(draw_bars("Title", [("a", 4), ("b", 0), ("c", 2)], axis="games", width=380))
    paper, *bars = [float(bar.attrib["width"]) for bar in root.findall(f"{SVG}rect")]
    assert bars == pytest.approx([bars[0], 0, bars[0] / 2], abs=0.1)
    assert 0 < bars[0] < paper
    parsed(draw_bars("", [("none", 0)], axis=""))


def test_a_long_legend_takes_several_rows_and_stays_on_the_paper() -> None:
    curves = [Curve(f"against buffalo-{n}, as hunter", ((0, 0), (1, n))) for n in range(6)]
    root = parsed(draw_curves("Many", curves, x_axis="x", y_axis="y"))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    names = [text for text in root.findall(f"{SVG}text") if "hunter" in (text.text or "")]
    assert len({text.attrib["y"] for text in names}) > 1
    ends = [float(text.attrib["x"]) + 7.2 * len(text.text or "") for text in names]
    assert max(ends) <= width
    bottoms = [float(line.attrib["y2"]) for line in root.findall(f"{SVG}line")]
    assert max(bottoms) < height


def test_a_single_point_and_a_row_without_an_interval_can_be_drawn() -> None:
    parsed(draw_curves("", [Curve("x", ((3, 0),))], x_axis="x", y_axis="y"))
    parsed(draw_estimates("", [Estimate("x", 0, 0, 0)], axis=""))

"""Every lesson, played through the rules; and its texts, in five languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from stampede.buffalo import Position
from stampede.core.errors import InputError
from stampede.games import GAMES
from stampede.lessons import Lesson, all_lessons, expand_lesson, lesson_named
from stampede.lessons.lesson import read_lesson
from stampede.lessons.predicates import holds

LOCALES = Path(__file__).parents[2] / "web" / "src" / "lib" / "i18n" / "locales"
LANGUAGES = ("en", "fr", "de", "it", "nl")
LEAST = 10
MOST_INTERACTIONS = 8
LONGEST = {"title": 32, "idea": 190, "task": 150}
"""Characters that a text may have; other texts have 150 at most."""
EVERYTHING_IS_RIGHT = {("ladder", 1), ("ladder", 2)}
"""Steps that show something and ask for any move."""

Tree = dict[str, Any]


def name_of(lesson: Lesson) -> str:
    return f"{lesson.game}/{lesson.name}"


@pytest.fixture(scope="module", params=all_lessons(), ids=name_of)
def expanded(request: pytest.FixtureRequest) -> Tree:
    """A lesson with all its answers."""
    return dict(expand_lesson(request.param))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_lessons_that_are_numbered(game: str) -> None:
    numbers = [lesson.number for lesson in all_lessons() if lesson.game == game]
    assert len(numbers) >= LEAST
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_step_can_be_solved_and_missed(expanded: Tree) -> None:
    for number, step in enumerate(expanded["steps"], 1):
        verdicts = {answer["verdict"] for answer in step["answers"]}
        assert "right" in verdicts
        assert len(verdicts) > 1 or (expanded["name"], number) in EVERYTHING_IS_RIGHT


def test_a_lesson_is_short(expanded: Tree) -> None:
    """An answer and a tap to go on for each step, if every answer is right."""
    assert 2 * len(expanded["steps"]) <= MOST_INTERACTIONS
    for step in expanded["steps"]:
        if isinstance(step["answers"][0]["action"], dict):
            assert len(step["answers"]) <= 6, "they have to fit the rail of a phone"


def test_answers_are_what_the_rules_say(expanded: Tree) -> None:
    """Legal answers have events and a view; refused ones have neither, but a clause."""
    for step in expanded["steps"]:
        for answer in step["answers"]:
            if answer["verdict"] == "refused":
                assert not answer["events"]
                assert answer["after"] is None
                assert answer["refusal"]["clause"]
            else:
                assert answer["events"]
                assert answer["after"] is not None
                assert answer["refusal"] is None


def test_numbers_of_cows_match_the_legal_actions(expanded: Tree) -> None:
    """Z4.3, Z4.4: what a lesson accepts and refuses is what a table would offer."""
    for step in expanded["steps"]:
        legal = step["view"]["legal"]
        if not legal or legal.get("type") != "place":
            continue
        allowed = [a["action"]["cows"] for a in step["answers"] if a["verdict"] != "refused"]
        assert allowed == legal["cows"]
        for answer in step["answers"]:
            if answer["verdict"] == "refused":
                (reason,) = (
                    group["reason"]
                    for group in legal["refused"]
                    if answer["action"]["cows"] in group["cows"]
                )
                assert answer["refusal"] == reason


def test_no_cow_appears_or_vanishes(expanded: Tree) -> None:
    for step in expanded["steps"]:
        for answer in step["answers"]:
            for view in filter(None, (step["view"], answer["after"])):
                for pasture in view.get("pastures", ()):
                    placed = sum(pasture["herds"].values())
                    assert placed + pasture["free"] == pasture["capacity"]


def test_moves_and_replies_can_be_played(expanded: Tree) -> None:
    """A wrong move of Buffalo is refuted by legal moves; a longer line ends with the other side's win."""
    for step in expanded["steps"]:
        if "fen" not in step["view"]:
            continue
        start = Position.from_fen(step["view"]["fen"])
        for answer in step["answers"]:
            position = start.play(answer["action"])
            if not step["view"]["opening"]:
                assert position.fen() == answer["after"]["fen"]
            if answer["verdict"] != "wrong":
                continue
            assert answer["reply"], f"{answer['action']} is wrong, and nothing says why"
            for move in answer["reply"]:
                position = position.play(move)
            if len(answer["reply"]) > 1:
                assert position.winner is not None
                assert position.winner is not start.turn


def test_a_wrong_answer_has_words_in_every_language(expanded: Tree) -> None:
    for language in LANGUAGES:
        texts = lesson_texts(language, expanded)
        for number, step in enumerate(expanded["steps"], start=1):
            own = texts[str(number)]
            for answer in step["answers"]:
                if answer["verdict"] == "right":
                    assert own["right"]
                elif answer["remark"] or answer["verdict"] == "wrong":
                    assert own[answer["remark"] or "wrong"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_short_and_each_is_used(expanded: Tree, language: str) -> None:
    texts = lesson_texts(language, expanded)
    said = {"title", "idea"}
    for number, step in enumerate(expanded["steps"], start=1):
        remarks = {
            answer["remark"] or "wrong"
            for answer in step["answers"]
            if answer["verdict"] == "wrong" or answer["remark"]
        }
        said.add(str(number))
        assert set(texts[str(number)]) == {"task", "right"} | remarks
        for key, text in texts[str(number)].items():
            assert len(text) <= LONGEST.get(key, 150), f"{number}.{key}: {len(text)}"
    assert set(texts) == said
    assert len(texts["title"]) <= LONGEST["title"]
    assert len(texts["idea"]) <= LONGEST["idea"]


def lesson_texts(language: str, lesson: Tree) -> Tree:
    """A lesson's texts as the browser has them."""
    found = json.loads((LOCALES / language / "learn.json").read_text(encoding="utf-8"))
    texts: Tree = found[lesson["game"]][lesson["name"]]
    return texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_no_texts_without_a_lesson(language: str) -> None:
    found = json.loads((LOCALES / language / "learn.json").read_text(encoding="utf-8"))
    for game in GAMES:
        assert list(found[game]) == [one.name for one in all_lessons() if one.game == game]


def test_the_law_of_herds_is_taught_by_the_sheets_own_example() -> None:
    """Z12.1: pink can place only 1, and orange nothing behind it."""
    lesson: Tree = dict(expand_lesson(lesson_named("zoff", "law-of-herds")))
    answers = {a["action"]["cows"]: a for a in lesson["steps"][1]["answers"]}
    assert [cows for cows, a in answers.items() if a["verdict"] == "right"] == [1]
    assert {a["refusal"]["code"] for a in answers.values() if a["refusal"]} == {"equal_herd"}
    assert holds({"event": "placed", "colour": "orange", "cows": 0}, answers[1]["events"])


# --- predicates and files ---

EVENTS: list[Tree] = [
    {"kind": "filled", "pasture": "A", "seat": 0},
    {"kind": "bonus_placed", "seat": 0, "due": 1, "on": ["B"]},
    {"kind": "bonus_placed", "seat": 0, "due": 2, "on": []},
]


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ({"event": "filled"}, True),
        ({"event": "filled", "pasture": "B"}, False),
        ({"event": "filled", "none": True}, False),
        ({"event": "wasted", "none": True}, True),
        ({"event": "bonus_placed", "least": 2}, True),
        ({"event": "bonus_placed", "least": 3}, False),
        ({"event": "bonus_placed", "sum": "due", "least": 3}, True),
        ({"event": "bonus_placed", "sum": "due", "least": 4}, False),
        ({"event": "bonus_placed", "on.0": "B"}, True),
        ({"event": "bonus_placed", "on.1": "B"}, False),
    ],
)
def test_a_predicate_asks_for_events(predicate: Tree, expected: bool) -> None:
    assert holds(predicate, EVENTS) is expected


@pytest.mark.parametrize(
    "text",
    ["number = 'one'\n[[steps]]\n", "number = 1\nsteps = []", "number = 1\n[[steps]]\naccept = 3"],
)
def test_a_wrong_file_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_lesson("zoff", "wrong", text)


def test_an_unknown_lesson_is_refused() -> None:
    with pytest.raises(InputError, match="a lesson of zoff"):
        lesson_named("zoff", "crossing")

"""Lessons over HTTP: all that a client needs in one answer, which it may keep; and what an account has finished."""

import httpx

from stampede.lessons import all_lessons
from stampede.server.study.lesson_models import LessonAnswer, LessonList
from tests.server.people import browsers, keep, new_name, sign_in


def test_every_lesson_of_the_list_can_be_had_and_kept(base: str) -> None:
    with browsers(base, 1) as (ann,):
        found = LessonList.model_validate(ann.get("/api/lessons").json())
        assert [(one.game, one.name) for one in found.lessons] == [
            (one.game, one.name) for one in all_lessons()
        ]
        for entry in found.lessons:
            answer = ann.get(f"/api/lessons/{entry.game}/{entry.name}")
            lesson = LessonAnswer.model_validate(answer.json())
            assert (lesson.number, len(lesson.steps)) == (entry.number, entry.steps)
            again = {"If-None-Match": answer.headers["ETag"]}
            assert ann.get(answer.url.path, headers=again).status_code == 304


def test_an_unknown_lesson_is_not_found(base: str) -> None:
    with browsers(base, 1) as (ann,):
        for path in ("zoff/crossing", "chess/castling", "zoff/..%2Fedition"):
            assert ann.get(f"/api/lessons/{path}").status_code == 404


def test_finished_lessons_belong_to_the_account(base: str) -> None:
    with browsers(base, 2) as (ann, other):
        done = {"lessons": ["zoff/filling", "buffalo/crossing", "zoff/unheard-of"]}
        assert ann.post("/api/lessons/progress", json=done).status_code == 401
        name = new_name()
        keep(ann, name)
        for _ in range(2):
            told = ann.post("/api/lessons/progress", json=done)
            assert told.json() == {"lessons": ["buffalo/crossing", "zoff/filling"]}
        sign_in(other, name).raise_for_status()
        more = other.post("/api/lessons/progress", json={"lessons": ["zoff/fair"]})
        assert more.json() == {"lessons": ["buffalo/crossing", "zoff/fair", "zoff/filling"]}
        assert ann.get("/api/lessons/progress").json() == more.json()


def test_nonsense_is_refused_and_other_sites_are(base: str) -> None:
    with browsers(base, 1) as (ann,):
        keep(ann, new_name())
        for lessons in ([1], ["../x"], ["zoff/fair"] * 201, "zoff/fair"):
            refused = ann.post("/api/lessons/progress", json={"lessons": lessons})
            assert refused.status_code == 422
        with httpx.Client(base_url=base, cookies=ann.cookies) as evil:
            headers = {"Origin": "https://evil.example"}
            answer = evil.post("/api/lessons/progress", json={"lessons": []}, headers=headers)
            assert answer.status_code == 403


def test_a_deleted_account_leaves_no_finished_lessons(base: str) -> None:
    with browsers(base, 1) as (ann,):
        name = new_name()
        keep(ann, name)
        ann.post("/api/lessons/progress", json={"lessons": ["zoff/fair"]}).raise_for_status()
        assert ann.delete("/api/account").json() == {"done": True}
        keep(ann, name)
        assert ann.get("/api/lessons/progress").json() == {"lessons": []}

"""A registered name belongs to its owner: no one else signs in under it."""

from pathlib import Path

import httpx
import pytest

from tests.server.people import (
    PASSPHRASE,
    account,
    browsers,
    command,
    keep,
    names_at,
    new_name,
    open_table,
    sign_in,
    sit,
)
from tests.server.servers import running, settings_for


def test_a_name_is_kept_and_its_owner_comes_back_on_another_device(
    ann: httpx.Client, eve: httpx.Client
) -> None:
    name = new_name()
    codes = keep(ann, name)
    assert len(set(codes)) == 8
    found = account(ann)
    assert found is not None
    assert (found["name"], found["recovery_codes"], found["fresh"]) == (name, 8, True)
    assert account(eve) is None
    assert sign_in(eve, name.upper()).status_code == 201  # names are compared without case
    assert account(eve) is not None


def test_no_two_keep_names_that_read_alike(ann: httpx.Client, eve: httpx.Client) -> None:
    name = new_name()
    keep(ann, name)
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name)
    for other in (name.lower(), f" {name} ", wide):
        body = {"name": other, "passphrase": PASSPHRASE}
        response = eve.post("/api/accounts", json=body)
        assert (response.status_code, response.json()["error"]) == (409, "name_taken")
        assert eve.get("/api/names", params={"name": other}).json()["free"] is False


def test_a_guest_cannot_sit_down_under_a_kept_name(ann: httpx.Client, eve: httpx.Client) -> None:
    name = new_name()
    keep(ann, name)
    table = open_table(eve, "buffalo", [{}, {}], public=True)
    refused = command(eve, table, "claim", name=name.lower())
    assert (refused.status_code, refused.json()["error"]) == (409, "name_taken")
    sit(ann, table, "another name")
    assert names_at(eve, table)[0] == name  # the owner of a name sits down under it


def test_unknown_names_and_wrong_passphrases_get_the_same_answer(
    ann: httpx.Client, eve: httpx.Client
) -> None:
    name = new_name()
    keep(ann, name)
    wrong, unknown = sign_in(eve, name, "not the right passphrase"), sign_in(eve, new_name())
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()
    assert "set-cookie" not in {*wrong.headers, *unknown.headers}


@pytest.mark.parametrize("passphrase", ["short", "aaaaaaaaaaaaaaaa", "x" * 201])
def test_a_passphrase_that_anybody_guesses_is_refused(ann: httpx.Client, passphrase: str) -> None:
    response = ann.post("/api/accounts", json={"name": new_name(), "passphrase": passphrase})
    assert response.status_code == 422
    assert passphrase not in response.text


def test_attempts_are_counted_by_address_and_by_name(tmp_path: Path) -> None:
    with (
        running(settings_for(tmp_path, rate=0.001, burst=60)) as base,
        browsers(base, 1) as (eve,),
    ):
        answers = [sign_in(eve, "Ann", f"wrong wrong {n}") for n in range(12)]
        assert [answer.status_code for answer in answers[:10]] == [401] * 10
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["Retry-After"]) >= 1

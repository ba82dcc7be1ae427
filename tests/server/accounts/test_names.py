"""What a name may look like, and when two read alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.core.errors import InputError
from stampede.server.accounts.names import DELETED, MAX_NAME, check_name, fold_name
from stampede.server.accounts.passphrases import digest_code, new_codes
from stampede.server.accounts.service import BOTS


@given(st.text(max_size=40))
def test_a_name_that_is_taken_is_safe_to_show_and_stays_itself(text: str) -> None:
    try:
        name = check_name(text)
    except InputError:
        return
    assert len(name) <= MAX_NAME
    assert check_name(name) == name
    assert fold_name(name) == fold_name(fold_name(name)) == fold_name(text)
    assert not set(name) & set('<>&"\\/;%\u0000')
    assert all(unicodedata.category(letter) not in ("Cc", "Cf", "Zl", "Zp") for letter in name)
    assert name.isprintable()
    assert name == name.strip()


@pytest.mark.parametrize(
    "name", ["Ann", "Zoë", "李小龙", "Ωμέγα", "Иван", "O'Neil", "J.-P. 2", "محمد"]
)
def test_names_of_many_scripts_can_be_kept(name: str) -> None:
    assert check_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "x" * 25,
        "Аnn",  # a Cyrillic first letter
        "Ann\u202egnp.exe",
        "Ann\u200b",
        "Ann\n",
        "a  b",
        "- -",
        "a\u0301\u0301\u0301\u0301bc",
        "\u0301abc",
        "😀😀",
        DELETED.upper(),
        "Admin",
        BOTS[-1].title(),
    ],
)
def test_a_name_that_deceives_or_is_reserved_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="name: expected"):
        check_name(name, BOTS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"),
        ("Straße", "STRASSE"),
        ("\ufb01ne", "fine"),
        ("\uff21nn", "ann"),
        ("Zoe\u0308", "zoë"),
    ],
)
def test_names_that_read_alike_are_the_same(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


def test_recovery_codes_are_read_however_they_are_typed() -> None:
    code = new_codes()[0]
    digest = digest_code("a1", code)
    assert digest == digest_code("a1", code.upper().replace("-", " "))
    assert digest != digest_code("a2", code)

"""Names that people give themselves: safe to show, bounded, told apart."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.names import LONGEST, clean, told_apart


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  张  三 ", "张 三"),
        ("Ａｎｎａ", "Anna"),
        ("张\u3000三", "张 三"),
        ("Anna\u200b", "Anna"),
        ("\u202eAnna\u202c", "Anna"),
        ("An\u2066na\u2069", "Anna"),
        ("Anna\x00\x07", "Anna"),
        ("a\nb\tc", "a b c"),
        ("<b>&amp;\"'", "<b>&amp;\"'"),
        ("李" * 40, "李" * LONGEST),
        ("ﬁ①", "fi1"),
        ("e\u0301", "é"),
        ("e\u200d\u0301", "é"),
        ("Z" + "\u0335" * 50 + "o", "Z\u0335\u0335o"),
        ("\u200b\u2060 \u3000", ""),
        ("\u3164\uffa0\u115f\u1160\u2800", ""),
        ("甲\ufe0f\u034f\u180b\U000e0100\u17b4", "甲"),
        ("", ""),
    ],
)
def test_a_name_is_made_safe(typed: str, kept: str) -> None:
    assert clean(typed) == kept


@given(st.text(max_size=200))
def test_a_clean_name_is_short_visible_and_clean_already(typed: str) -> None:
    name = clean(typed)
    assert clean(name) == name
    assert sum(unicodedata.category(c)[0] != "M" for c in name) <= LONGEST
    assert len(name) <= 3 * LONGEST + 2
    assert not any(unicodedata.category(c)[0] == "C" for c in name)
    assert name == " ".join(name.split())


@pytest.mark.parametrize(
    ("name", "others", "shown"),
    [
        ("甲", [], "甲"),
        ("甲", ["乙"], "甲"),
        ("甲", ["甲"], "甲 (2)"),
        ("甲", ["甲", "甲 (2)"], "甲 (3)"),
        ("甲", ["甲 (2)"], "甲"),
        ("anna", ["Anna"], "anna (2)"),
        ("STRASSE", ["straße"], "STRASSE (2)"),
    ],
)
def test_two_of_one_name_are_told_apart(name: str, others: list[str], shown: str) -> None:
    assert told_apart(name, others) == shown


@given(st.lists(st.sampled_from(["甲", "甲 (2)", "Anna", "anna", "ANNA (2)"]), max_size=12))
def test_nobody_has_the_name_of_another(typed: list[str]) -> None:
    names: list[str] = []
    for name in typed:
        names.append(told_apart(name, names))
    assert len({name.casefold() for name in names}) == len(typed)

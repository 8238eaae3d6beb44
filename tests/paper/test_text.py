"""Line breaking, fitting, vertical setting and the font's characters: over every text that the modes print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from uniseg.linebreak import line_break_boundaries

from companion.modes import MODES, find_mode
from printables import labels
from printables.faces import paragraphs
from printables.fonts import Fonts, MissingCharacter, fonts
from printables.labels import LANGS, Lang
from printables.text import NO_END, NO_START, DoesNotFit, Line, Span, fit, lines, tokens, upright


def texts(lang: Lang) -> Iterator[str]:
    for mode in map(find_mode, MODES):
        yield from (mode.name[lang], mode.blurb[lang], *(camp[lang] for camp in mode.camps.values()))
        for role in mode.roles.values():
            yield from (role.name[lang], role.goal[lang])
        for clause in mode.clauses.values():
            yield from (clause.title[lang], clause.text[lang])
    yield from (words[LANGS.index(lang)] for words in labels.LABELS.values())


def words(line: Line) -> str:
    return "".join(piece.text for piece in line)


@pytest.mark.parametrize("lang", LANGS)
def test_lines_break_only_where_unicode_allows(lang: Lang) -> None:
    for text in texts(lang):
        allowed = set(line_break_boundaries(_as_chinese(text) if lang != "en" else text))
        at = 0
        for token in tokens(text, lang == "en"):
            at += len(token)
            assert at in allowed or at == len(text), text[:at] + "|" + text[at:]


def _as_chinese(text: str) -> str:
    """Unicode leaves quotation marks undecided; as Chinese brackets they say which side they belong to."""
    return text.translate(str.maketrans("“”‘’", "「」『』"))


@pytest.mark.parametrize("lang", ["zh_hans", "zh_hant"])
@pytest.mark.parametrize("width", [5, 8.3, 11, 16.7])
def test_no_line_begins_or_ends_with_the_wrong_mark(lang: Lang, width: float, noto: Fonts) -> None:
    for text in texts(lang):
        try:
            made = lines([Span(text, noto.sans)], width, justify=True)
        except DoesNotFit:
            continue
        assert "".join(map(words, made)).replace(" ", "") == text.replace(" ", "")
        for number, line in enumerate(made):
            shown = words(line)
            assert number == 0 or shown[0] not in NO_START, text
            assert number == len(made) - 1 or shown[-1] not in NO_END, text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("体力上限 +1，回复 12 点体力", ["+1，", "12 "]),
        ("凶手摸 3+X 张牌", ["3+X "]),
        ("攻击范围 -1，至少为 1。", ["-1，", "1。"]),
        ("他说：“不可能！”然后……离开——了", ["“不", "能！”", "后……", "开——"]),
        ("（含贼首）。", ["（含", "首）。"]),
    ],
)
def test_numbers_words_and_marks_stay_together(text: str, whole: list[str]) -> None:
    found = tokens(text)
    assert "".join(found) == text
    for token in whole:
        assert token in found


def test_lines_are_filled_to_their_width_but_for_the_last(noto: Fonts) -> None:
    span = Span("主公阵亡后，亮明身份，体力上限 +1，回复 1 点体力，武将牌有主公技则获得之。" * 2, noto.sans)
    made = lines([span], 12.4, justify=True)
    for line in made[:-1]:
        piece = line[-1]
        end = piece.x + span.width(piece.text) + piece.gap * (len(piece.text) - 1)
        assert end == pytest.approx(12.4, abs=0.01)
    assert made[-1][-1].gap == 0


def test_a_text_shrinks_to_the_floor_and_then_is_refused(noto: Fonts) -> None:
    def set_in(height: float) -> float:
        text = [[Span("反贼阵亡：凶手摸三张牌。" * 6, noto.sans)]]
        return fit(text, 40, height, (3.0, 2.0), leading=1.4, space=0.4, justify=True).size

    assert set_in(60) == 3.0
    assert set_in(16) < 3.0
    assert set_in(11.3) == pytest.approx(2.0)
    with pytest.raises(DoesNotFit, match="凶手摸三张牌"):
        set_in(8)


def test_a_word_wider_than_the_line_is_refused_not_cut(noto: Fonts) -> None:
    with pytest.raises(DoesNotFit, match="Unzerlegbarkeit"):
        lines([Span("an Unzerlegbarkeit", noto.sans, latin=True)], 5, justify=False)


def test_the_same_lines_at_every_scale(noto: Fonts) -> None:
    spans = paragraphs("rebel_chief", find_mode("court8"), "zh_hans", noto)
    small = fit(spans, 50, 40, (3.0, 3.0), leading=1.4, space=0.4, justify=True)
    large = fit(spans, 100, 80, (6.0, 6.0), leading=1.4, space=0.4, justify=True)
    assert [words(line) for _, line in small.lines] == [words(line) for _, line in large.lines]


def test_vertical_lines_have_vertical_marks() -> None:
    assert upright("主公，“甲‘一’”（乙）「丙」……") == "主公︐﹃甲﹁一﹂﹄︵乙︶﹁丙﹂︙︙"


@pytest.mark.parametrize("lang", LANGS)
def test_the_fonts_have_every_character_that_is_printed(lang: Lang, noto: Fonts) -> None:
    for text in texts(lang):
        noto.sans.require(text)
        noto.serif.require(upright(text))


@pytest.mark.parametrize(("text", "number"), [("张三🀄", "U+1F004"), ("\u0e01", "U+0E01"), ("a\ue000", "U+E000")])
def test_a_missing_character_is_named_with_its_number(text: str, number: str, noto: Fonts) -> None:
    with pytest.raises(MissingCharacter, match=re.escape(number)) as refusal:
        noto.title.require(text)
    assert refusal.value.text == text


def test_traditional_and_simplified_characters_are_both_there(noto: Fonts) -> None:
    assert all(noto.sans.has(c) and noto.serif.has(c) for c in "贼賊党黨义義乱亂窃竊②−◆→·")


@pytest.mark.parametrize("content", [b"", b"not a font at all", b"\0\1\0\0" + bytes(40)])
def test_a_file_that_is_no_font_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "title.ttf"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a font"):
        fonts(path)


def test_labels_are_complete() -> None:
    for key, said in labels.LABELS.items():
        assert len(said) == 3 and all(said), key
        names = [sorted(re.findall(r"\{(\w+)\}", text)) for text in said]
        assert names[0] == names[1] == names[2], key

"""The commands that print: what they write, and how they refuse."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result

from companion.cli import main

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def companion(*arguments: str, lang: str = "en") -> Result:
    data = ["--data", "data"] if arguments[0] == "cards" and "--data" not in arguments else []
    dpi = [] if "--dpi" in arguments else ["--dpi", "150"]
    result = CliRunner().invoke(main, [*arguments, *data, *dpi, "--lang", lang])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def pages(path: str) -> int:
    return len(pypdfium2.PdfDocument(Path(path).read_bytes()))


def test_cards_of_a_mode_become_a_pdf() -> None:
    result = companion("cards", "classic", "--players", "5")
    assert result.exit_code == 0 and result.output == "classic.pdf\n"
    assert pages("classic.pdf") == 2


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
@pytest.mark.parametrize(
    "more",
    [
        ["--paper", "letter", "--size", "us", "--backs", "short", "--marks", "full"],
        ["--size", "tarot", "--backs", "fold", "--marks", "off"],
        ["--size", "60x90", "--bleed", "2", "--offset", "0.5,-1"],
        ["--single", "--marks", "outside", "--address", "http://10.0.0.7:8765/c"],
        ["--single", "--backs", "fold", "--offset", "0.5,0"],
    ],
)
def test_every_way_to_print_cards(lang: str, more: list[str]) -> None:
    assert companion("cards", "court8", *more, "--out", "out.pdf", lang=lang).exit_code == 0
    assert pages("out.pdf") >= 2


def test_a_folder_takes_one_picture_a_card() -> None:
    assert companion("cards", "court8", "--out", "cards").exit_code == 0
    assert len(list(Path("cards").glob("*.png"))) == 9
    assert (Path("cards") / "back.png").is_file()


def test_a_deck_of_ones_own() -> None:
    assert companion("cards", "classic", "--cards", "主公, 反贼 rebel", "--out", "own").exit_code == 0
    assert sorted(path.name for path in Path("own").iterdir()) == [
        "01-lord-1.png",
        "02-rebel-1.png",
        "03-rebel-2.png",
        "back.png",
    ]


def test_the_key_is_made_once_and_the_codes_stay() -> None:
    companion("cards", "classic", "--out", "one.pdf")
    key = Path("data/deck.key").read_text("ascii")
    companion("cards", "classic", "--out", "two.pdf")
    assert Path("data/deck.key").read_text("ascii") == key
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()
    companion("cards", "classic", "--out", "three.pdf", "--key", "0000111122223333")
    assert Path("three.pdf").read_bytes() != Path("one.pdf").read_bytes()


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["cards", "court9"], ""),
        (["cards", "poker"], "court8"),
        (["sheet", "poker"], "court8"),
        (["cards", "classic", "--players", "11"], "2–10"),
        (["cards", "classic", "--branch", "duo"], "branch"),
        (["cards", "ambition", "--branch", "tian"], "luan, duo"),
        (["cards", "classic", "--size", "big"], "poker"),
        (["cards", "classic", "--size", "20x90"], "30"),
        (["cards", "classic", "--offset", "1"], "X,Y"),
        (["cards", "classic", "--offset", "21,0"], "20"),
        (["cards", "classic", "--cards", "emperor"], "emperor"),
        (["cards", "classic", "--cards", "lord>x"], "x"),
        (["cards", "classic", "--cards", "lord:red"], ""),
        (["cards", "chuhan", "--cards", "chu:blue"], ""),
        (["cards", "sixteen", "--cards", "lord:red rebel:purple"], ""),
        (["cards", "sixteen", "--cards", "lord:purple"], "purple"),
        (["cards", "sixteen", "--cards", "rebel:red"], ""),
        (["cards", "sixteen", "--cards", "assassin>2"], ">"),
        (["cards", "classic", "--cards", "rebel " * 13], "12"),
        (["cards", "classic", "--address", "here"], "http://"),
        (["cards", "classic", "--single", "--margin", "9"], "--margin"),
        (["cards", "classic", "--backs", "fold", "--out", "pictures"], "--backs"),
        (["cards", "classic", "--out", "lord.png"], "PDF"),
        (["cards", "classic", "--title-font", "no.ttf"], "no.ttf"),
        (["calibration", "--title-font", "no.ttf"], "no.ttf"),
        (["poster", "http://10.0.0.7/" + "x" * 90], "80"),
        (["poster", "http://10.0.0.7", "--wifi", "x" * 33], "32"),
        (["poster", "http://10.0.0.7", "--wifi", "Peach", "--password", "x" * 64], "63"),
        (["tents", "\u200b"], ""),
    ],
)
def test_bad_usage_is_said_in_one_language(lang: str, arguments: list[str], named: str) -> None:
    Path("no.ttf").write_text("no font")
    result = companion(*arguments, lang=lang)
    assert result.exit_code == 2 and named in result.output
    assert not list(Path().glob("*.pdf"))
    assert_is_in_one_language(result, lang)


def assert_is_in_one_language(result: Result, lang: str) -> None:
    """English without Chinese; Chinese with no more than names, addresses and options between; nothing raw."""
    told = result.output.removeprefix("Error: ")
    chinese, words = re.findall(r"[\u3000-\u9fff\uff00-\uffef]", told), re.findall(r"[a-z]{2,} [a-z]{2,}", told)
    assert not chinese if lang == "en" else chinese and not words, told
    assert not re.search(r"[{}_]|None|Usage", told), told
    if lang == "zh-Hant":
        assert not set(told) & set("请张这个写没颜红种")


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["cards", "classic", "--margin", "90"], "A4"),
        (["cards", "court8", "--size", "250x300"], "250 × 300"),
        (["cards", "court8", "--size", "150x200", "--backs", "fold"], "150 × 200"),
        (["cards", "court8", "--out", "nowhere/cards.pdf"], "nowhere"),
        (["sheet", "court8", "--out", "nowhere/sheet.pdf"], "nowhere"),
        (["tents", "赵", "--out", "nowhere/tents.pdf"], "nowhere"),
        (["cards", "court8", "--data", "file/in/the/way"], "file"),
        (["poster", "http://10.0.0.7", "--wifi", "𓂀"], "(U+13080)"),
    ],
)
def test_what_cannot_be_printed_is_an_error_in_plain_words(lang: str, arguments: list[str], named: str) -> None:
    Path("file").write_text("")
    result = companion(*arguments, lang=lang)
    assert result.exit_code == 1 and named in result.output
    assert not list(Path().glob("*.pdf"))
    assert_is_in_one_language(result, lang)


def test_a_name_that_the_font_cannot_write_is_named() -> None:
    result = companion("tents", "张三", "王🐼")
    assert result.exit_code == 1 and "🐼 (U+1F43C)" in result.output and "王🐼" in result.output


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_a_name_that_is_too_long_is_named(lang: str) -> None:
    result = companion("tents", "Bartholomew" * 9, lang=lang)
    assert result.exit_code == 1 and "Bartholomew" * 9 in result.output
    assert_is_in_one_language(result, lang)


def test_text_too_long_for_a_small_card_names_card_and_text() -> None:
    result = companion("cards", "court8", "--size", "30x44", lang="zh-Hans")
    assert result.exit_code == 1
    assert "主公" in result.output and "亮明身份" in result.output


def test_paragraphs_of_a_text_that_does_not_fit_stand_apart() -> None:
    result = companion("cards", "sixteen", "--size", "30x44")
    assert result.exit_code == 1 and not re.search(r"[a-z][.:][A-Z]", result.output), result.output


def test_the_rest_of_the_paper() -> None:
    assert companion("sheet", "court8").output == "court8-sheet.pdf\n"
    assert companion("sheet", "court8", "--no-strips", "--out", "short.pdf").exit_code == 0
    assert pages("court8-sheet.pdf") == pages("short.pdf") + 1
    assert companion("poster", "http://10.0.0.7:8765", "--wifi", "Peach", "--password", "garden").exit_code == 0
    assert companion("tents", "张三", "李四", "王五", lang="zh-Hans").exit_code == 0
    assert companion("calibration", "--paper", "letter", lang="zh-Hant").exit_code == 0
    assert companion("calibration", "--backs", "short", "--landscape", "--out", "side.pdf").exit_code == 0
    assert b"/DuplexFlipShortEdge" in Path("side.pdf").read_bytes()
    assert b"/DuplexFlipLongEdge" in Path("calibration.pdf").read_bytes()
    assert (pages("poster.pdf"), pages("tents.pdf"), pages("calibration.pdf")) == (1, 2, 2)


def test_other_commands_load_nothing_for_printing() -> None:
    late = "import sys, companion.cli; print(*{'PIL', 'reportlab', 'pylopdf_fonts_zh_cn'} & sys.modules.keys())"
    loaded = subprocess.run([sys.executable, "-c", late], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []


def test_a_title_font_of_ones_own() -> None:
    from pylopdf_fonts_zh_cn import sans_path

    assert companion("cards", "classic", "--out", "usual.pdf").exit_code == 0
    assert companion("cards", "classic", "--title-font", str(sans_path()), "--out", "own.pdf").exit_code == 0
    assert Path("own.pdf").read_bytes() != Path("usual.pdf").read_bytes()


def test_a_title_font_without_chinese_sets_english_cards() -> None:
    import reportlab

    latin = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
    assert companion("cards", "sixteen", "--title-font", str(latin), "--out", "latin.pdf").exit_code == 0
    assert companion("sheet", "sixteen", "--title-font", str(latin), "--out", "sheet.pdf").exit_code == 0
    result = companion("cards", "sixteen", "--title-font", str(latin), lang="zh-Hant")
    assert result.exit_code == 1 and "U+" in result.output

"""Sheets: the geometry as numbers, and read back from the PDF by an independent renderer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from PIL import Image

from printables import decks
from printables.cards import POKER, TAROT, US, Format
from printables.fonts import Fonts
from printables.sheets import A4, LETTER, Backs, DoesNotFitOnPaper, Grid, Layout, Paper, grid, ruler
from tests.paper.conftest import MakeDeck, Pdf, wax

Write = Callable[..., tuple[Pdf, Grid, decks.Deck]]
NEAR = pytest.approx


@pytest.mark.parametrize(
    ("form", "paper", "bleed", "backs", "columns", "rows"),
    [
        (POKER, A4, 0, "long", 3, 3),
        (POKER, LETTER, 0, "long", 3, 3),
        (POKER, A4, 3, "long", 3, 3),
        (POKER, LETTER, 3, "long", 4, 2),
        (US, A4, 0, "long", 3, 3),
        (US, LETTER, 0, "short", 3, 3),
        (TAROT, A4, 0, "none", 2, 2),
        (POKER, A4, 0, "fold", 2, 2),
        (POKER, LETTER, 0, "fold", 2, 2),
    ],
)
def test_as_many_as_the_paper_holds(
    form: Format, paper: Paper, bleed: float, backs: Backs, columns: int, rows: int
) -> None:
    made = grid(Layout(form, paper, bleed, backs))
    assert (made.columns, made.rows) == (columns, rows)
    assert sorted((made.width, made.height)) == [paper.width, paper.height]
    xs, ys = made.cuts()
    assert xs[0] >= 4 and ys[0] >= 4
    assert xs[0] + xs[-1] == NEAR(made.width) and ys[0] + ys[-1] == NEAR(made.height)


@pytest.mark.parametrize(
    "layout",
    [
        Layout(Format(250, 300), A4),
        Layout(POKER, A4, margin=100),
        Layout(POKER, LETTER, margin=80, backs="fold"),
        Layout(Format(208, 295), A4, bleed=10),
    ],
)
def test_an_impossible_grid_is_refused(layout: Layout) -> None:
    with pytest.raises(DoesNotFitOnPaper, match=layout.paper.name):
        grid(layout)


@pytest.mark.parametrize("backs", ["long", "short"])
@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("bleed", [0.0, 3.0])
def test_backs_lie_behind_their_fronts(backs: Backs, paper: Paper, bleed: float) -> None:
    made = grid(Layout(POKER, paper, bleed, backs))
    about_upright_axis = (backs == "long") == (made.height > made.width)
    for number in range(made.count):
        one = made.slot(number)
        back = made.behind(one)
        if about_upright_axis:
            assert (back.x + POKER.width, back.y) == NEAR((made.width - one.x, one.y))
        else:
            assert (back.x, back.y + POKER.height) == NEAR((one.x, made.height - one.y))


def test_an_offset_moves_backs_and_nothing_else() -> None:
    plain, moved = grid(Layout(POKER, A4)), grid(Layout(POKER, A4, offset=(0.7, -1.2)))
    for number in range(9):
        assert moved.slot(number) == plain.slot(number)
        one, other = plain.back(plain.slot(number)), moved.back(moved.slot(number))
        assert (other.x - one.x, other.y - one.y) == NEAR((0.7, -1.2))


@pytest.mark.parametrize("paper", [A4, LETTER])
def test_pages_boxes_and_what_the_printer_is_told(paper: Paper, sheets_pdf: Write) -> None:
    for backs, told in (("long", b"DuplexFlipLongEdge"), ("short", b"DuplexFlipShortEdge"), ("none", b"Simplex")):
        pdf, _, _ = sheets_pdf(paper=paper, backs=backs)
        assert pdf.size(0) == NEAR((paper.width, paper.height), abs=0.01)
        assert pdf.box(0, "trim") == NEAR((0, 0, paper.width, paper.height), abs=0.01)
        assert b"/PrintScaling /None" in pdf.raw
        assert b"/Duplex /" + told in pdf.raw
        assert len(pdf) == (1 if backs == "none" else 2)


def dark_lines(image: Image.Image, along: str, dpi: int) -> list[float]:
    """Where dark lines cross the edge of the page, in mm."""
    strip = image.convert("L")
    strip = strip.crop((0, 3, strip.width, 4)) if along == "x" else strip.crop((3, 0, 4, strip.height))
    values = list(strip.tobytes())
    found: list[list[int]] = []
    for at, value in enumerate(values):
        if value < 128:
            if found and found[-1][-1] == at - 1:
                found[-1].append(at)
            else:
                found.append([at])
    return [(sum(run) / len(run) + 0.5) / dpi * 25.4 for run in found]


@pytest.mark.parametrize("form", [POKER, US, TAROT], ids=["poker", "us", "tarot"])
def test_cards_measure_what_they_should(form: Format, sheets_pdf: Write) -> None:
    pdf, made, _ = sheets_pdf(form=form, marks="full", backs="none")
    image = pdf.image(0, 600)
    xs, ys = dark_lines(image, "x", 600), dark_lines(image, "y", 600)
    assert len(xs) == made.columns + 1 and len(ys) == made.rows + 1
    for cuts, size in ((xs, form.width), (ys, form.height)):
        for before, after in pairwise(cuts):
            assert after - before == NEAR(size, abs=0.1)


@pytest.mark.parametrize(("paper", "bleed"), [(A4, 0.0), (LETTER, 0.0), (A4, 3.0), (LETTER, 3.0)])
def test_a_ruler_is_on_the_sheet(paper: Paper, bleed: float, sheets_pdf: Write) -> None:
    pdf, made, _ = sheets_pdf(paper=paper, bleed=bleed, backs="none")
    x, y, length = ruler(made)
    _, ys = made.cuts()
    assert length == 50 and ys[-1] + max(bleed, 1.5) < y - 2.2 and y < made.height - 2
    mm = 600 / 25.4
    image = pdf.image(0, 600).convert("L")
    row = image.crop((round((x - 2) * mm), round((y - 0.7) * mm), round((x + 50.5) * mm), round((y - 0.7) * mm) + 1))
    dark = [at for at, value in enumerate(row.tobytes()) if value < 128]
    assert (dark[-1] - dark[0]) / mm == NEAR(50, abs=0.15)
    off, _, _ = sheets_pdf(paper=paper, bleed=bleed, backs="none", marks="off")
    assert off.image(0, 150).getpixel((round((x + 5) * 150 / 25.4), round(y * 150 / 25.4))) == (255, 255, 255)


@pytest.mark.parametrize(("form", "words"), [(POKER, "50 mm"), (Format(52, 74), "40 mm"), (Format(44, 60), "30 mm")])
def test_a_ruler_says_how_long_it_is(form: Format, words: str, noto: Fonts, sheets_pdf: Write) -> None:
    pdf, made, _ = sheets_pdf("classic", form=form, backs="none")
    x, y, length = ruler(made)
    assert words == f"{length} mm"
    mm, size = 600 / 25.4, 2.0
    box = (x + length + 0.3, y - 2.1, made.cuts()[0][1], y + 0.6)
    crop = cast("tuple[int, int, int, int]", tuple(round(side * mm) for side in box))
    label = pdf.image(0, 600).convert("L").crop(crop)
    left, _, right, _ = label.point([255 * (value < 128) for value in range(256)]).getbbox() or (0, 0, 0, 0)
    assert (right - left) / mm == NEAR(noto.sans.measure(words) * size, abs=0.4)


def test_the_picture_lies_between_its_cuts(sheets_pdf: Write) -> None:
    """The frame's outer edge is 3 mm from the cut on every side."""
    pdf, made, _ = sheets_pdf(marks="off", backs="none")
    image = pdf.image(0, 600).convert("L")
    mm = 600 / 25.4
    for number in (0, 4, 7):
        slot = made.slot(number)
        middle_x, middle_y = round((slot.x + 20) * mm), round((slot.y + 44) * mm)
        for start, step, size in (
            ((round(slot.x * mm), middle_y), (1, 0), 1),
            ((round((slot.x + 63) * mm), middle_y), (-1, 0), 1),
            ((middle_x, round(slot.y * mm)), (0, 1), 1),
            ((middle_x, round((slot.y + 88) * mm)), (0, -1), 1),
        ):
            x, y = start
            passed = 0
            while cast(int, image.getpixel((x, y))) > 128:
                x, y, passed = x + step[0], y + step[1], passed + size
            assert passed / mm == NEAR(3.0, abs=0.15)


def middle_of_wax(image: Image.Image, x: float, y: float) -> tuple[float, float]:
    """The middle of the red seal that lies around a place of a page drawn at 300 dpi, in mm."""
    mm = 300 / 25.4
    box = (round((x - 20) * mm), round((y - 20) * mm), round((x + 20) * mm), round((y + 20) * mm))
    points = list(wax(image.crop(box)))
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return ((min(xs) + max(xs) + 1) / 2 + box[0]) / mm, ((min(ys) + max(ys) + 1) / 2 + box[1]) / mm


@pytest.mark.parametrize("backs", ["long", "short"])
@pytest.mark.parametrize(("paper", "bleed"), [(A4, 0.0), (A4, 3.0), (LETTER, 3.0)], ids=["a4", "a4-bleed", "on-side"])
def test_printed_backs_meet_their_fronts_through_the_paper(
    backs: Backs, paper: Paper, bleed: float, sheets_pdf: Write
) -> None:
    pdf, made, deck = sheets_pdf(paper=paper, bleed=bleed, backs=backs)
    sideways = (backs == "long") == (made.height > made.width)
    image = pdf.image(1, 300)
    for number in range(min(len(deck.cards), made.count)):
        slot = made.slot(number)
        x, y = slot.x + 31.5, slot.y + 44
        through = (made.width - x, y) if sideways else (x, made.height - y)
        found = middle_of_wax(image, *through)
        assert found == NEAR(through, abs=0.15)


def test_a_half_filled_page_keeps_the_grid(sheets_pdf: Write) -> None:
    pdf, made, deck = sheets_pdf("classic", backs="long")
    left = len(deck.cards) - made.count
    assert 0 < left < made.count and len(pdf) == 4
    mm = 150 / 25.4
    fronts, backs = pdf.image(2), pdf.image(3)
    for number in range(made.count):
        slot = made.slot(number)
        back = made.behind(slot)
        is_there = number < left
        assert (fronts.getpixel((round((slot.x + 5) * mm), round((slot.y + 44) * mm))) != (255,) * 3) == is_there
        assert (backs.getpixel((round((back.x + 31) * mm), round((back.y + 44) * mm))) != (255,) * 3) == is_there


def test_printed_backs_are_one_picture(sheets_pdf: Write) -> None:
    pdf, _, deck = sheets_pdf()
    assert pdf.raw.count(b"/Subtype /Image") == deck.pictures + 1  # and the ruler's label


def test_an_offset_moves_printed_backs_only(sheets_pdf: Write) -> None:
    plain, made, _ = sheets_pdf()
    moved, _, _ = sheets_pdf(offset=(1.0, -2.0))
    assert plain.image(0).tobytes() == moved.image(0).tobytes()
    back = made.behind(made.slot(0))
    x, y = middle_of_wax(moved.image(1, 300), back.x + 31, back.y + 44)
    assert (x, y) == NEAR((back.x + 32.5, back.y + 42), abs=0.15)


def test_folded_backs_lie_beside_their_fronts(sheets_pdf: Write) -> None:
    pdf, made, _ = sheets_pdf(backs="fold")
    assert len(pdf) == 2 and b"/Duplex /Simplex" in pdf.raw
    slot = made.slot(0)
    x, y = middle_of_wax(pdf.image(0, 300), slot.x + 63 + 31, slot.y + 44)
    assert (x, y) == NEAR((slot.x + 63 + 31.5, slot.y + 44), abs=0.15)


def test_single_cards_have_bleed_and_are_cut_to_size(tmp_path: Path, make_deck: MakeDeck) -> None:
    made = make_deck()
    path = tmp_path / "single.pdf"
    decks.write_single(made, Layout(POKER, A4, 3.0, marks="off"), path)
    pdf = Pdf(path)
    assert len(pdf) == 2 * len(made.cards)
    for page in (0, 1):
        assert pdf.size(page) == NEAR((69, 94), abs=0.01)
        assert pdf.box(page, "trim") == NEAR((3, 3, 66, 91), abs=0.01)
        assert pdf.box(page, "bleed") == NEAR((0, 0, 69, 94), abs=0.01)
    assert pdf.image(2).getpixel((1, 1)) == pdf.image(0).getpixel((1, 1)) != (255, 255, 255)
    decks.write_single(made, Layout(POKER, A4, 3.0, marks="outside", backs="none"), path)
    marked = Pdf(path)
    assert len(marked) == len(made.cards)
    assert marked.box(0, "trim") == NEAR((10, 10, 73, 98), abs=0.01)
    assert marked.box(0, "bleed") == NEAR((7, 7, 76, 101), abs=0.01)


def test_single_cards_are_folded_and_moved_as_sheets_are(tmp_path: Path, make_deck: MakeDeck) -> None:
    made, path = make_deck(), tmp_path / "single.pdf"
    decks.write_single(made, Layout(POKER, A4, 3.0, backs="fold", marks="off"), path)
    folded = Pdf(path)
    assert len(folded) == len(made.cards)
    assert folded.size(0) == NEAR((132, 94), abs=0.01)
    assert folded.box(0, "trim") == NEAR((3, 3, 129, 91), abs=0.01)
    assert middle_of_wax(folded.image(0, 300), 3 + 63 + 31, 47) == NEAR((3 + 63 + 31.5, 47), abs=0.15)
    decks.write_single(made, Layout(POKER, A4, 3.0, offset=(1.0, -0.5)), path)
    moved = Pdf(path)
    assert middle_of_wax(moved.image(1, 300), 41, 53) == NEAR((10 + 31.5 + 1.0, 10 + 44 - 0.5), abs=0.15)


def test_pictures_have_their_size_and_resolution(tmp_path: Path, make_deck: MakeDeck) -> None:
    written = decks.write_pictures(make_deck("court8"), tmp_path / "cards", 0)
    assert [path.name for path in written][:2] == ["01-lord-1.png", "02-crown_prince-1.png"]
    for path in written:
        with Image.open(path) as picture:
            assert picture.size == (372, 520)
            assert picture.info["dpi"] == NEAR((150, 150), abs=0.1)


def test_the_same_cards_make_the_same_bytes(tmp_path: Path, make_deck: MakeDeck) -> None:
    for name in ("one.pdf", "two.pdf"):
        decks.write_sheets(make_deck("classic", "en"), Layout(POKER, A4), tmp_path / name)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_progress_is_told_once_a_picture(tmp_path: Path, make_deck: MakeDeck) -> None:
    made = make_deck("classic")
    ticks: list[Any] = []
    decks.write_sheets(made, Layout(POKER, A4), tmp_path / "cards.pdf", lambda: ticks.append(None))
    assert len(ticks) == made.pictures

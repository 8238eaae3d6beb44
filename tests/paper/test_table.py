"""Reference sheets, poster, tents, strips and the calibration page: what they say, and that they can be used."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest

from companion.modes import MODES, find_mode
from printables import qr, reference, table, trackers
from printables.fonts import Fonts, MissingCharacter
from printables.labels import LABELS, LANGS, Lang, label
from printables.ops import Code, Fill, Op, Page, Run, Upside, log
from printables.paint import paint
from printables.papers import BAND, seams, write_pages
from printables.sheets import A4, LETTER, Paper
from printables.text import DoesNotFit
from tests.conftest import Golden
from tests.paper.conftest import GOLDEN, Pdf
from tests.qrcodes import codes_on


def said(ops: Iterable[Op]) -> str:
    return "".join(op.text if isinstance(op, Run) else said(op.ops) if isinstance(op, Upside) else "" for op in ops)


def bare(text: str) -> str:
    return text.replace(" ", "").replace("\u3000", "")


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_the_reference_sheet_says_all_that_is_looked_up(mode: str, lang: Lang, paper: Paper, noto: Fonts) -> None:
    found = find_mode(mode)
    pages = reference.pages(found, lang, paper, noto)
    assert len(pages) <= 2
    shown = bare("".join(said(page.ops) for page in pages))
    for role in found.roles.values():
        assert bare(role.name[lang]) in shown and bare(role.goal[lang]) in shown
    own = [one for one in found.clauses.values() if not one.id.startswith("X")]  # which hold in every mode
    assert not [one.id for one in own if bare(one.text[lang]) not in shown]
    assert bare(label("verdict", lang)) in shown
    assert all(one.y < paper.height - 8 for page in pages for one in page.ops if isinstance(one, Run))


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_every_page_of_a_reference_sheet_has_a_head_and_two_columns(
    mode: str, lang: Lang, paper: Paper, noto: Fonts
) -> None:
    found = find_mode(mode)
    for page in reference.pages(found, lang, paper, noto):
        rule = next(op for op in page.ops if isinstance(op, Fill) and op.width > paper.width / 2)
        above = [op for op in page.ops if isinstance(op, Run) and op.y < rule.y]
        assert found.name[lang] in said(above)
        assert all(op.y + 0.3 * op.size < rule.y for op in above)
        below = [op for op in page.ops if isinstance(op, Run) and op.y > rule.y]
        assert min(op.y for op in below) > rule.y + 2
        left, right = ([op.y for op in below if (op.x > paper.width / 2) == is_right] for is_right in (False, True))
        assert abs(max(left) - max(right)) < paper.height / 4


def test_what_nobody_sees_or_does_is_no_trigger_on_a_reference_sheet(noto: Fonts) -> None:
    shown = bare("".join(said(page.ops) for page in reference.pages(find_mode("sixteen"), "zh_hans", A4, noto)))
    assert "开局一号位亮明→君威变为黄巾" in shown


@pytest.mark.parametrize("mode", MODES)
def test_the_order_of_a_death_is_on_every_reference_sheet(mode: str, noto: Fonts) -> None:
    assert {"order_Begun", "order_Died"} <= LABELS.keys()
    shown = "".join(said(page.ops) for page in reference.pages(find_mode(mode), "en", A4, noto))
    assert label("order_Died", "en") in shown


@pytest.mark.parametrize("lang", LANGS)
def test_a_reference_sheet_is_drawn_as_before(lang: Lang, noto: Fonts, golden: Golden) -> None:
    pages = reference.pages(find_mode("court8"), lang, A4, noto)
    golden(GOLDEN / f"reference-court8-{lang}.txt", "".join(log(page.ops) for page in pages))


@pytest.mark.parametrize("lang", LANGS)
def test_the_codes_of_a_poster_are_read_from_the_printed_page(lang: Lang, noto: Fonts, tmp_path: Path) -> None:
    address = "HTTP://192.168.1.23:8765/T/K7QX"
    page = table.poster(address, lang, LETTER, noto, "桃园;2.4G", 'a:b,c"\\d')
    write_pages([page], tmp_path / "poster.pdf", "", 150, noto)
    found = set(codes_on(Pdf(tmp_path / "poster.pdf").image(0)))
    assert found == {address, 'WIFI:T:WPA;S:桃园\\;2.4G;P:a\\:b\\,c\\"\\\\d;;'}
    assert address in said(page.ops) and "桃园;2.4G" in said(page.ops)


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("lang", LANGS)
def test_the_first_step_of_a_poster_stands_first_and_each_step_by_its_own_code(
    lang: Lang, paper: Paper, noto: Fonts
) -> None:
    ops = table.poster("http://10.0.0.7:8765", lang, paper, noto, "Peach", "W" * 63).ops
    wifi, join = sorted((op for op in ops if isinstance(op, Code)), key=lambda code: code.y)
    assert wifi.text.startswith("WIFI:") and join.text == "http://10.0.0.7:8765"
    steps = {op.text: op for op in ops if isinstance(op, Run)}
    first, second = steps[label("poster_wifi", lang)], steps[label("poster_join", lang)]
    assert wifi.y < first.y < wifi.y + wifi.size and first.x > wifi.x + wifi.size
    assert wifi.y + wifi.size < second.y < join.y


@pytest.mark.parametrize("sign", ["W", "i", "桃"])
def test_a_long_password_is_printed_whole_and_can_be_read(sign: str, noto: Fonts) -> None:
    page = table.poster("http://10.0.0.7", "en", LETTER, noto, "Peach", sign * 63)
    shown = [op for op in page.ops if isinstance(op, Run) and sign * 5 in op.text]
    assert "".join(op.text for op in shown) == "Password: " + sign * 63
    for op in shown:
        assert op.size >= 3 and op.x + op.size * noto.sans.measure(op.text) < page.width - 20


def test_a_poster_without_a_network_has_one_code(noto: Fonts) -> None:
    page = table.poster("http://192.168.1.23:8765", "en", A4, noto)
    assert codes_on(paint(page.ops, page.width, page.height, 150, noto)) == ["http://192.168.1.23:8765"]
    assert qr.wifi("open") == "WIFI:T:nopass;S:open;;"


def test_an_address_longer_than_any_code_is_refused(noto: Fonts) -> None:
    with pytest.raises(ValueError, match="does not fit a QR code"):
        table.poster("http://10.0.0.7/" + "x" * 4000, "en", A4, noto)


def test_tents_show_every_name_to_both_sides(noto: Fonts) -> None:
    names = ["张三", "Bartholomew Featherstonehaugh-Cholmondeley", "李"]
    pages = table.tents(names, A4, noto)
    assert len(pages) == 2
    for number, name in enumerate(names):
        ops = pages[number // 2].ops
        assert said(op for op in ops if isinstance(op, Run)).count(name) == 1
        assert said(op for op in ops if isinstance(op, Upside)).count(name) == 1
    for page in pages:
        for op in page.ops:
            if isinstance(op, Run):
                assert op.x > 10 and op.x + noto.title.measure(op.text) * op.size < page.width - 10


def test_a_name_too_long_for_a_tent_is_refused_and_named(noto: Fonts) -> None:
    with pytest.raises(DoesNotFit, match="Donaudampfschiff"):
        table.tents(["Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamter"], A4, noto)


def test_a_name_that_cannot_be_printed_is_an_error(noto: Fonts) -> None:
    with pytest.raises(MissingCharacter, match=r"U\+1F600"):
        table.tents(["张三", "😀"], A4, noto)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_strips_have_a_field_for_every_seat(mode: str, lang: Lang, noto: Fonts) -> None:
    found = find_mode(mode)
    pages = trackers.pages(found, lang, LETTER, noto)
    strip = said(pages[0].ops)
    assert str(found.players[-1]) in strip
    assert label("clockwise" if found.clockwise else "counter_clockwise", lang) in strip
    shown = [said(page.ops) for page in pages]
    assert any(label("provinces", lang) in page for page in shown[1:]) == ("provinces" in found.ruleset.options)
    assert any(label("marks", lang) in page for page in shown[1:]) == ("yellow_turban" in found.roles)


@pytest.mark.parametrize("paper", [A4, LETTER])
def test_everybody_has_a_strip_for_provinces_and_their_limit(paper: Paper, noto: Fonts) -> None:
    pages = trackers.provinces(find_mode("ambition"), "zh_hans", paper, noto)
    assert sum(said(page.ops).count("上限0123456789") for page in pages) == 9
    assert all(inside(page, page.ops) for page in pages)


def test_marks_have_three_rings_a_seat(noto: Fonts) -> None:
    page = trackers.marks(find_mode("classic"), "zh_hans", A4, noto)
    assert "黄巾标记" in said(page.ops)


def inside(page: Page, ops: Iterable[Op]) -> bool:
    return all(
        isinstance(op, Run) or (op.x >= 0 and op.y >= 0 and op.x <= page.width and op.y <= page.height) for op in ops
    )


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("paper", [A4, LETTER])
def test_the_ruler_is_as_long_as_it_says(lang: Lang, paper: Paper, noto: Fonts, tmp_path: Path) -> None:
    pages = table.calibration(lang, paper, noto)
    assert all(inside(page, page.ops) for page in pages)
    write_pages(pages, tmp_path / "page.pdf", "", 300, noto, duplex="DuplexFlipLongEdge")
    pdf = Pdf(tmp_path / "page.pdf")
    assert len(pdf) == 2 and b"/PrintScaling /None" in pdf.raw and b"/DuplexFlipLongEdge" in pdf.raw
    image, mm = pdf.image(0, 300).convert("L"), 300 / 25.4
    row = image.crop((0, round((paper.height - 46) * mm), image.width, round((paper.height - 46) * mm) + 1)).tobytes()
    dark = [at for at, value in enumerate(row) if value < 140]
    assert (dark[-1] - dark[0]) / mm == pytest.approx(150, abs=0.15)


@pytest.mark.parametrize("lang", LANGS)
def test_no_number_of_the_calibration_page_stands_on_another(lang: Lang, noto: Fonts) -> None:
    _, back = table.calibration(lang, A4, noto)
    numbers = [op for op in back.ops if isinstance(op, Run) and op.text[0] in "+−"]
    assert len(numbers) == 16
    for one, other in combinations(numbers, 2):
        first, second = sorted((one, other), key=lambda run: run.x)
        assert first.x + first.size * noto.sans.measure(first.text) < second.x or abs(one.y - other.y) > one.size, (
            one.text,
            other.text,
        )


@pytest.mark.parametrize("is_landscape", [False, True])
@pytest.mark.parametrize("flip", ["long", "short"])
def test_both_sides_of_the_calibration_page_share_their_middle(
    flip: table.Flip, is_landscape: bool, noto: Fonts
) -> None:
    for page in table.calibration("en", A4, noto, flip, is_landscape):
        assert (page.width, page.height) == ((297, 210) if is_landscape else (210, 297))
        assert all(inside(page, [op]) for op in page.ops)
        middle, centre = page.width / 2, page.height / 2
        crosses = [op for op in page.ops if isinstance(op, Fill) and op.width > 20 and abs(op.y - centre) < 5]
        assert any(
            abs(op.x + op.width / 2 - middle) < 0.01 and abs(op.y + op.height / 2 - centre) < 0.01 for op in crosses
        )
        shown = said(page.ops)
        assert bare("landscape" if is_landscape else "upright") in bare(shown)
        assert bare(label(f"flip_{flip}", "en")) in bare(shown)


@pytest.mark.parametrize("dpi", [150, 300])
def test_pages_are_stored_in_bands_that_meet_where_nothing_is_written(dpi: int, noto: Fonts) -> None:
    """Else a renderer that rounds loses a row of the writing there."""
    made = [*reference.pages(find_mode("court8"), "zh_hans", A4, noto), *table.tents(["张三", "李四"], A4, noto)]
    made.append(table.poster("http://192.168.1.23:8765", "zh_hans", A4, noto, "桃园", "三结义"))
    for page in made:
        image = paint(page.ops, page.width, page.height, dpi, noto)
        places = [*seams(image)]
        assert len(places) >= image.height // BAND
        for place in places:
            above = image.crop((0, place - 1, image.width, place))
            assert above.tobytes() == image.crop((0, place, image.width, place + 1)).tobytes()

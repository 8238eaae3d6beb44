"""QR codes: the drawn path is read back by a reader that shares no code with the writer."""

from xml.etree import ElementTree

import pytest

from printables import qr
from tests.qrcodes import SVG, codes_on, drawn, painted

LINK = "HTTP://192.168.1.23:8000/T/K7QX"


@pytest.mark.parametrize("level", ["L", "M", "Q", "H"])
@pytest.mark.parametrize("text", [LINK, "http://10.0.0.7:8000/t/k7qx/seat", "WIFI:T:WPA;S:三国杀;P:桃园结义;;", "0042"])
def test_a_reader_finds_the_text(text: str, level: qr.Level) -> None:
    assert codes_on(painted(drawn(qr.svg(text, label="加入", level=level)))) == [text]


def test_the_drawing_is_the_matrix_inside_its_quiet_zone() -> None:
    rows = qr.matrix(LINK)
    modules = drawn(qr.svg(LINK, label="加入", quiet=2))
    assert [row[2:-2] for row in modules[2:-2]] == rows
    border = [*modules[:2], *modules[-2:], *(row[:2] + row[-2:] for row in modules)]
    assert not any(map(any, border))


def test_capital_letters_make_a_smaller_code() -> None:
    assert len(qr.matrix(LINK)) == 25
    assert len(qr.matrix(LINK.lower())) == 29


def test_the_picture_is_one_scalable_image_with_a_name_and_no_script() -> None:
    svg = qr.svg(LINK, label='扫码 <加入> "K7QX" & 入座')
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == '扫码 <加入> "K7QX" & 入座'
    assert root.attrib["viewBox"] == "0 0 33 33"
    assert root.attrib["shape-rendering"] == "crispEdges"
    assert not {"width", "height", "style"} & root.attrib.keys()
    assert [child.tag for child in root] == [f"{SVG}rect", f"{SVG}path"]
    assert len(svg) < 3000


def test_text_that_no_code_can_hold_is_refused_without_being_repeated() -> None:
    with pytest.raises(ValueError, match="5000 characters") as refusal:
        qr.svg("x" * 5000, label="加入")
    assert "xxx" not in str(refusal.value)


def test_half_blocks_hold_two_rows_of_modules_each() -> None:
    lines = qr.blocks(LINK, quiet=4)
    side = len(qr.matrix(LINK)) + 8
    assert {len(line) for line in lines} == {side} and len(lines) == (side + 1) // 2
    halves = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}
    modules = [[halves[block][half] for block in line] for line in lines for half in (0, 1)]
    assert codes_on(painted([row + [False] * (len(modules) - side) for row in modules])) == [LINK]

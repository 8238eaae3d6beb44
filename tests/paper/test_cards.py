"""The cards: what is drawn on each, as text; a few pictures; and what must hold for all of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import cast

import pytest
from PIL import Image, ImageChops, ImageStat

from companion.modes import MODES, deck, find_mode
from printables import cards, decks, qr
from printables.faces import COMFORTABLE, front
from printables.fonts import Fonts, MissingCharacter
from printables.glyphs import CAMPS, SHAPES, camp_glyph, outline
from printables.labels import LANGS, Lang
from printables.ops import INK, PAPER, TINT, Code, Op, Run, Shape, log
from printables.paint import paint, shape
from printables.sheets import A4, Layout
from tests.conftest import Golden
from tests.paper.conftest import GOLDEN, MakeDeck, Pdf
from tests.qrcodes import codes_on


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_every_card_is_drawn_as_before(mode: str, lang: Lang, make_deck: MakeDeck, golden: Golden) -> None:
    made = make_deck(mode, lang)
    seen = {card.identity: card for card in reversed(made.cards)}
    drawn = "".join(f"# {card.identity}\n{log(front(card, made.printing))}\n" for card in reversed(seen.values()))
    golden(GOLDEN / f"{mode}-{lang}.txt", drawn)


@pytest.mark.parametrize(
    ("name", "mode", "lang", "role"),
    [
        ("lord-zh_hant", "court8", "zh_hant", "lord"),
        ("rebel-en", "classic", "en", "rebel"),
        ("back", "court8", "zh_hans", None),
    ],
)
def test_pictures_look_as_before(
    name: str, mode: str, lang: Lang, role: str | None, make_deck: MakeDeck, request: pytest.FixtureRequest
) -> None:
    made = make_deck(mode, lang)
    card = next((card for card in made.cards if card.role == role), None)
    picture = made.face(card, 0) if card else made.back(0)
    path = GOLDEN / f"{name}.png"
    if request.config.getoption("--rewrite"):
        picture.save(path, optimize=True)
    with Image.open(path) as kept:
        assert kept.size == picture.size
        difference = ImageStat.Stat(ImageChops.difference(kept.convert("RGB"), picture))
    assert max(difference.mean) < 1.5, "if it is right: pytest --rewrite"


@pytest.mark.parametrize("form", [cards.POKER, cards.US, cards.TAROT], ids=["poker", "us", "tarot"])
@pytest.mark.parametrize("address", [None, "HTTP://192.168.100.123:8765/C"], ids=["plain", "scan"])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_everything_stands_inside_the_frame(
    mode: str, lang: Lang, address: str | None, form: cards.Format, make_deck: MakeDeck, noto: Fonts
) -> None:
    made = make_deck(mode, lang, form, address=address)
    inset = cards.INSET * form.scale
    for card in made.cards:
        for op in front(card, made.printing):
            if isinstance(op, Run) and not op.vertical:
                end = op.x + op.size * (noto[op.face].measure(op.text, op.latin) + op.gap * (len(op.text) - 1))
                assert op.x >= inset and end <= form.width - inset + 0.01, op.text
            elif isinstance(op, Run):
                end = op.y + op.size * (len(op.text) * (1 + op.gap) - op.gap)
                assert op.y >= inset and end <= form.height - inset, op.text
            elif isinstance(op, Shape):
                assert op.x >= inset - 0.01 and op.x + op.size <= form.width - inset + 0.01, op.name


@pytest.mark.parametrize("lang", LANGS)
def test_a_card_says_name_camp_goal_and_every_skill(lang: Lang, make_deck: MakeDeck) -> None:
    made = make_deck("court8", lang)
    mode = made.printing.mode
    for card in made.cards:
        role = mode.roles[card.role]
        ops = front(card, made.printing)
        said = "".join(op.text for op in ops if isinstance(op, Run)).replace(" ", "")
        wanted = [role.name[lang], mode.camps[role.camp][lang], role.goal[lang], mode.name[lang]]
        wanted += [mode.clauses[clause].on_card[lang] for clause in role.clauses]
        for text in wanted:
            assert text.replace(" ", "") in said
        assert any(isinstance(op, Shape) and op.name == camp_glyph(role.camp) for op in ops)


Box = tuple[float, float, float, float]


@cache
def modules(text: str) -> int:
    return len(qr.matrix(text, "Q"))


def ink(op: Op, fonts: Fonts) -> Box:
    """The box of what is drawn: left, top, right, bottom; of a QR code with its quiet zone of four modules."""
    match op:
        case Code():
            quiet = op.size * 4 / modules(op.text)
            return op.x - quiet, op.y - quiet, op.x + op.size + quiet, op.y + op.size + quiet
        case Shape():
            points = [point for polygon in outline(op.name) for point in polygon]
            for _ in range(op.turns):
                points = [(24 - y, x) for x, y in points]
            xs, ys = [op.x + x * op.size / 24 for x, _ in points], [op.y + y * op.size / 24 for _, y in points]
            return min(xs), min(ys), max(xs), max(ys)
        case Run(vertical=True):
            return op.x - op.size / 2, op.y, op.x + op.size / 2, op.y + len(op.text) * (1 + op.gap) * op.size
        case Run():
            width = op.size * (fonts[op.face].measure(op.text, op.latin) + op.gap * len(op.text))
            return op.x, op.y - 0.8 * op.size, op.x + width, op.y + 0.2 * op.size
        case _:
            return op.x, op.y, op.x + op.width, op.y + op.height


def meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


ADDRESS = "HTTP://192.168.100.123:8765/C"
COLOURED = [
    ("lord", "red"),
    ("wise_lord", "blue"),
    ("loyalist", "red"),
    ("crown_prince", "blue"),
    ("royal_guard", "red"),
]


@pytest.mark.parametrize(
    "form",
    [cards.POKER, cards.US, cards.TAROT, cards.Format(63, 110), cards.Format(80, 80)],
    ids=["poker", "us", "tarot", "tall", "square"],
)
@pytest.mark.parametrize("address", [None, ADDRESS], ids=["plain", "scan"])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_nothing_touches_the_seal_or_the_code_with_its_quiet_zone(
    mode: str, lang: Lang, address: str | None, form: cards.Format, make_deck: MakeDeck, noto: Fonts
) -> None:
    made = make_deck(mode, lang, form, address=address)
    printing = made.printing
    coloured = deck.of(COLOURED, printing.mode) if mode == "sixteen" else ()
    shown = {card.identity: card for card in (*made.cards, *coloured)}
    codes = dict.fromkeys(shown.values(), "ABC123")
    for card in shown.values():
        ops = front(card, replace(printing, codes=codes))
        drawn = [
            (op, ink(op, noto)) for op in ops if not (isinstance(op, Shape) and (op.colour == TINT or op.name == "cut"))
        ]
        alone = [
            one for one in drawn if isinstance(one[0], Code) or (isinstance(one[0], Shape) and one[0].name == "wax")
        ]
        assert len(alone) == (2 if address else 1)
        for one, box in alone:
            for other, taken in drawn:
                assert one is other or not meet(box, taken), (card.identity, one, other)


@pytest.mark.parametrize("address", [None, ADDRESS], ids=["plain", "scan"])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_type_can_be_read_in_a_dim_room(mode: str, lang: Lang, address: str | None, make_deck: MakeDeck) -> None:
    made = make_deck(mode, lang, address=address)
    for card in made.cards:
        body = [op.size for op in front(card, made.printing) if isinstance(op, Run) and op.colour == INK]
        assert round(min(body), 3) >= COMFORTABLE, card.identity


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_told_in_brief_is_shorter_and_stands_on_a_card(lang: Lang) -> None:
    for mode in map(find_mode, MODES):
        printed = {clause for role in mode.roles.values() for clause in role.clauses}
        for clause in mode.clauses.values():
            if clause.brief:
                assert clause.id in printed and len(clause.brief[lang]) < len(clause.text[lang]), clause.id


def test_the_longest_texts_fit_a_small_card(make_deck: MakeDeck) -> None:
    for address in (None, ADDRESS):
        made = make_deck("sixteen", "en", cards.Format(50, 70), address=address)
        assert all(front(card, made.printing) for card in made.cards)


def test_a_text_too_long_for_the_card_is_an_error_that_names_both(make_deck: MakeDeck) -> None:
    made = make_deck("court8", "en")
    mode = made.printing.mode
    lord = replace(mode.roles["lord"], goal=dict.fromkeys(LANGS, "Stay alive to the very end. " * 60))
    printing = replace(made.printing, mode=replace(mode, roles={**mode.roles, "lord": lord}))
    with pytest.raises(cards.CardDoesNotFit, match=r"Lord: .*Stay alive to the very end"):
        front(made.cards[0], printing)


def test_a_character_that_the_font_lacks_is_an_error_that_names_it(make_deck: MakeDeck) -> None:
    made = make_deck("court8", "zh_hans")
    mode = made.printing.mode
    lord = replace(mode.roles["lord"], name={**mode.roles["lord"].name, "zh_hans": "主\U0001f432"})
    printing = replace(made.printing, mode=replace(mode, roles={**mode.roles, "lord": lord}))
    with pytest.raises(MissingCharacter, match=r"U\+1F432"):
        paint(front(made.cards[0], printing), 63, 88, 150, printing.fonts)


def test_every_camp_has_a_glyph_of_its_own() -> None:
    camps = {camp for mode in MODES for camp in find_mode(mode).camps}
    assert camps <= CAMPS.keys()
    assert camp_glyph("a_camp_of_my_own") == "other"


def test_camps_are_told_apart_in_greyscale() -> None:
    """Any two glyphs differ in a sixth of their square; all are drawn in one colour, so nothing hangs on hue."""
    drawn = {camp: shape(camp, 48, 0) for camp in CAMPS}
    for one, other in combinations(drawn, 2):
        assert ImageStat.Stat(ImageChops.difference(drawn[one], drawn[other])).mean[0] > 255 / 6, (one, other)


def test_shapes_stay_in_their_square() -> None:
    for name in SHAPES:
        for polygon in outline(name):
            assert all(-0.01 <= x <= 24.01 and -0.01 <= y <= 24.01 for x, y in polygon), name


def test_the_back_is_one_for_all_and_has_no_top(make_deck: MakeDeck) -> None:
    for mode in MODES:
        for lang in LANGS:
            assert make_deck(mode, lang).back(1.5).tobytes() == make_deck().back(1.5).tobytes()
    back = make_deck().back(0)
    turned = ImageChops.difference(back, back.transpose(Image.Transpose.ROTATE_180))
    assert max(ImageStat.Stat(turned).mean) < 8


@pytest.mark.parametrize("form", [cards.POKER, cards.US, cards.TAROT, cards.Format(50, 70)])
def test_a_cut_a_little_aside_does_not_mark_the_back(form: cards.Format, make_deck: MakeDeck) -> None:
    """No line of the lattice is cut along: beside each cut the back looks as it does at the cut."""
    picture = make_deck(form=form, dpi=600).back(1.5).convert("L")
    mm = 600 / 25.4

    def along(side: float, is_upright: bool) -> bytes:
        at = round((1.5 + side) * mm)
        box = (at, 0, at + 1, picture.height) if is_upright else (0, at, picture.width, at + 1)
        return picture.crop(box).tobytes()

    for length, is_upright in ((form.width, True), (form.height, False)):
        for cut in (0.0, length):
            assert along(cut, is_upright) == along(cut - 0.15, is_upright) == along(cut + 0.15, is_upright)


@pytest.mark.parametrize("dpi", [150, 300, 600])
def test_every_resolution_has_the_same_proportions(dpi: int, make_deck: MakeDeck) -> None:
    made = make_deck("court8", "zh_hans", dpi=dpi)
    picture = made.face(made.cards[0], 0)
    assert picture.size == (round(63 / 25.4 * dpi), round(88 / 25.4 * dpi))
    assert picture.info["dpi"] == (dpi, dpi)
    reference = make_deck("court8", "zh_hans", dpi=150).face(made.cards[0], 0).convert("L")
    shown = picture.convert("L").resize(reference.size, Image.Resampling.BOX)

    def differs(right: int, down: int) -> float:
        return ImageStat.Stat(ImageChops.difference(ImageChops.offset(shown, right, down), reference)).mean[0]

    assert differs(0, 0) == min(differs(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)) < 10


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", MODES)
def test_the_code_of_every_card_is_read_from_the_printed_page(
    mode: str, lang: Lang, make_deck: MakeDeck, tmp_path: Path
) -> None:
    made = make_deck(mode, lang, dpi=300, address="http://192.168.1.23:8765/c")
    codes = made.printing.codes
    assert codes
    grid = decks.write_sheets(made, Layout(cards.POKER, A4, backs="none"), tmp_path / "cards.pdf")
    pdf = Pdf(tmp_path / "cards.pdf")
    pages = [pdf.image(page, 300) for page in range(len(pdf))]
    for number, card in enumerate(made.cards):
        page, place = divmod(number, grid.count)
        slot = grid.slot(place)
        box = [round(side * 300 / 25.4) for side in (slot.x, slot.y, slot.x + 63, slot.y + 88)]
        (found,) = codes_on(pages[page].crop(cast(Box, tuple(box))))
        assert found == f"HTTP://192.168.1.23:8765/C/{codes[card]}"
        assert deck.normal(found) == codes[card]


def test_a_title_font_of_ones_own_sets_the_names(make_deck: MakeDeck, noto: Fonts, tmp_path: Path) -> None:
    made = make_deck()
    own = replace(made.printing, fonts=replace(noto, title=replace(noto.title, path=noto.sans.path)))
    card = made.cards[0]
    usual = paint(front(card, made.printing), 63, 88, 150, noto, ground=PAPER)
    other = paint(front(card, own), 63, 88, 150, own.fonts, ground=PAPER)
    assert usual.tobytes() != other.tobytes()

"""The commands for everything on paper: cards, sheet, poster, tents, calibration."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from companion.modes import Mode
    from companion.modes.deck import PrintedCard
    from companion.words import Lang, Words
    from printables.cards import Format
    from printables.fonts import Fonts
    from printables.labels import Lang as Key
    from printables.ops import Page
    from printables.pdf import Duplex
    from printables.sheets import Layout, Paper
    from printables.table import Flip

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def register(group: click.Group, language: Callable[[click.Command], click.Command]) -> None:
    """Add the commands to the group, each with its `--lang`."""
    for command in (cards, sheet, poster, tents, calibration):
        group.add_command(language(command))


class Refused(click.ClickException):
    """What was asked for cannot be printed; the message is in the reader's language."""

    exit_code = 2


def _words(lang: Lang, mode: Mode | None = None) -> Words:
    from companion.words import Words

    return Words(lang, mode)


def _reader(context: click.Context) -> Words:
    return _words(context.params["lang"])


def _size(context: click.Context, _: click.Parameter, value: str) -> tuple[float, float]:
    from companion.prints import SIZES

    if value in SIZES:
        return SIZES[value]
    found = re.fullmatch(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)", value)
    if not found or not all(30 <= float(side) <= 300 for side in found.groups()):
        say = _reader(context).say
        raise Refused(say("--size 请写 poker、us、tarot，或者宽x高，例如 63x88（毫米，各 30 到 300）。"))
    return float(found[1]), float(found[2])


def _offset(context: click.Context, _: click.Parameter, value: str) -> tuple[float, float]:
    found = re.fullmatch(r"([+-]?\d+(?:\.\d+)?),([+-]?\d+(?:\.\d+)?)", value)
    if not found or not all(abs(float(side)) <= 20 for side in found.groups()):
        raise Refused(_reader(context).say("--offset 请写 X,Y，例如 0.5,-1（毫米，各 -20 到 20）。"))
    return float(found[1]), float(found[2])


def _address(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"https?://[!-~]{1,80}", value, re.IGNORECASE):
        say = _reader(context).say
        raise Refused(say("地址请照 http://192.168.1.23:8765/c 这样写，最多 80 个字符，不能有汉字和空格。"))
    return value


def _network(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    from companion.tables.gathering import LONGEST_NETWORK

    if value is not None and not 0 < len(value.encode()) <= LONGEST_NETWORK:
        raise Refused(_reader(context).refusal("wifi_name", {"most": LONGEST_NETWORK}))
    return value


def _password(context: click.Context, _: click.Parameter, value: str) -> str:
    from companion.tables.gathering import LONGEST_PASSWORD

    if len(value.encode()) > LONGEST_PASSWORD:
        raise Refused(_reader(context).say("Wi-Fi 密码最多 %(most)s 位。", most=LONGEST_PASSWORD))
    return value


def _out_of_cards(context: click.Context, _: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and value.suffix.lower() in {".png", ".jpg", ".jpeg", ".svg", ".zip"}:
        raise Refused(_reader(context).say("--out 请写 PDF 的文件名，或者一个文件夹：每张牌一个 PNG。"))
    return value


def _options(*decorators: Any) -> Decorator:
    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


_paper = click.option("--paper", type=click.Choice(("a4", "letter")), default="a4", show_default=True)
_dpi = click.option("--dpi", type=click.IntRange(150, 600), default=300, show_default=True, help="Pixels an inch.")
_title_font = click.option(
    "--title-font",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A font file for names and titles. Default: the one that comes along.",
)
_common = _options(_paper, _dpi, _title_font)


def _out(default: str) -> Decorator:
    return click.option(
        "--out", type=click.Path(path_type=Path), default=Path(default), show_default=True, metavar="FILE.pdf"
    )


@click.command()
@click.argument("mode")
@click.option("--players", type=click.IntRange(1, 20), help="For so many players. Default: for any number.")
@click.option("--branch", help="Which way the composition branches, where the mode has a choice.")
@click.option("--cards", "identities", metavar="LIST", help='These identities: "lord:red loyalist:red rebel rebel".')
@_common
@click.option("--size", callback=_size, default="poker", show_default=True, metavar="poker|us|tarot|WxH")
@click.option(
    "--backs",
    type=click.Choice(("long", "short", "fold", "none")),
    default="long",
    show_default=True,
    help="How the printer turns the sheet; fold: beside the front.",
)
@click.option(
    "--marks", type=click.Choice(("off", "outside", "full")), help="Where to cut. Default: outside; single: off."
)
@click.option("--bleed", type=click.FloatRange(0, 10), metavar="MM", help="Round every card. Default: 0; single: 3.")
@click.option("--margin", type=click.FloatRange(0, 100), default=4.0, show_default=True, metavar="MM")
@click.option("--offset", callback=_offset, default="0,0", metavar="X,Y", help="Move backs, in mm right and down.")
@click.option("--single", is_flag=True, help="One card a page, at its size, for print shops.")
@click.option("--address", callback=_address, metavar="URL", help="Add a QR code of this address and the card's code.")
@click.option("--key", help="The key of the codes. Default: this computer's own.")
@click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", help="Where the key is kept."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    callback=_out_of_cards,
    metavar="FILE.pdf|FOLDER",
    help="A folder: one PNG a card.",
)
def cards(mode: str, size: tuple[float, float], out: Path | None, lang: Lang, **chosen: Any) -> None:
    """Print the identity cards of MODE: a PDF that cuts cleanly, or one PNG a card."""
    from printables import decks
    from printables.cards import Format, Printing

    words = _words(lang)
    found, deck, codes = _deck(mode, words, chosen)
    form = Format(*size)
    out = out or Path(f"{found.id}.pdf")
    is_folder = out.suffix.lower() != ".pdf"
    _refuse_idle(words, is_folder, chosen["single"])
    with _told(words, out):
        printing = Printing(found, _key(lang), form, _fonts(chosen["title_font"], words), codes, chosen["address"])
        job = decks.Deck(deck, printing, chosen["dpi"])
        layout = _layout(form, chosen)
        with _progress(job.pictures) as tick:
            if is_folder:
                decks.write_pictures(job, out, layout.bleed, tick)
            elif chosen["single"]:
                decks.write_single(job, layout, out, tick)
            else:
                decks.write_sheets(job, layout, out, tick)
    click.echo(out)


def _refuse_idle(words: Words, is_folder: bool, is_single: bool) -> None:
    """Refuse options that would change nothing."""
    if not (is_folder or is_single):
        return
    context = click.get_current_context()
    why = words.say("文件夹里是每张牌一个 PNG") if is_folder else words.say("--single 一页一张牌，页面就是牌的大小")
    for name in ("paper", "margin", *(("backs", "marks", "offset", "single") if is_folder else ())):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise Refused(words.say("--%(option)s 在这里不起作用：%(why)s。", option=name, why=why))


def _deck(
    mode: str, words: Words, chosen: dict[str, Any]
) -> tuple[Mode, tuple[PrintedCard, ...], dict[PrintedCard, str]]:
    """The mode, its cards, and their codes."""
    from companion.modes import deck
    from companion.rules.inputs import IllegalInput

    found = _mode(mode, words)
    try:
        if chosen["identities"]:
            made = deck.of(_identities(found, chosen["identities"]), found)
        else:
            options = {"branch": chosen["branch"]} if chosen["branch"] else {}
            found.ruleset.read_options(" ".join(f"{name}={value}" for name, value in options.items()))
            made = deck.cards(found, chosen["players"], options)
    except IllegalInput as refusal:
        raise Refused(_words(words.lang, found).refusal(refusal.reason, refusal.params)) from refusal
    codes = deck.Codes(chosen["key"] or _own_key(chosen["data"], words), [found])
    return found, made, {card: codes.code(card) for card in made}


def _mode(mode: str, words: Words) -> Mode:
    from companion.modes import find_mode
    from companion.rules.inputs import IllegalInput

    try:
        return find_mode(mode)
    except IllegalInput as refusal:
        raise Refused(words.refusal(refusal.reason, refusal.params)) from refusal


def _identities(mode: Mode, typed: str) -> list[tuple[str, str | None]]:
    """The cards of a list such as `lord:red, rebel`. Raises IllegalInput."""
    from companion.modes import deck
    from companion.rules.inputs import Deal

    entered = mode.ruleset.read("deal " + " ".join(re.split(r"[\s,，、]+", typed)))
    assert isinstance(entered, Deal)
    deck.check(entered.cards, mode)
    return [(card.role, card.colour) for card in entered.cards]


def _own_key(folder: Path | None, words: Words) -> str:
    import secrets

    from companion.doctor import data
    from companion.modes.deck import new_key
    from companion.storage import Health, StoreUnavailable, default_path
    from companion.storage.key import KEY_FILE, deck_key

    place = folder or default_path().parent
    try:
        return deck_key(place, lambda: new_key(secrets.token_bytes(10)))
    except StoreUnavailable as error:
        finding = data(words, place / KEY_FILE, Health(error.reason, None))
        raise click.ClickException(f"{finding.text} {finding.do}") from error


def _layout(form: Format, chosen: dict[str, Any]) -> Layout:
    from printables.sheets import Layout

    bleed, marks = chosen["bleed"], chosen["marks"]
    return Layout(
        form,
        _sheet_of(chosen["paper"]),
        bleed if bleed is not None else 3.0 if chosen["single"] else 0.0,
        chosen["backs"],
        marks or ("off" if chosen["single"] else "outside"),
        chosen["offset"],
        chosen["margin"],
    )


def _sheet_of(paper: str) -> Paper:
    from printables.sheets import A4, LETTER

    return LETTER if paper == "letter" else A4


def _fonts(title: Path | None, words: Words) -> Fonts:
    from printables.fonts import fonts

    try:
        return fonts(title)
    except ValueError as error:
        raise Refused(words.say("%(path)s 不是能用的字体。请换一个 TTF 或 OTF 文件。", path=title)) from error


def _key(lang: Lang) -> Key:
    keys: dict[str, Key] = {"zh-Hans": "zh_hans", "zh-Hant": "zh_hant", "en": "en"}
    return keys[lang]


@contextmanager
def _told(words: Words, out: Path) -> Iterator[None]:
    """What can go wrong while text is set and cards are laid out, told in the reader's language; exit status 1."""
    from printables import faults

    try:
        yield
    except ValueError as error:
        if told := faults.told(error, _key(words.lang)):
            raise click.ClickException(told) from error
        raise
    except OSError as error:
        raise click.ClickException(
            words.say("写不了 %(path)s。看看文件夹在不在、能不能写、磁盘满没满，或者用 --out 另选地方。", path=out)
        ) from error


@contextmanager
def _progress(length: int) -> Iterator[Callable[[], None]]:
    """A bar that appears where the job takes more than a second and somebody looks."""
    started, done = time.monotonic(), 0
    bar: Any = None

    def tick() -> None:
        nonlocal done, bar
        done += 1
        if bar is None and sys.stderr.isatty() and time.monotonic() - started > 1:
            bar = click.progressbar(length=length, file=sys.stderr).__enter__()
            bar.update(done)
        elif bar is not None:
            bar.update(1)

    try:
        yield tick
    finally:
        if bar is not None:
            bar.render_finish()


@click.command()
@click.argument("mode")
@_common
@click.option("--strips/--no-strips", default=True, show_default=True, help="With strips and marks to cut out.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE.pdf")
def sheet(mode: str, strips: bool, out: Path | None, lang: Lang, **chosen: Any) -> None:
    """Print what the table looks up in MODE: identities, order of triggers, who wins; and strips to cut out."""
    from printables import reference, trackers

    words, key, paper = _words(lang), _key(lang), _sheet_of(chosen["paper"])
    found, fonts = _mode(mode, words), _fonts(chosen["title_font"], words)
    out = out or Path(f"{found.id}-sheet.pdf")
    with _told(words, out):
        made = reference.pages(found, key, paper, fonts)
        made += trackers.pages(found, key, paper, fonts) if strips else []
        _write(made, out, found.name[key], chosen["dpi"], fonts)


@click.command()
@click.argument("address", callback=_address)
@click.option("--wifi", callback=_network, metavar="NAME", help="Add a QR code that joins this network.")
@click.option("--password", callback=_password, default="", help="The network's password, printed as well.")
@_common
@_out("poster.pdf")
def poster(address: str, wifi: str | None, password: str, out: Path, lang: Lang, **chosen: Any) -> None:
    """Print a poster with the QR code of ADDRESS, where the table is joined."""
    from printables import table

    words, key = _words(lang), _key(lang)
    fonts = _fonts(chosen["title_font"], words)
    with _told(words, out):
        made = table.poster(address, key, _sheet_of(chosen["paper"]), fonts, wifi, password)
        _write([made], out, address, chosen["dpi"], fonts)


@click.command()
@click.argument("names", nargs=-1, required=True)
@_common
@_out("tents.pdf")
def tents(names: tuple[str, ...], out: Path, lang: Lang, **chosen: Any) -> None:
    """Print a folded card for the place of everybody in NAMES, to be read from both sides."""
    from companion.names import clean
    from printables import table

    words = _words(lang)
    shown = [cleaned for name in names if (cleaned := clean(name, longest=None))]
    if not shown:
        raise Refused(words.say("请写下看得见的名字。"))
    fonts = _fonts(chosen["title_font"], words)
    with _told(words, out):
        _write(table.tents(shown, _sheet_of(chosen["paper"]), fonts), out, "", chosen["dpi"], fonts)


@click.command()
@_common
@click.option(
    "--backs",
    type=click.Choice(("long", "short")),
    default="long",
    show_default=True,
    help="How the printer turns the sheet: as for the cards.",
)
@click.option("--landscape", is_flag=True, help="For sheets of cards that lie on their side.")
@_out("calibration.pdf")
def calibration(backs: Flip, landscape: bool, out: Path, lang: Lang, **chosen: Any) -> None:
    """Print both sides of a sheet that shows the printer's scale, and how far its two sides are apart."""
    from printables import table
    from printables.labels import label
    from printables.pdf import DUPLEX

    words, key = _words(lang), _key(lang)
    fonts = _fonts(chosen["title_font"], words)
    with _told(words, out):
        made = table.calibration(key, _sheet_of(chosen["paper"]), fonts, backs, landscape)
        _write(made, out, label("calibration", key), chosen["dpi"], fonts, DUPLEX[backs])


def _write(made: Sequence[Page], out: Path, title: str, dpi: int, fonts: Fonts, duplex: Duplex = "Simplex") -> None:
    from printables.papers import write_pages

    with _progress(len(made)) as tick:
        write_pages(made, out, title, dpi, fonts, duplex=duplex, tick=tick)
    click.echo(out)

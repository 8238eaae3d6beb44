"""Every template in every language: complete, unmixed, without inline code or addresses of other machines."""

import gzip
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask import Flask, render_template
from flask_babel import Babel, force_locale
from jinja2 import StrictUndefined

from companion.modes import MODES, find_mode
from companion.paths import PACKAGE, templates_folder
from companion.web.screens import Frame, Lang
from printables.glyphs import CAMPS

from .screen_samples import LANGS, TEMPLATES, Samples, Screen

TRANSLATIONS = PACKAGE / "translations"
CATALOGS = ("en", "zh_Hant")
VOID = {"meta", "link", "input", "br", "wbr", "use", "path", "rect"}
PATHS = {"/", "/C", "/print", "/card", "/card/back", "/join", "/record", "/withdraw", "/done", "/again"} | {
    f"/host/{name}"
    for name in (
        "settings",
        "composition",
        "address",
        "wifi",
        "move",
        "remove",
        "dealing",
        "collect",
        "deal",
        "undo",
        "change",
        "pause",
        "everything",
        "end",
    )
}
PATHS |= {"/resume", "/place", "/look", "/hero", "/host/places"}
ASKING = {"/host/line"}
"""Where forms lead that change nothing."""
PATHS |= {"/leave", "/add", "/claim", "/claim/drop", "/host/approve", "/host/refuse", "/host/offer", "/hosting"}
PATHS |= {"/pass", "/pass/use", "/pass/card", "/pass/card/back"}
CASES = [(lang, name) for lang in LANGS for name in Samples(lang).all()]


@cache
def app() -> Flask:
    made = Flask("companion", template_folder=str(templates_folder()), static_folder=str(PACKAGE / "static"))
    made.config["BABEL_TRANSLATION_DIRECTORIES"] = str(TRANSLATIONS)
    made.config["BABEL_DEFAULT_LOCALE"] = "zh_Hans"
    made.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    Babel(made)
    return made


def render(screen: Screen) -> str:
    with app().test_request_context(), force_locale(screen.frame.lang.replace("-", "_")):
        return render_template(TEMPLATES[type(screen)], screen=screen)


@cache
def page(lang: Lang, name: str) -> "Page":
    return Page(render(Samples(lang).all()[name]))


class Page(HTMLParser):
    """A page taken apart: tags with their attributes, and the texts that are written in the page's own language."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._foreign: list[bool] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append((tag, given))
        if tag not in VOID:
            named = tag in ("bdi", "symbol") or given.get("translate") == "no" or (tag != "html" and "lang" in given)
            self._foreign.append(named or (bool(self._foreign) and self._foreign[-1]))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self._foreign.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._foreign[-1]:
            self.texts.append(data.strip())

    def all(self, attribute: str) -> Iterator[str]:
        return (given[attribute] for _, given in self.tags if attribute in given)


@pytest.mark.parametrize(("lang", "name"), CASES)
def test_a_page_has_no_inline_code_and_asks_no_other_machine(lang: Lang, name: str) -> None:
    for tag, given in page(lang, name).tags:
        assert tag != "style"
        assert tag != "script" or given["src"].startswith("/static/")
        assert not [attribute for attribute in given if attribute == "style" or attribute.startswith("on")]
        for attribute in ("src", "href", "action", "hx-get", "hx-post"):
            assert re.match(r"/(?!/)|\?lang=|#g-|data:,$", given.get(attribute, "/")), given


@pytest.mark.parametrize(("lang", "name"), CASES)
def test_a_page_is_well_formed_where_the_live_updates_need_it(lang: Lang, name: str) -> None:
    ids = list(page(lang, name).all("id"))
    assert len(ids) == len(set(ids))
    assert ids.count("live") == ids.count("notice") == 1
    assert not page(lang, name)._foreign


@pytest.mark.parametrize(("lang", "name"), CASES)
def test_every_form_goes_where_the_contract_says(lang: Lang, name: str) -> None:
    parsed = page(lang, name)
    for tag, given in parsed.tags:
        if tag == "form":
            assert re.sub("^/t/[0-9A-Z]+", "", given["action"]) in (PATHS if given["method"] == "post" else ASKING)
            assert given.get("hx-post", given["action"]) == given["action"]
    forms = [given for tag, given in parsed.tags if tag == "form" and given["method"] == "post"]
    keys = [given for tag, given in parsed.tags if tag == "input" and given.get("name") == "key"]
    assert len(keys) == len(forms)


def _own_words(lang: Lang, name: str) -> list[str]:
    parsed = page(lang, name)
    labels = [text for attribute in ("aria-label", "data-text") for text in parsed.all(attribute)]
    foreign = ("简体中文", "繁體中文", "English")
    known = [text for text in labels if text not in foreign and not re.search("往[前后後]|^Move ", text)]
    return parsed.texts + known


@cache
def _letters(name: str) -> tuple[set[str], set[str]]:
    """The characters of all Simplified messages and of all messages of another catalogue."""
    words = _written(name)
    return set("".join(words)), set("".join(text for strings in words.values() for text in strings))


@pytest.mark.parametrize(("lang", "name"), CASES)
def test_a_page_speaks_one_language(lang: Lang, name: str) -> None:
    simplified, traditional = _letters("zh_Hant")
    han = re.compile("[⺀-鿿，。；：？！、]")
    for text in _own_words(lang, name):
        if lang == "en":
            assert not han.search(text), text
        else:
            plain = re.sub("K7QX|Wi-Fi|VPN|Python|PDF|QR Code|QR|tun0|https?://[0-9.:/a-z]+", "", text)
            assert not re.search("[A-Za-z]{2}", plain), text
            other = simplified - traditional if lang == "zh-Hant" else traditional - simplified
            assert not set(plain) & other, text


Words = dict[str, tuple[str, ...]]
"""Translations (one for each plural form) by message id."""


def _words(messages: Iterable[Message]) -> Words:
    return {_forms(message.id)[0]: _forms(message.string) for message in messages if message.id}


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


@cache
def _written(name: str) -> Words:
    with (TRANSLATIONS / name / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return _words(message for message in read_po(file, locale=name) if not message.fuzzy)


@pytest.mark.parametrize("name", CATALOGS)
def test_every_message_is_translated_and_none_is_left_over(name: str) -> None:
    found = extract_from_dir(templates_folder(), [("**.html", "jinja2")])
    assert {_forms(ids)[0] for _, _, ids, _, _ in found} == _written(name).keys()
    for msgid, strings in _written(name).items():
        holes = set(re.findall(r"%\(\w+\)s", msgid))
        assert all(text and set(re.findall(r"%\(\w+\)s", text)) == holes for text in strings), msgid


@pytest.mark.parametrize("name", CATALOGS)
def test_the_compiled_catalogue_is_the_written_one(name: str) -> None:
    with (TRANSLATIONS / name / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        assert _words(read_mo(file)) == _written(name)


def test_camps_have_the_signs_of_the_printed_cards() -> None:
    drawn = (templates_folder() / "_glyphs.html").read_text("utf-8")
    found = dict(re.findall(r'<symbol id="g-(\w+)"[^>]*><path fill-rule="evenodd" d="([^"]*)"/>', drawn))
    assert found == CAMPS
    camps = {camp for mode in MODES for camp in find_mode(mode).camps}
    shown = (templates_folder() / "_bits.html").read_text("utf-8")
    assert all(f'"{camp}"' in shown for camp in camps)
    assert camps <= CAMPS.keys()


def test_a_partial_page_is_the_inside_of_main() -> None:
    samples = Samples("zh-Hans")
    for name, screen in samples.all().items():
        frame: Frame = screen.frame
        if frame.stream:
            whole = page("zh-Hans", name).html
            part = render(replace(screen, frame=replace(frame, partial=True)))
            inside, _, notice = part.partition('<div id="notice"')
            assert inside.strip() in whole
            assert bool(notice) == bool(frame.notice)


def test_a_phone_loads_the_first_page_in_four_small_requests() -> None:
    parsed = page("en", "seat-hp-12")
    files = [given["src"] for tag, given in parsed.tags if tag == "script"]
    files += [given["href"] for tag, given in parsed.tags if given.get("rel") == "stylesheet"]
    assert len(files) == 3
    bodies = [Path(PACKAGE, path.lstrip("/").partition("?")[0]).read_bytes() for path in files]
    assert sum(len(gzip.compress(body)) for body in (*bodies, parsed.html.encode())) <= 50 * 1024

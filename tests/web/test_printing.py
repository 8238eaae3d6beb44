"""The pages that print: what is ordered, how far it is, what comes of it."""

from __future__ import annotations

import re
from typing import Any

import pypdfium2
import pytest
from werkzeug.test import TestResponse

from companion.prints import KEPT_SECONDS, MOST_WAITING, WHATS
from companion.web.pages.printing import DEFAULTS
from tests.web.evening import HTMX, Browser, House, seated

DRAFT = {"dpi": "150", "mode": "classic"}


def order(house: House, address: str = "127.0.0.1", path: str = "/print", **form: object) -> TestResponse:
    return house.browser(address=address).post(path, {**DRAFT, **form})


def orderer(house: House, response: TestResponse) -> Browser:
    """The device that has ordered it."""
    return house.browser(address=response.request.remote_addr or "")


def printed(house: House, response: TestResponse) -> bytes:
    """The PDF that comes of an order."""
    assert response.status_code == 303, response.get_data(as_text=True)
    house.press()
    page = orderer(house, response).page(response.headers["Location"])
    link = re.search(r'href="(/print/[^"]+\.pdf)"', page)
    assert link, page
    found = orderer(house, response).get(link[1])
    assert found.mimetype == "application/pdf"
    return found.get_data()


@pytest.mark.parametrize("what", WHATS)
def test_everything_that_can_be_printed(house: House, what: str) -> None:
    form: dict[str, Any] = {"what": what, "names": "张三\n李四"}
    response = order(house, **form)
    if what == "trackers":
        house.press()
        assert "没有要记的东西" in orderer(house, response).page(response.headers["Location"])
        return
    assert len(pypdfium2.PdfDocument(printed(house, response))) >= 1


@pytest.mark.parametrize(
    "form",
    [
        {"players": "5", "paper": "letter", "size": "us", "backs": "short", "marks": "full", "bleed": "2"},
        {"size": "own", "width": "60", "height": "90,5", "backs": "fold", "x": "0.5", "y": "-1"},
        {"single": "on", "in": "en"},
        {"variant": "double=on", "players": "6", "address": "http://192.168.1.20:8000"},
    ],
)
def test_every_way_to_print_cards(house: House, form: dict[str, str]) -> None:
    assert printed(house, order(house, **form)).startswith(b"%PDF")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"what": "poison"}, "没有这种东西"),
        ({"mode": "court9"}, "没有这种东西"),
        ({"players": "11"}, "没有这样的人数"),
        ({"players": "many"}, "没有这样的人数"),
        ({"bleed": "99"}, "数字不对"),
        ({"size": "own", "width": "5"}, "30 到 300"),
        ({"what": "tents", "names": " \n"}, "请写下名字"),
    ],
)
def test_an_order_that_cannot_be_is_refused_in_plain_words(house: House, form: dict[str, str], words: str) -> None:
    response = order(house, **form)
    assert response.status_code == 422
    assert words in response.get_data(as_text=True)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"size": "own", "width": "250", "height": "290"}, "纸上一张牌也放不下"),
        ({"what": "tents", "names": "张\U0001f9a4"}, "U+1F9A4"),
        ({"what": "tents", "names": "W" * 90}, "W" * 90),
        ({"what": "tents", "names": "Bartholomew Featherstonehaugh-Cholmondeley"}, None),
    ],
)
def test_what_turns_out_on_the_way_is_told_in_plain_words(
    house: House, form: dict[str, str], words: str | None
) -> None:
    response = order(house, **form)
    house.press()
    page = orderer(house, response).page(response.headers["Location"])
    assert (words or "下载 PDF") in page and "Traceback" not in page


def failed(house: House, browser: Browser, path: str = "/print", **form: object) -> str:
    """The page of a job that failed."""
    response = browser.post(path, {**DRAFT, **form})
    house.press()
    page = browser.page(response.headers["Location"])
    assert "没有做成" in page
    return page


def form_of(page: str) -> str:
    """The form to which a job's page leads back."""
    link = re.search(r'href="([^"]*print\?again=[^"]+)"', page)
    assert link, page
    return link[1]


def test_what_was_typed_is_still_there_after_it_could_not_be_printed(house: House) -> None:
    browser = house.browser()
    typed = {"what": "tents", "names": "张三\n李\U0001f9a4", "in": "en", "paper": "letter", "password": "secret"}
    page = browser.page(form_of(failed(house, browser, **typed)))
    assert "张三\n李\U0001f9a4</textarea>" in page and 'value="tents" checked' in page
    assert '<option value="en" selected' in page and '<option value="letter" selected' in page
    assert "U+1F9A4" in page and "secret" not in page


def test_a_table_keeps_its_form_too_and_a_job_that_is_forgotten_leaves_a_fresh_one(house: House) -> None:
    host, _ = seated(house, "classic", 3)
    link = form_of(failed(house, host, "print", size="own", width="250", height="290"))
    assert link.startswith(f"{host.base}/print?again=")
    page = host.page(link)
    assert 'value="250"' in page and "甲" not in page and "纸上一张牌也放不下" in page
    house.clock.move(KEPT_SECONDS + 1)
    page = host.page(link)
    assert 'value="250"' not in page and "甲\n乙\n丙</textarea>" in page


def test_more_is_printed_from_the_form_as_it_was(house: House) -> None:
    browser = house.browser()
    response = browser.post("/print", {**DRAFT, "mode": "court8", "paper": "letter"})
    house.press()
    page = browser.page(form_of(browser.page(response.headers["Location"])))
    assert '<option value="court8" selected>' in page and '<option value="letter" selected' in page
    assert "slip refused" not in page


def details(page: str) -> str:
    """The tag of what holds the details of cards."""
    found = re.search(r'<details[^>]*id="of-cards"[^>]*>', page)
    assert found
    return found[0]


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"bleed": "99"}, "bleed"),
        ({"margin": "x"}, "margin"),
        ({"x": "21"}, "x"),
        ({"y": "-21"}, "y"),
        ({"size": "own", "width": "5"}, "width"),
        ({"size": "own", "height": "5"}, "height"),
        ({"players": "11"}, "players"),
    ],
)
def test_the_field_that_is_wrong_is_open_and_marked(house: House, form: dict[str, str], field: str) -> None:
    page = order(house, **form).get_data(as_text=True)
    assert " open" in details(page)
    marked = re.findall(r'<(?:input|select) name="(\w+)"[^>]*aria-invalid="true"', page)
    assert marked == [field]


def test_details_that_were_changed_are_open_again_and_others_stay_closed(house: House) -> None:
    browser = house.browser()
    assert " open" not in details(browser.page("/print"))
    assert " open" in details(browser.page(form_of(failed(house, browser, size="own", width="250", height="290"))))
    typed = {**DEFAULTS, "dpi": "300", "what": "tents", "names": "张\U0001f9a4"}
    assert " open" not in details(browser.page(form_of(failed(house, browser, **typed))))


def test_codes_are_printed_on_the_laptop_itself_alone(house: House) -> None:
    assert "没有编码" in house.browser().page("/print")
    house.site.is_local = True
    assert "六位编码" in house.browser(address="127.0.0.1").page("/print")
    assert printed(house, order(house)) != printed(house, order(house, address="192.168.1.99"))


def test_what_was_ordered_is_for_the_device_that_ordered_it(house: House) -> None:
    response = order(house, "192.168.1.9", what="strip")
    page = response.headers["Location"]
    house.press()
    name = re.findall(r'href="(/print/[^"]+\.pdf)"', house.browser(address="192.168.1.9").page(page))[0]
    other = house.browser(address="192.168.1.10")
    assert other.get(page).status_code == other.get(name).status_code == 404
    assert house.browser(address="192.168.1.9").get(name).status_code == 200


def test_a_table_proposes_its_mode_names_and_address(house: House) -> None:
    host, _ = seated(house, "classic", 3)
    page = host.page("print")
    assert "甲\n乙\n丙</textarea>" in page
    assert '<option value="classic" selected>' in page and '<option value="3" selected>' in page
    assert f'action="{host.base}/print"' in page
    assert printed(house, host.post("print", {**DRAFT, "what": "poster", "network": "w", "password": "secret"}))


def test_the_host_prints_exactly_what_the_table_composes(house: House) -> None:
    house.site.is_local = True
    host, phones = seated(house, "sixteen", 5)
    host.post("host/composition", {"preset": "random", "back": "host"})
    assert '<option value="table" selected>' in host.page("print")
    assert 'value="table"' not in phones[0].page("print")
    form = {"mode": "sixteen", "dpi": "150", "variant": "table", "single": "on", "backs": "none"}
    assert len(pypdfium2.PdfDocument(printed(house, host.post("print", form)))) == 5
    assert len(pypdfium2.PdfDocument(printed(house, phones[0].post("print", form)))) != 5


def test_the_wifi_password_comes_back_on_no_page(house: House) -> None:
    response = order(house, what="poster", players="x", password="very secret")
    assert response.status_code == 422 and "very secret" not in response.get_data(as_text=True)


def test_a_page_tells_how_far_it_is_with_scripts_and_without(house: House) -> None:
    url = order(house).headers["Location"]
    page = house.browser(address="127.0.0.1").page(url)
    assert '<meta http-equiv="refresh"' in page and f'hx-get="{url}"' in page and "<progress" in page
    assert "<html" not in house.browser(address="127.0.0.1").page(url, **HTMX)
    house.press()
    page = house.browser(address="127.0.0.1").page(url)
    assert "refresh" not in page and "hx-get" not in page


def test_each_visitor_has_one_job_and_few_wait(house: House) -> None:
    first = order(house).headers["Location"]
    second = order(house).headers["Location"]
    assert house.browser(address="127.0.0.1").get(first).status_code == 404
    assert house.browser(address="127.0.0.1").get(second).status_code == 200
    for number in range(MOST_WAITING - 1):
        assert order(house, f"192.168.1.{number}").status_code == 303
    refused = order(house, "192.168.1.77", what="tents", names="张三")
    assert refused.status_code == 503
    assert "前面排着好几份" in refused.get_data(as_text=True) and "张三</textarea>" in refused.get_data(as_text=True)
    assert f"前面还有 {MOST_WAITING - 1} 份" not in house.browser(address="127.0.0.1").page(second)


def test_jobs_are_forgotten_after_a_while(house: House) -> None:
    url = order(house, what="calibration").headers["Location"]
    house.press()
    assert house.browser(address="127.0.0.1").get(url).status_code == 200
    house.clock.move(KEPT_SECONDS + 1)
    assert house.browser(address="127.0.0.1").get(url).status_code == 404
    assert house.browser(address="127.0.0.1").get(f"{url}/calibration.pdf").status_code == 404


def test_the_pages_speak_three_languages(house: House) -> None:
    for language, words in (("zh-CN", "印到纸上"), ("zh-TW", "印到紙上"), ("en", "On paper")):
        assert words in house.browser(language).page("/print")
    assert not re.search("[碼码]入座|二[維维]碼", house.browser("zh-TW").page("/print"))


@pytest.mark.parametrize(("language", "at"), [("zh-CN", 0), ("zh-TW", 1), ("en", 2)])
def test_every_fault_is_said_in_the_pages_language(house: House, language: str, at: int) -> None:
    browser = house.browser(language)
    forms = [{"what": "poison"}, {"players": "11"}, {"bleed": "99"}, {"size": "own", "width": "5"}, {"what": "tents"}]
    said = [browser.post("/print", {**DRAFT, **form}).get_data(as_text=True) for form in forms]
    for form in (
        {"size": "own", "width": "250", "height": "290"},
        {"what": "trackers"},
        {"backs": "fold", "size": "own"},
    ):
        sized = {"width": "150", "height": "290"} | form
        response = browser.post("/print", {**DRAFT, **sized})
        house.press()
        said.append(browser.page(response.headers["Location"]))
    for page in said:
        told = re.search(r'role="alert"><p>(.*?)</p>|<h1>[^<]*</h1>\s*<p>(.*?)</p>', page)
        assert told, page
        words = told[1] or told[2]
        chinese, latin = re.search(r"[\u3000-\u9fff]", words), re.search(r"[A-Za-z]{3,}", words)
        assert bool(chinese) == (at < 2) and bool(latin) == (at == 2), words

"""What `ambition` and `court12` add to the screens: counts, several deaths, questions, standing effects, endings."""

from __future__ import annotations

import re

import pytest

from companion.modes import MODES, find_mode
from companion.words import LANGS, Words
from tests.web.evening import COURT12, NAMES, Browser, House, carry_out, dealt, said, seated

AMBITION = "restorer supporter usurper disruptor disruptor disruptor"


def record(browser: Browser, *lines: str) -> None:
    for line in lines:
        assert browser.record(line).status_code == 303, line


def inside(page: str, pattern: str) -> str:
    """The text of the first piece that fits."""
    found = re.search(pattern, page, re.S)
    return " ".join(re.sub("<[^>]+>|&#8288;", " ", found[0]).split()) if found else ""


def spot(page: str, seat: int) -> str:
    """What the ring says of a seat."""
    return inside(page, rf'<li class="at-\d+ s{seat}">.*?</li>')


def verbs(page: str) -> list[str]:
    return re.findall(r'name="verb" value="(\w+)" form="rec"', page)


@pytest.mark.parametrize("mode", MODES)
def test_everything_that_a_mode_offers_to_record_has_words(mode: str) -> None:
    for word in find_mode(mode).records:
        for lang in LANGS:
            if word != "deaths" and word != "touch":
                assert all(Words(lang, find_mode(mode)).verb(word))


def test_a_mode_offers_what_its_data_lists(house: House) -> None:
    _, phones = dealt(house, AMBITION, "ambition")
    assert verbs(phones[0].page()) == ["death", "dying", "saved", "limit", "turn", "leave"]
    _, phones = dealt(house, AMBITION, "ambition", options="provinces")
    assert verbs(phones[0].page()) == ["death", "dying", "saved", "provinces", "limit", "turn", "leave"]


def test_the_start_is_told_step_by_step(house: House) -> None:
    host, phones = dealt(house, AMBITION, "ambition")
    phones[1].post("done", {"announcement": "setup-look", "back": "seat"})
    clauses = []
    for _ in range(10):
        page = phones[2].page()
        found = re.search(r'id="say-(1-\d+)"', page)
        assert found
        clauses.append(inside(page, r'<span class="clause".*?</span>'))
        phones[4].post("done", {"announcement": found[1], "back": "seat"})
    assert clauses == ["AM-2.1", *["AM-2.3"] * 7, *["AM-2.4"] * 2]
    phones[1].post("done", {"announcement": "setup-role_cards", "back": "seat"})
    assert "turn 1" in host.page("")
    assert "州三区" not in inside(host.page(""), r'<section class="log">.*?</section>')


def test_provinces_and_limits_are_counted_for_everybody(house: House) -> None:
    _, phones = dealt(house, AMBITION, "ambition", options="provinces")
    assert "4/4" in spot(phones[3].page(), 1) and "3/3" in spot(phones[3].page(), 2)
    for form in ({"verb": "provinces", "who": "2", "n": "-1"}, {"verb": "limit", "who": "2", "n": "+1"}):
        assert phones[5].post("record", {**form, "key": form["verb"], "back": "seat"}).status_code == 303
    assert "2/4" in spot(phones[3].page(), 2)
    refused = phones[5].post("record", {"verb": "provinces", "who": "2", "n": "+9", "key": "3", "back": "seat"})
    assert refused.status_code == 422 and said(refused).endswith("AM-3.1")
    assert "2/4" in spot(phones[3].page(), 2)


def test_only_limits_are_shown_where_provinces_are_not_counted(house: House) -> None:
    _, phones = dealt(house, AMBITION, "ambition")
    assert "≤4" in spot(phones[3].page(), 1).replace(" ", "")


@pytest.mark.parametrize(
    ("language", "title", "label"),
    [
        ("zh-CN", "我的角色", "角色名（大家都看得到）"),
        ("zh-TW", "我的角色", "角色名（大家都看得到）"),
        ("en", "My role card", "Role card's name (everybody sees it)"),
    ],
)
def test_in_ambition_people_write_down_role_cards(house: House, language: str, title: str, label: str) -> None:
    _, phones = dealt(house, AMBITION, "ambition")
    form = inside(phones[1].page(**{"Accept-Language": language}), r'<details class="hero-of".*?</form>')
    assert form.replace("&#39;", "'").startswith(f"{title} {label}")


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("zh-CN", "乙 2 濒亡 恢复到几个州，还是灭亡？ 恢复到 1 州 恢复到 2 州 恢复到 3 州 灭亡"),
        ("zh-TW", "乙 2 瀕亡 恢復到幾個州，還是滅亡？ 恢復到 1 州 恢復到 2 州 恢復到 3 州 滅亡"),
        ("en", "乙 2 is dying Back to how many provinces, or dead? Back to 1 province Back to 2 provinces "
               "Back to 3 provinces Dead"),
    ],
)  # fmt: skip
def test_whoever_is_dying_is_asked_about_in_the_modes_own_words(house: House, language: str, asked: str) -> None:
    host, phones = dealt(house, AMBITION, "ambition", options="provinces")
    carry_out(host)
    record(phones[5], "turn 1", "dying 2 by 1")
    page = phones[3].page(**{"Accept-Language": language})
    assert inside(page, r'id="dying-2".*?</section>').partition("> ")[2] == asked
    assert "濒死" not in page and "桃" not in page and "体力" not in page.partition("<main")[2]
    assert re.findall(r'name="input" value="(saved 2 \d)"', page) == ["saved 2 1", "saved 2 2", "saved 2 3"]
    record(phones[3], "saved 2 2")
    assert "2/3" in spot(phones[0].page(), 2)


def test_provinces_that_are_not_counted_are_not_asked_for(house: House) -> None:
    host, phones = dealt(house, AMBITION, "ambition")
    carry_out(host)
    record(phones[5], "turn 1", "dying 2 by 1")
    page = phones[3].page()
    assert "恢复到至少一州，还是灭亡？ 救回 灭亡" in inside(page, r'id="dying-2".*?</section>')
    assert "恢复到至少一州了？ 救回" in inside(page, r'<div class="ask ask-saved">.*?</div>')


def test_several_fall_at_once(house: House) -> None:
    host, phones = dealt(house, AMBITION, "ambition")
    form = {"verb": "deaths", "by-1": "", "by-2": "1", "by-3": "", "by-4": "-", "key": "1", "back": "seat"}
    assert phones[5].post("record", form).status_code == 303
    for seat in (2, 4):
        assert "灭亡" in spot(phones[0].page(), seat)
    carry_out(host)
    assert "收辅" in spot(host.page(""), 1)
    nobody = phones[5].post("record", {"verb": "deaths", "by-1": "", "key": "2", "back": "seat"})
    assert nobody.status_code == 422


def test_several_deaths_wait_together(house: House) -> None:
    host, phones = dealt(house, AMBITION, "ambition", pause=4)
    record(phones[5], "deaths 2 by 1, 4 by -")
    waiting = inside(phones[0].page(), r'<section class="draft".*?</section>')
    assert "乙 2 、 丁 4 即将灭亡亮牌" in waiting and "凶手是 甲" in waiting
    house.clock.move(4)
    assert "灭亡" in spot(host.page(""), 4)


def test_only_where_the_mode_knows_it_several_fall_at_once(house: House) -> None:
    _, phones = dealt(house, AMBITION, "ambition")
    assert 'id="several"' in phones[0].page()
    _, phones = dealt(house)
    assert 'id="several"' not in phones[0].page()


def test_the_host_corrects_a_counter(house: House) -> None:
    host, phones = dealt(house, AMBITION, "ambition", options="provinces")
    form = {"verb": "correct", "who": "2", "what": "provinces", "n": "1", "key": "1", "back": "host"}
    assert phones[1].post("record", form).status_code == 403
    assert host.post("record", form).status_code == 303
    assert "1/3" in spot(phones[1].page(), 2)
    page = host.page("host")
    assert 'value="limit"' in page and 'value="max_hp"' not in page


def test_a_card_says_who_took_this_side_and_why(house: House) -> None:
    _, phones = dealt(house, AMBITION, "ambition")
    assert "祸乱九州" in phones[3].page() and "祸乱九州" not in phones[2].page()


def test_the_branch_is_chosen(house: House) -> None:
    host, _ = seated(house, "ambition", 6)
    form = {"mode": "ambition", "shown": "branch", "option-branch": "duo", "pause": 0, "back": "host"}
    assert "乱 ×3" in inside(host.page("host"), r'<ul class="composition".*?</ul>')
    assert host.post("host/settings", form).status_code == 303
    assert "夺 ×2" in inside(host.page("host"), r'<ul class="composition".*?</ul>')
    assert host.post("host/settings", {**form, "option-branch": "maybe"}).status_code == 422


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ("death 3 by 1; death 4 by 1; death 5 by 1; death 6 by 1", "匡获胜"),
        ("deaths 4 by 1, 5 by 1, 6 by 1, 3 by 1, 2 by 1, 1 by 6", "同归于尽"),
        ("death 4 by 1; death 5 by 1; death 6 by 1; death 1 by 3", "无人达成志向"),
    ],
)
def test_an_ending_is_called_by_its_clause(house: House, lines: str, title: str) -> None:
    _, phones = dealt(house, AMBITION, "ambition")
    record(phones[0], *lines.split("; "))
    assert title in inside(phones[3].page(), "<h1>.*?</h1>")


def test_a_question_closes_everything_but_its_answer(house: House) -> None:
    host, phones = dealt(house, COURT12, "court12")
    record(phones[0], "turn 1", "death 1 by 8")
    for page in (host.page(""), phones[2].page(), phones[7].page()):
        assert 'id="question"' not in page, "first comes what is announced"
        assert "做完以后，请 丙 3 回答" in inside(page, r'<p class="asks">.*?</p>')
    carry_out(host)
    for page in (host.page(""), phones[2].page(), phones[7].page()):
        assert "请 丙 3 回答" in inside(page, r'id="question-h">.*?</h2>')
        assert verbs(page) == ["leave"] and 'class="next"' not in page
    assert phones[4].record("turn 2").status_code == 422
    record(phones[7], "answer 3 no")
    house.start()
    assert "请 丁 4 回答" in inside(phones[2].page(), r'id="question-h">.*?</h2>')
    record(phones[7], "leave 4")
    carry_out(host)
    assert "请 戊 5 回答" in inside(phones[2].page(), r'id="question-h">.*?</h2>')
    host.post("host/undo", {"step": "5", "key": "u", "back": "host"})
    assert "请 丁 4 回答" in inside(phones[2].page(), r'id="question-h">.*?</h2>')


def test_standing_effects_name_whom_they_bear_on_and_who_rules(house: House) -> None:
    host, phones = dealt(house, COURT12, "court12")
    record(phones[0], "turn 1")
    carry_out(host)
    assert "辅政： 甲 1" in inside(phones[5].page(), r'<details class="effects".*?</summary>')
    record(phones[0], "death 1 by 8", "answer 3 yes")
    assert "辅政" in inside(phones[5].page(), r'<details class="effects".*?</summary>'), (
        "its end has yet to be announced"
    )
    carry_out(host)
    effects = inside(phones[5].page(), r'<details class="effects".*?</summary>')
    assert "护威： 乙 2" in effects and "辅政" not in effects and "聚义： 庚 7 ，X 为 5" in effects
    assert "代行主公" in spot(phones[5].page(), 2)
    record(phones[0], "death 7 by 2")
    carry_out(host)
    assert "军溃" in inside(phones[5].page(), r'<details class="effects".*?</summary>')


def test_an_extra_turn_is_reminded_of_and_play_goes_on_where_it_was(house: House) -> None:
    host, phones = dealt(house, COURT12, "court12")
    record(phones[0], "turn 5", "dying 12 by 3", *(f"answer {seat} no" for seat in (5, 6, 8, 9, 10, 11, 2, 3, 4)))
    record(phones[0], "answer 12 extra_turn")
    carry_out(host)
    assert f"额外回合： {NAMES[11]} 12" in inside(host.page(""), r'class="next">.*?</button>')
    assert "额外回合" in spot(host.page(""), 12)
    record(phones[0], "turn 12")
    assert "下一回合： 己 6" in inside(host.page(""), r'class="next">.*?</button>')

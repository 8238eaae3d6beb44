"""`sixteen` and `chuhan` over HTTP: what the host composes, whose skills, whose news, who touched whom."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from companion.modes import find_mode
from tests.web.evening import NAMES, Browser, House, carry_out, dealt, log, said, seated

EIGHT = "lord:red false_emperor>1 loyalist:red royal_guard:red rebel yellow_turban assassin>5 vanguard"
MODE = find_mode("sixteen")


def compose(host: Browser, **form: str) -> int:
    return host.post("host/composition", {"back": "host", **form}).status_code


def composition(host: Browser) -> Counter[str]:
    return Counter(map(str, host.evening.cards()))


def own(phone: Browser) -> str:
    """The own card, and what lies beside it."""
    found = re.search(r'<section class="mine.*?</section>', phone.page(), re.S)
    assert found
    return re.sub(r"</?bdi[^>]*>|<span class=\"no\">\d+</span>", "", found[0])


def use(phone: Browser, seat: int, skill: str, *on: int) -> int:
    form = {"verb": "use", "who": seat, "skill": skill, "on": list(on), "back": "seat", "key": f"{seat} {skill}"}
    return phone.post("record", form).status_code


def rescuers(page: str, form: str) -> list[tuple[str, str]]:
    """The names of the fields in which those who saved somebody are named, with the seats."""
    return re.findall(rf'name="(rescuer-\d)" value="(\d)"{form}>', page)


@pytest.mark.parametrize(("options", "rows"), [("hp", 5), ("", 0)])
def test_those_who_saved_somebody_are_named_where_it_tells(house: House, options: str, rows: int) -> None:
    host, phones = dealt(house, "lord loyalist rebel rebel yellow_turban", "sixteen", options=options)
    carry_out(host)
    host.record("turn 1")
    host.record("dying 3 by 1")
    offered = [(f"rescuer-{row}", str(seat)) for row in range(1, rows + 1) for seat in range(1, 6)]
    for page in (host.page(""), *(phone.page() for phone in phones)):
        assert rescuers(page, "") == offered and rescuers(page, ' form="rec"') == offered
    form = {"verb": "saved", "who": 3, "rescuer-1": 5, "rescuer-2": 2, "key": "1", "back": "seat"}
    assert phones[1].post("record", form).status_code == 303
    line = re.sub("<[^>]+>", "", phones[0].page().partition('<section class="log">')[2])
    assert "丙3 被 戊5、乙2 救回" in line
    assert ("黄巾标记：丙" in own(phones[4])) == bool(rows)


def test_in_other_games_nobody_asks_who_saved_somebody(house: House) -> None:
    host, phones = dealt(house, options="hp")
    carry_out(host)
    host.record("turn 1")
    host.record("dying 3 by 1")
    assert 'value="saved 3"' in phones[1].page() and not rescuers(phones[1].page(), ".*")


# What the host composes


def test_the_classical_row_is_dealt_until_the_host_composes(house: House) -> None:
    host, phones = seated(house, "sixteen", 5)
    assert composition(host) == {"lord": 1, "loyalist": 1, "rebel": 2, "renegade": 1}
    assert "已有 5 人，可以发牌" in phones[0].page()
    assert compose(host, count="yellow_turban 1") == compose(host, count="rebel 1") == 303
    assert composition(host) == {"lord:red": 1, "loyalist:red": 1, "rebel": 1, "renegade": 1, "yellow_turban": 1}
    assert "黄巾 <b>×1</b>" in phones[0].page()
    compose(host, preset="basic")
    assert composition(host)["yellow_turban"] == 0


def test_a_tap_that_is_sent_twice_counts_once(house: House) -> None:
    host, _ = seated(house, "sixteen", 5)
    for _ in range(2):
        compose(host, count="assassin 1")
    assert composition(host)["assassin"] == 1


def test_every_reason_is_said_beside_a_wrong_count(house: House) -> None:
    host, _ = seated(house, "sixteen", 8)
    for count in ("former_lord:red 1", "false_emperor 2", "alliance_leader 2", "yellow_turban 4"):
        assert compose(host, count=count) == 303
    said = re.findall(r'class="clause" translate="no">(SX-1[^<]*)<', host.page("host"))
    assert set(said) == {f"SX-1.{n}" for n in range(1, 7)}


def test_a_label_says_the_colour(house: House) -> None:
    host, _ = seated(house, "sixteen", 8)
    labels = re.findall('aria-label="([^"]+ 加一张)"', host.page("host"))
    assert "红色主公 加一张" in labels and "蓝色主公 加一张" in labels and "反贼 加一张" in labels
    assert len(labels) == len(set(labels))


REASONS = [
    (["former_lord:red 1"], "SX-1.2", "先主和主公不能同局"),
    (["false_emperor 1", "lord:red 0", "hidden_dragon:red 1"], "SX-1.3", "有伪帝就要有主公或明主"),
    (["loyalist:blue 1"], "SX-1.4", "没有蓝色的主公"),
    (["alliance_leader 2"], "SX-1.5", "盟主最多一张"),
    (["rebel 1", "yellow_turban 3"], "SX-1.6", "有 3 张黄巾，最多 2 张"),
    (["rebel 0", "renegade 0"], "SX-1.7", "一开局就已分出胜负"),
]
UNFIT = [counts for counts, _, _ in REASONS]


@pytest.mark.parametrize(("counts", "clause", "says"), REASONS)
def test_every_reason_is_said_in_plain_words(house: House, counts: list[str], clause: str, says: str) -> None:
    host, _ = seated(house, "sixteen", 6)
    for count in counts:
        assert compose(host, count=count) == 303
    page = host.page("host")
    assert says in page and clause in page
    assert says in host.page("")
    assert host.post("host/deal", {"back": "host"}).status_code == 422
    assert host.evening.phase == "lobby"


@pytest.mark.parametrize("language", ["zh-TW", "en"])
@pytest.mark.parametrize("counts", UNFIT)
def test_every_reason_is_said_in_the_hosts_language(house: House, counts: list[str], language: str) -> None:
    host = house.browser(language)
    host.open_table()
    host.evening.choose("sixteen", {}, 4)
    for n in range(6):
        house.browser().sit_down(host.base, NAMES[n])
    for count in counts:
        compose(host, count=count)
    reasons = re.search(r'<ul class="reasons"[^>]*>(.*?)</ul>', host.page("host"), re.S)
    assert reasons
    words = re.sub(r"<span class=\"clause\".*?</span>|<[^>]*>", "", reasons[1])
    assert bool(re.search(r"[\u3000-\u9fff]", words)) == (language != "en")
    assert bool(re.search(r"[A-Za-z]{2,}", words)) == (language == "en")
    assert not set(words) & set("张红黄开胜没两")


def test_too_few_people_for_the_cards_are_waited_for(house: House) -> None:
    host, phones = seated(house, "sixteen", 5)
    compose(host, count="assassin 1")
    assert "还差 1 人" in phones[0].page()
    assert "有 6 张身份牌、5 个人" in host.post("host/deal", {"back": "host"}).get_data(as_text=True)


def test_a_hidden_composition_is_on_no_page_but_the_hosts(house: House) -> None:
    host, phones = seated(house, "sixteen", 5, options="hide_composition")
    compose(host, count="assassin 1")
    assert "刺客" not in phones[0].page() + host.page("")
    assert "刺客" in host.page("host")
    compose(host, count="loyalist:blue 1")
    assert "蓝色" in host.page("host")
    assert "蓝" not in host.page("") and "还不合规则" in host.page("")


def test_a_random_composition_can_be_dealt(house: House) -> None:
    host, _ = seated(house, "sixteen", 8)
    for _ in range(5):
        compose(host, preset="random")
        assert not MODE.ruleset.check({}, host.evening.cards(), False)
        assert not host.evening.why_not()
    chosen = composition(host)
    host.post("host/deal", {"back": "host"})
    assert host.evening.game
    state = host.evening.game.table.state
    assert Counter(str(seat.identity) for seat in state.seats) == chosen
    assert all(seat.target for seat in state.seats if seat.role in ("assassin", "false_emperor"))
    house.start()
    host.post("host/end", {"back": "host"})
    assert composition(host) == chosen, "kept for the next game, and by a restart"


@pytest.mark.parametrize("form", [{"count": "dragon 1"}, {"count": "lord:red 99"}, {"count": "latter_lord 1"}])
def test_what_cannot_be_composed_is_refused(house: House, form: dict[str, str]) -> None:
    host, phones = seated(house, "sixteen", 5)
    before = composition(host)
    assert compose(host, **form) == 422
    assert phones[0].post("host/composition", {"preset": "random"}).status_code == 403
    assert composition(host) == before


def test_nothing_is_composed_in_the_middle_of_a_game(house: House) -> None:
    host, _ = dealt(house, EIGHT, "sixteen")
    assert compose(host, preset="random") == 422


# Whose news


def test_a_disguise_is_what_everybody_sees_its_owner_too(house: House) -> None:
    _, phones = dealt(house, EIGHT, "sixteen")
    for phone in phones:
        ring = re.findall(r'<li class="at-\d s(\d)">.*?<b>(.*?)</b>', phone.page(), re.S)
        assert ring[:2] == [("1", "主公"), ("2", "主公")]
    assert '<p class="role">伪帝</p>' in own(phones[1])
    assert "你冒充 甲：别人看到你是主公 · 红" in own(phones[1])
    assert "你的目标是 戊" in own(phones[6])


def test_marks_and_a_conversion_are_told_to_whom_they_concern(house: House) -> None:
    _, phones = dealt(house, EIGHT, "sixteen")
    phones[0].record("turn 1")
    for turn in (2, 3, 4):
        house.clock.move(11)
        phones[0].record("touch 3 by 6")
        phones[0].record(f"turn {turn}")
        if turn == 3:
            assert "黄巾标记：丙 2" in own(phones[5])
            assert "黄巾" not in own(phones[2])
    assert "你变成了黄巾，是 己 拉你入伙的" in own(phones[2])
    assert "丙 被你拉入黄巾" in own(phones[5])
    for phone in (phones[0], phones[3]):
        assert "黄巾" not in own(phone) and 'class="card now"' not in phone.page()


def test_what_was_inspected_is_known_to_him_who_looked(house: House) -> None:
    _, phones = dealt(house, "wise_lord:blue loyalist:blue rebel renegade", "sixteen")
    phones[0].record("turn 1")
    assert use(phones[0], 1, "inspect", 3) == 303
    assert "丙 的身份是反贼" in own(phones[0])
    for phone in phones[1:]:
        assert "反贼" not in re.sub(r'<section class="mine.*', "", phone.page(), flags=re.S)
        assert "甲" in phone.page() and "明辨忠奸" in phone.page()


# Skills


OF_ANOTHER = "技能只能由本人在自己的手机上发动；没有手机的，在别人的手机上打开自己的牌再发动。"


def test_a_skill_is_used_from_its_owners_phone_alone(house: House) -> None:
    host, phones = dealt(house, EIGHT, "sixteen")
    refused = [phone.record("use 8 charge 3") for phone in (host, phones[0], phones[2])]
    assert {(answer.status_code, said(answer)) for answer in refused} == {(422, OF_ANOTHER)}
    assert use(phones[7], 8, "charge", 3) == 303
    assert host.evening.game and host.evening.game.table.state.order[2] == 8
    assert "现在不能发动，或者已经用过" in own(phones[7])


@pytest.mark.parametrize("is_held", [False, True])
@pytest.mark.parametrize("sees_everything", [False, True])
def test_a_skill_of_another_is_refused_alike_whoever_holds_it(
    house: House, is_held: bool, sees_everything: bool
) -> None:
    """Also while a death is held, and for whoever records without a place; even for a host who knows the cards."""
    host, phones = dealt(house, EIGHT, "sixteen", pause=10)
    if sees_everything:
        assert host.post("host/everything", {"back": "host"}).status_code == 303
    host.record("turn 1")
    if is_held:
        host.record("death 5 by 2")
    before = host.evening.row.version, log(host)
    skills = [f"{skill}{on}" for skill in find_mode("sixteen").skills for on in ("", " 6", " 6 7")]
    refused = {said(host.record(f"use {seat} {skill}")) for seat in range(1, 9) for skill in skills}
    refused |= {said(phones[5].record(f"use {seat} {skill}")) for seat in (1, 2, 3, 4, 5, 7, 8) for skill in skills}
    assert refused == {OF_ANOTHER}
    assert (host.evening.row.version, log(host)) == before


def test_the_place_for_skills_is_on_every_phone(house: House) -> None:
    _, phones = dealt(house, EIGHT, "sixteen")
    for phone in phones:
        assert "技能</summary>" in own(phone)
    assert 'name="skill" value="charge"' in own(phones[7])
    assert 'name="skill"' not in own(phones[2]) + own(phones[3])
    _, phones = dealt(house, "lord rebel rebel renegade loyalist crown_prince rebel_chief rebel", "court8")
    assert "技能</summary>" not in own(phones[0])


def test_the_guard_saves_a_dying_lord_while_everybody_waits(house: House) -> None:
    host, phones = dealt(house, EIGHT, "sixteen", pause=2)
    phones[0].record("dying 1 by 6")
    assert all("先停一停" in phone.page() for phone in (host, *phones))
    assert [n for n, phone in enumerate(phones, 1) if 'name="skill" value="guard"' in own(phone)] == [4]
    phones[2].record("death 1 by 6")
    house.clock.move(4)
    assert host.evening.game and host.evening.game.held, "five seconds at least"
    assert use(phones[4], 5, "guard") == 422
    assert use(phones[3], 4, "guard") == 303
    house.clock.move(9)
    state = host.evening.game.table.state
    assert state.seat(1).alive and not state.seat(1).is_dying and state.seat(4).public


def test_the_guard_is_not_offered_to_save_a_lord_who_lost_his_hit_points(house: House) -> None:
    """SX-GUARD.1; of two who are dying the card offers the one who can be saved, without asking which."""
    host, phones = dealt(house, EIGHT, "sixteen", options="hp")
    host.record("lose 1 5")
    assert 'name="skill" value="guard"' not in own(phones[3])
    host.record("damage 2 5 by 5")
    assert 'name="skill" value="guard"' in own(phones[3])
    assert 'name="on"' not in own(phones[3])
    assert use(phones[3], 4, "guard") == 303
    assert host.evening.game and not host.evening.game.table.state.seat(2).is_dying


# Who touched whom, and when all look


def test_at_the_end_of_every_turn_it_is_asked_who_touched_whom(house: House) -> None:
    for deal in (EIGHT, "lord rebel rebel loyalist"):
        host, phones = dealt(house, deal, "sixteen")
        assert "谁伤害或治疗了谁" not in phones[0].page()
        phones[0].record("turn 1")
        assert all("谁伤害或治疗了谁" in phone.page() for phone in (host, *phones))
        form = {"verb": "touch", "who": 2, "by": 1, "back": "seat", "key": "t"}
        assert phones[1].post("record", form).status_code == 303
        assert host.evening.game and host.evening.game.standing[-1].text == "touch 2 by 1"
        assert "没有别的了" in host.page("")
    _, phones = dealt(house, EIGHT, "sixteen", options="hp")
    phones[0].record("turn 1")
    assert "谁伤害或治疗了谁" not in phones[0].page()


def test_all_look_at_a_new_round_and_after_a_death(house: House) -> None:
    host, phones = dealt(house, EIGHT, "sixteen")
    looks = []
    for line in ("turn 1", "touch 2 by 1", "turn 2", "death 5 by 1", "turn 3"):
        phones[0].record(line)
        looks.append({"看牌时刻" in phone.page() for phone in (host, *phones)})
    assert looks == [{True}, {True}, {False}, {True}, {False}]


# Questions and ends


def test_a_successor_is_named_by_anybody_after_a_restart(house: House) -> None:
    host, phones = dealt(house, "former_lord:red loyalist:red rebel renegade", "sixteen")
    phones[1].record("death 1 by 3")
    house.start()
    for phone in (host, *phones):
        assert "立谁为后主" in phone.page("" if phone is host else "seat")
    assert phones[3].record("answer 1 3").status_code == 303
    assert '<p class="role">后主</p>' in own(phones[2]) and "你为反贼而战" in own(phones[2])
    assert "丙 为反贼而战" in own(phones[1])
    assert "反贼而战" not in own(phones[3])
    assert "后主" in host.page("")


def test_the_end_names_who_won_where_nobody_shares_the_victory(house: House) -> None:
    host, phones = dealt(house, "lord rebel renegade", "sixteen")
    phones[0].record("death 2 by 3")
    phones[0].record("death 1 by 3")
    assert host.evening.phase == "end"
    assert "内奸获胜" in host.page("")


def test_the_sides_of_chuhan_are_neighbours_by_lot(house: House) -> None:
    firsts = set()
    for _ in range(12):
        host, _ = seated(house, "chuhan", 4)
        host.post("host/deal", {"back": "host"})
        assert host.evening.game
        seats = host.evening.game.row.seats
        firsts.add([person.id for person in host.evening.people].index(seats[0]))
        assert [seat.role for seat in host.evening.game.table.state.seats] == ["chu", "han", "han", "chu"]
    assert len(firsts) > 1

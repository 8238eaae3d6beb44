"""The application without HTTP: what an evening allows, what it keeps, and what a fault leaves of it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest

from companion import tables as application
from companion.modes import find_mode, find_ruleset
from companion.rules import record
from companion.rules.facts import HOST, TABLE
from companion.rules.inputs import Deal, IllegalInput, read, write
from companion.storage import SqliteStore, Store, StoreUnavailable
from companion.tables import CODE_LETTERS, MOST_PEOPLE, Clock, Evening, Repeated, Tables
from tests.web.evening import COURT8, NAMES, HandClock, StackedDeck


class Laptop:
    """A database, a clock, a deck, and the tables of the server that runs now."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock, self.deck = HandClock(), StackedDeck()
        self.start()

    def start(self) -> None:
        """Start the server (again)."""
        self.store = Troubled(SqliteStore(self.folder / "evening.sqlite3"))
        self.tables = Tables(cast(Store, self.store), random=self.deck, clock=self.clock)

    def again(self, evening: Evening) -> Evening:
        """The same table after the server was killed and started again."""
        self.start()
        return self.tables.evening(evening.row.code)

    def lobby(self, mode: str = "court8", players: int = 8, pause: int = 0, **options: str) -> Evening:
        evening, _ = self.tables.open()
        for place in range(players):
            evening.join(NAMES[place], f"token {place + 1}")
        evening.choose(mode, options, pause)
        return evening

    def dealt(self, deal: str = COURT8, mode: str = "court8", pause: int = 0, **options: str) -> Evening:
        evening = self.lobby(mode, len(deal.split()), pause, **options)
        cards = read(f"deal {deal}", find_mode(mode).ruleset.names)
        assert isinstance(cards, Deal)
        self.deck.next.append(cards.cards)
        evening.deal()
        return evening


class Troubled:
    """A store of which some methods fail as if the disk were full."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self.failing: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in self.failing:
            return self._fail
        return getattr(self._store, name)

    def _fail(self, *_: object, **__: object) -> None:
        raise StoreUnavailable("full")


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Laptop]:
    laptop = Laptop(tmp_path)
    yield laptop
    laptop.store.close()


def entered(evening: Evening) -> list[str]:
    """The inputs that stand, the deal left out."""
    assert evening.game is not None
    assert [write(one) for one in evening.game.table.inputs] == [entry.text for entry in evening.game.standing]
    return [entry.text for entry in evening.game.standing[1:]]


def check_nothing_is_ahead(evening: Evening, laptop: Laptop) -> None:
    """What memory holds is what a new server reads."""
    with evening.reading():
        before = (evening.row, evening.people, evening.game and evening.game.table.facts, evening.phase)
        pointer = evening.game and evening.game.row
    fresh = Tables(SqliteStore(laptop.folder / "evening.sqlite3")).evening(evening.row.code)
    assert before == (fresh.row, fresh.people, fresh.game and fresh.game.table.facts, fresh.phase)
    assert pointer == (fresh.game and fresh.game.row)


def refusal(action: Callable[[], object]) -> tuple[str, str | None]:
    with pytest.raises(IllegalInput) as refused:
        action()
    return refused.value.reason, refused.value.clause


# Tables and people


def test_a_table_is_found_by_its_code_in_either_case(laptop: Laptop) -> None:
    evening, token = laptop.tables.open()
    code = evening.row.code
    assert len(code) == 4 and set(code) <= set(CODE_LETTERS)
    assert laptop.tables.evening(code.lower()) is evening
    assert evening.row.host_hash == application.hash_token(token)
    assert len(token) >= 32 and token not in repr(evening.row)


@pytest.mark.parametrize("code", ["ZZZZ", "", "A" * 500, "../..", "é", "ß"])
def test_there_is_no_such_table(laptop: Laptop, code: str) -> None:
    assert refusal(lambda: laptop.tables.evening(code)) == ("no_table", None)


def test_a_code_that_is_taken_is_not_given_twice(laptop: Laptop, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = iter("AAAAAAAABBBB")
    monkeypatch.setattr(secrets, "choice", lambda _: next(letters))
    assert [laptop.tables.open()[0].row.code for _ in range(2)] == ["AAAA", "BBBB"]


def test_one_phone_sits_down_once(laptop: Laptop) -> None:
    evening, _ = laptop.tables.open()
    first = evening.join(" 张  三", "token")
    assert evening.join("别人", "token") == first
    assert [person.name for person in evening.people] == ["张 三"]


def test_people_of_one_name_are_told_apart(laptop: Laptop) -> None:
    evening, _ = laptop.tables.open()
    for number in range(3):
        evening.join(("甲", "甲 ", "甲\u200b")[number], f"token {number}")
    assert [person.name for person in evening.people] == ["甲", "甲 (2)", "甲 (3)"]


def test_a_join_is_refused_without_a_name_at_a_full_table_and_while_a_game_runs(laptop: Laptop) -> None:
    evening = laptop.dealt()
    assert refusal(lambda: evening.join("丑", "late"))[0] == "game_runs"
    evening.end("key", None)
    assert refusal(lambda: evening.join("\u200b ", "late"))[0] == "no_name"
    for number in range(MOST_PEOPLE - 8):
        evening.join("友", f"friend {number}")
    assert refusal(lambda: evening.join("丑", "late"))[0] == "table_full"
    assert len(evening.people) == MOST_PEOPLE


def test_whoever_was_removed_may_sit_down_again_as_somebody_new(laptop: Laptop) -> None:
    evening = laptop.lobby()
    first = evening.people[0]
    evening.remove(first.id)
    evening.remove(first.id)
    evening.remove(999)
    assert len(evening.people) == 7
    again = evening.join("甲", "token 1")
    assert again.id != first.id
    assert evening.people[-1] == again
    assert evening.join("甲", "token 1") == again


def test_the_ring_is_put_in_order(laptop: Laptop) -> None:
    evening = laptop.lobby(players=4)
    first, second, *_ = (person.id for person in evening.people)

    def ring() -> str:
        return "".join(person.name for person in evening.people)

    evening.move(first, 1)
    assert ring() == "乙甲丙丁"
    evening.move(second, -1)
    assert ring() == "甲丙丁乙"
    evening.move(second, 1)
    assert ring() == "乙甲丙丁"
    assert refusal(lambda: evening.move(999, 1))[0] == "no_person"
    assert [person.name for person in laptop.again(evening).people] == list("乙甲丙丁")


def test_settings_are_kept_and_what_a_mode_lacks_is_left_out(laptop: Laptop) -> None:
    evening = laptop.lobby()
    evening.choose("court8", {"hp": "on", "double": "on"}, 7)
    evening.choose_address("10.0.0.1")
    evening = laptop.again(evening)
    assert (evening.row.mode, evening.row.options, evening.settings.pause) == ("court8", "hp=on", 7)
    assert evening.settings.address == "10.0.0.1"


@pytest.mark.parametrize(
    ("mode", "options", "pause", "reason"),
    [
        ("chess", {}, 4, "unknown_mode"),
        ("classic", {"hp": "maybe"}, 4, "option_value"),
        ("classic", {}, 11, "not_in_range"),
        ("classic", {}, -1, "not_in_range"),
    ],
)
def test_settings_that_make_no_sense_change_nothing(
    laptop: Laptop, mode: str, options: dict[str, str], pause: int, reason: str
) -> None:
    evening = laptop.lobby()
    before = evening.row
    assert refusal(lambda: evening.choose(mode, options, pause))[0] == reason
    assert evening.row == before


def test_places_and_settings_stay_while_a_game_runs(laptop: Laptop) -> None:
    evening = laptop.dealt()
    before = evening.row
    person = evening.people[0].id
    for action in (
        lambda: evening.move(person, 1),
        lambda: evening.remove(person),
        lambda: evening.choose("classic", {}, 4),
    ):
        assert refusal(action)[0] == "game_runs"
    assert evening.row == before


def test_a_new_host_ends_the_old_ones_rights(laptop: Laptop) -> None:
    evening, old = laptop.tables.open()
    new = evening.new_host()
    assert laptop.again(evening).row.host_hash == application.hash_token(new) != application.hash_token(old)


# The deal


@pytest.mark.parametrize(
    ("mode", "players", "options", "reason"),
    [
        ("court8", 7, {}, "players"),
        ("court8", 9, {}, "players"),
        ("classic", 1, {}, "players"),
        ("classic", 7, {"double": "on"}, "no_composition"),
    ],
)
def test_cards_are_not_dealt_to_a_wrong_number(
    laptop: Laptop, mode: str, players: int, options: dict[str, str], reason: str
) -> None:
    evening = laptop.lobby(mode, players, 0, **options)
    assert refusal(evening.deal)[0] == reason
    assert evening.phase == "lobby"
    assert evening.why_not()


def test_seat_1_is_the_lords_and_the_others_follow_in_the_order_of_the_ring(laptop: Laptop) -> None:
    evening = laptop.lobby()
    cards = read("deal rebel rebel rebel loyalist lord rebel_chief renegade crown_prince", find_ruleset("court8").names)
    assert isinstance(cards, Deal)
    laptop.deck.next.append(cards.cards)
    evening.deal()
    assert evening.game is not None
    assert "".join(evening.names()[seat] for seat in range(1, 9)) == "戊己庚辛甲乙丙丁"
    dealt = "deal lord rebel_chief renegade crown_prince rebel rebel rebel loyalist"
    assert evening.game.standing[0].text == dealt


def test_every_card_of_the_composition_is_dealt_and_chance_decides_to_whom(laptop: Laptop) -> None:
    deals = set()
    evening = laptop.lobby("classic", 5)
    for number in range(20):
        evening.deal()
        assert evening.game is not None
        deals.add((evening.game.standing[0].text, evening.game.row.seats))
        assert sorted(evening.game.standing[0].text.split()[1:]) == ["lord", "loyalist", "rebel", "rebel", "renegade"]
        assert set(evening.game.row.seats) == {person.id for person in evening.people}
        evening.end(f"key {number}", None)
    assert len(deals) > 10


def test_the_deal_is_drawn_from_the_systems_own_chance(tmp_path: Path) -> None:
    tables = Tables(SqliteStore(tmp_path / "x.sqlite3"))
    assert isinstance(tables.random, secrets.SystemRandom)


def test_two_taps_deal_once(laptop: Laptop) -> None:
    evening = laptop.lobby()
    with ThreadPoolExecutor(8) as taps:
        list(taps.map(lambda _: evening.deal(), range(16)))
    assert evening.game is not None and evening.game.row.number == 1
    assert len(laptop.store.games(evening.row.id)) == 1
    check_nothing_is_ahead(evening, laptop)


# Recording


def test_a_line_is_recorded_once_however_often_the_request_comes(laptop: Laptop) -> None:
    evening = laptop.dealt()
    for _ in range(3):
        evening.record("turn 2", "key", None)
    evening.record("turn 3", "key", None)
    assert entered(evening) == ["turn 2", "turn 3"]
    evening = laptop.again(evening)
    evening.record("turn 2", "key", None)
    assert entered(evening) == ["turn 2", "turn 3"]


def test_the_same_event_within_ten_seconds_is_asked_about(laptop: Laptop) -> None:
    evening = laptop.dealt(hp="on")
    second = evening.people[1].id
    evening.record("damage 3 1 by 2", "one", second)
    laptop.clock.move(9)
    with pytest.raises(Repeated) as repeated:
        evening.record("damage 3 1 by 2", "two", None)
    assert (repeated.value.text, repeated.value.by) == ("damage 3 1 by 2", "乙")
    evening.record("damage 3 2 by 2", "three", None)
    evening.record("damage 3 1 by 2", "two", None, again=True)
    laptop.clock.move(11)
    evening.record("damage 3 1 by 2", "four", None)
    assert entered(evening).count("damage 3 1 by 2") == 3


def test_what_is_refused_changes_nothing(laptop: Laptop, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = laptop.dealt()
    version, facts = evening.row.version, list(evening.game.table.facts) if evening.game else []
    said: list[int] = []
    monkeypatch.setattr(laptop.tables.signals, "publish", lambda _, version: said.append(version))
    for line, reason in {
        "": "too_short",
        "dance 3": "unknown_input",
        "turn": "too_short",
        "turn 9": "no_seat",
        "death 3": "no_killer",
        "death 3 by 99": "no_seat",
        "damage 2 1 by 3": "hp_off",
        "answer 2 yes": "no_question",
        "turn 2 3": "too_long",
        COURT8: "unknown_input",
        f"deal {COURT8}": "dealt_twice",
    }.items():
        assert refusal(lambda line=line: evening.record(line, line, None))[0] == reason  # type: ignore[misc]
    assert evening.game is not None
    assert (evening.row.version, evening.game.table.facts, said) == (version, facts, [])
    check_nothing_is_ahead(evening, laptop)


def test_nothing_can_be_recorded_before_the_deal(laptop: Laptop) -> None:
    evening = laptop.lobby()
    for action in (
        lambda: evening.record("turn 1", "key", None),
        lambda: evening.undo(2, "key", None),
        lambda: evening.end("key", None),
        lambda: evening.export(TABLE),
    ):
        assert refusal(action) == ("not_dealt", "X8")
    evening.withdraw("key")
    evening.done("1-0")


def test_everybody_is_told_once_of_each_change(laptop: Laptop, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = laptop.dealt()
    said: list[int] = []
    monkeypatch.setattr(laptop.tables.signals, "publish", lambda _, version: said.append(version))
    evening.record("turn 2", "one", None)
    evening.record("turn 2", "one", None)
    evening.record("turn 3", "two", None)
    evening.undo(3, "three", None)
    assert said == [evening.row.version - 2, evening.row.version - 1, evening.row.version]


def test_many_record_at_once(laptop: Laptop) -> None:
    evening = laptop.dealt("lord rebel renegade", "classic", hp="on")
    lines = [f"turn {1 + number % 3}" for number in range(48)]
    with ThreadPoolExecutor(12) as phones:
        list(phones.map(lambda n: evening.record(lines[n % 48], f"key {n % 48}", None, again=True), range(144)))
    assert sorted(entered(evening)) == sorted(lines)
    assert evening.game is not None
    assert [entry.seq for entry in laptop.store.read(evening.game.row.id)] == list(range(1, 50))
    check_nothing_is_ahead(evening, laptop)


def test_one_death_is_recorded_by_everybody_at_once(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)

    def tap(seat: int) -> str:
        try:
            evening.record("death 6 by 2", f"phone {seat}", evening.people[seat].id)
        except IllegalInput as refused:
            return refused.reason
        return "held"

    with ThreadPoolExecutor(8) as phones:
        assert set(phones.map(tap, range(8))) == {"held"}
    laptop.clock.move(4)
    assert entered(evening) == ["death 6 by 2"]


# A death waits


def test_a_death_waits_and_then_counts(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)
    evening.record("death 6 by 2", "key", None)
    evening.record("death 6 by 2", "key", None)
    evening.record("death 6 by 2", "another", None)
    assert entered(evening) == []
    assert evening.seconds_left() == 4
    laptop.clock.move(3.5)
    assert (entered(evening), evening.seconds_left()) == ([], 1)
    laptop.clock.move(0.5)
    assert (entered(evening), evening.seconds_left()) == (["death 6 by 2"], 0)
    evening.record("death 6 by 2", "key", None)
    assert entered(evening) == ["death 6 by 2"]
    check_nothing_is_ahead(evening, laptop)


def test_a_death_that_the_rules_refuse_does_not_wait(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)
    assert refusal(lambda: evening.record("death 6", "key", None)) == ("no_killer", "X2")
    assert evening.game is not None and evening.game.held is None


def test_without_a_pause_a_death_counts_at_once(laptop: Laptop) -> None:
    evening = laptop.dealt()
    evening.record("death 6 by 2", "key", None)
    evening.record("leave 5", "key", None)
    assert entered(evening) == ["death 6 by 2", "leave 5"]


def test_a_death_is_withdrawn_in_time(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)
    evening.record("death 6 by 2", "key", None)
    assert evening.game is not None and evening.game.held
    key = evening.game.held.draft.key
    evening.withdraw("another")
    assert evening.game.held
    evening.withdraw(key)
    evening.withdraw(key)
    laptop.clock.move(9)
    assert entered(evening) == []
    evening.record("death 6 by 3", "later", None)
    laptop.clock.move(4)
    evening.withdraw(key)
    assert entered(evening) == ["death 6 by 3"]


def test_while_a_death_waits_nothing_else_is_recorded_or_undone(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)
    evening.record("turn 2", "one", None)
    evening.record("death 6 by 2", "two", None)
    assert refusal(lambda: evening.record("turn 3", "three", None))[0] == "draft_held"
    assert refusal(lambda: evening.record("death 5 by 2", "three", None))[0] == "draft_held"
    assert refusal(lambda: evening.undo(2, "four", None))[0] == "draft_held"
    laptop.clock.move(4)
    assert entered(evening) == ["turn 2", "death 6 by 2"]


def test_the_end_lets_go_of_a_death_that_waits(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)
    evening.record("death 6 by 2", "one", None)
    evening.end("two", None)
    laptop.clock.move(9)
    assert entered(evening) == ["end"]
    check_nothing_is_ahead(evening, laptop)


def test_a_death_that_waits_outlives_the_server(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)
    evening.record("death 6 by 2", "key", None)
    laptop.clock.move(3)
    evening = laptop.again(evening)
    assert entered(evening) == []
    assert evening.seconds_left() == 4
    laptop.clock.move(4)
    assert entered(evening) == ["death 6 by 2"]
    assert entered(laptop.again(evening)) == ["death 6 by 2"]


# Announcements


def test_the_pointer_goes_forward_only_and_a_record_completes_the_rest(laptop: Laptop) -> None:
    evening = laptop.dealt()
    assert evening.game is not None
    [majesty] = (card for card in evening.game.cards() if card.clause)
    begun = len(evening.game.cards())
    assert evening.game.row.pointer == 0
    for _ in range(2):
        evening.done(majesty.id)
    assert evening.game.row.pointer == 6
    evening.record("death 2 by 3", "key", None)
    reveal, bounty, rally = evening.game.cards()[begun:]
    assert [reveal.clause, bounty.clause, rally.clause] == ["X4", "C8-REBEL.1", "C8-CHIEF.1"]
    evening.done(bounty.id)
    evening.done(reveal.id)
    evening.done("99-9")
    evening.done("")
    assert evening.game.row.pointer == begun + 2
    evening.record("turn 3", "key", None)
    assert evening.game.row.pointer == begun + 3
    check_nothing_is_ahead(evening, laptop)


# Taking back, ending, playing again


def test_undo_takes_back_the_step_that_was_seen_and_no_other(laptop: Laptop) -> None:
    evening = laptop.dealt()
    evening.record("turn 2", "one", None)
    evening.record("turn 3", "two", None)
    for key in ("three", "four"):
        evening.undo(3, key, None)
    assert entered(evening) == ["turn 2"]
    evening.undo(2, "five", None)
    evening.undo(1, "six", None)
    assert entered(evening) == []
    assert evening.phase == "play"
    check_nothing_is_ahead(evening, laptop)


def test_an_undo_that_arrives_late_a_second_time_takes_nothing_back(laptop: Laptop) -> None:
    evening = laptop.dealt()
    evening.record("turn 2", "one", None)
    evening.undo(2, "two", None)
    evening.record("turn 3", "three", None)
    evening.undo(2, "two", None)
    assert entered(evening) == ["turn 3"]
    check_nothing_is_ahead(evening, laptop)


def test_undo_hides_again_what_a_death_has_shown(laptop: Laptop) -> None:
    evening = laptop.dealt()
    evening.record("death 2 by 3", "one", None)
    assert evening.game is not None
    evening.done(evening.game.cards()[-1].id)
    before = evening.export(TABLE)
    assert "Revealed 4 rebel_chief" in before
    evening.undo(2, "two", None)
    assert "Revealed 4" not in evening.export(TABLE)
    assert "; undone: death 2 by 3" in evening.export(TABLE)
    assert evening.game.row.pointer == len(evening.game.cards())
    check_nothing_is_ahead(evening, laptop)


def test_a_verdict_is_taken_back(laptop: Laptop) -> None:
    evening = laptop.dealt("lord rebel renegade", "classic")
    evening.record("death 1 by 2", "one", None)
    assert refusal(lambda: evening.record("turn 2", "two", None)) == ("over", "X5")
    evening.undo(2, "three", None)
    assert evening.phase == "play"
    evening.record("turn 2", "four", None)
    check_nothing_is_ahead(evening, laptop)


def test_the_host_ends_a_game_once_and_the_next_one_has_the_same_places(laptop: Laptop) -> None:
    evening = laptop.dealt()
    for _ in range(2):
        evening.end("key", None)
    assert refusal(lambda: evening.end("later", None)) == ("over", "X5")
    assert (entered(evening), evening.phase) == (["end"], "end")
    with ThreadPoolExecutor(4) as taps:
        list(taps.map(lambda _: evening.deal(), range(4)))
    assert evening.game is not None
    assert (evening.game.row.number, evening.phase, entered(evening)) == (2, "play", [])
    evening = laptop.again(evening)
    assert evening.game is not None and evening.game.row.number == 2


def test_the_record_of_a_finished_game_replays_to_the_same(laptop: Laptop) -> None:
    evening = laptop.dealt(hp="on")
    for number, line in enumerate(("damage 2 4 by 3", "death 2", "turn 3", "death 1 by 8", "death 3 by 8")):
        evening.record(line, str(number), None)
    assert evening.game is not None and evening.phase == "end"
    text = evening.export(TABLE)
    assert text == evening.export(HOST) == evening.export(5)
    [game] = record.parse(text, find_ruleset)
    replayed = record.run(game)
    assert not replayed.problems and replayed.table
    assert replayed.table.facts == evening.game.table.facts
    assert game.names == dict(enumerate("甲乙丙丁戊己庚辛", 1))


def test_everything_is_there_after_a_restart(laptop: Laptop) -> None:
    evening = laptop.dealt(hp="on")
    for number, line in enumerate(("turn 2", "damage 3 2 by 2", "death 3 by 2", "turn 4")):
        evening.record(line, str(number), evening.people[number].id)
    evening.undo(5, "undo", None)
    before = [evening.export(viewer) for viewer in range(9)]
    again = laptop.again(evening)
    assert [again.export(viewer) for viewer in range(9)] == before
    assert again.row == evening.row
    assert again.people == evening.people


# The rules have changed since


def test_facts_that_come_out_otherwise_are_said_and_the_game_goes_on(laptop: Laptop) -> None:
    evening = laptop.dealt()
    evening.record("turn 2", "one", None)
    evening.record("turn 3", "two", None)
    assert evening.game is not None and not evening.game.drifted
    alter(laptop, evening, "digest = 'of other rules' WHERE seq = 2")
    evening = laptop.again(evening)
    assert evening.game is not None
    assert (evening.game.drifted, evening.game.lost) == ([2], [])
    evening.record("turn 4", "three", None)
    assert entered(evening) == ["turn 2", "turn 3", "turn 4"]


def test_a_game_that_no_longer_fits_can_be_read_and_ended_and_the_next_one_dealt(laptop: Laptop) -> None:
    evening = laptop.dealt()
    for number, line in enumerate(("turn 2", "turn 3", "turn 4")):
        evening.record(line, str(number), None)
    alter(laptop, evening, "text = 'use 3 magic' WHERE seq = 3")
    evening = laptop.again(evening)
    assert evening.game is not None
    assert evening.game.lost == ["use 3 magic", "turn 4"]
    assert entered(evening) == ["turn 2"]
    assert "; no longer fits: use 3 magic\n; no longer fits: turn 4" in evening.export(TABLE)
    assert refusal(lambda: evening.record("turn 5", "later", None))[0] == "rules_changed"
    assert refusal(lambda: evening.undo(2, "later", None))[0] == "rules_changed"
    evening.end("end", None)
    evening = laptop.again(evening)
    assert refusal(lambda: evening.end("again", None)) == ("over", "X5")
    evening.deal()
    assert evening.phase == "play"
    evening.record("turn 2", "next", None)


def alter(laptop: Laptop, evening: Evening, change: str) -> None:
    """Change the log as no program does, to have one that other rules have written."""
    assert evening.game is not None
    database = laptop.store._database
    with database.write() as db:
        db.execute("DROP TRIGGER log_is_not_changed")
        db.execute(f"UPDATE log SET {change} AND game = {evening.game.row.id}")


# The store fails


CHANGES: dict[str, tuple[str, Callable[[Evening], object]]] = {
    "record": ("append", lambda evening: evening.record("turn 2", "key", None)),
    "death": ("append", lambda evening: evening.record("death 1 by 2", "key", None)),
    "undo": ("append", lambda evening: evening.undo(2, "key", None)),
    "end": ("append", lambda evening: evening.end("key", None)),
    "done": ("set_pointer", lambda evening: evening.done("1-0")),
}


@pytest.mark.parametrize("also", ["", "table", "read", "latest_game"])
@pytest.mark.parametrize("change", CHANGES)
def test_memory_is_never_ahead_of_the_store(laptop: Laptop, change: str, also: str) -> None:
    evening = laptop.dealt("lord rebel renegade", "classic")
    evening.record("turn 3", "first", None)
    failing, action = CHANGES[change]
    before = evening.export(TABLE)
    laptop.store.failing = {failing, also}
    with pytest.raises(StoreUnavailable):
        action(evening)
    if also:
        with pytest.raises(StoreUnavailable), evening.reading():
            pass
    laptop.store.failing = set()
    assert evening.export(TABLE) == before
    check_nothing_is_ahead(evening, laptop)
    action(evening)
    if change in ("record", "death", "undo", "end"):
        assert evening.export(TABLE) != before
    check_nothing_is_ahead(evening, laptop)


def test_what_was_stored_counts_though_the_answer_could_not_be_read(laptop: Laptop) -> None:
    evening = laptop.dealt()
    laptop.store.failing = {"table"}
    with pytest.raises(StoreUnavailable):
        evening.record("turn 2", "key", None)
    laptop.store.failing = set()
    evening.record("turn 2", "key", None)
    assert entered(evening) == ["turn 2"]
    check_nothing_is_ahead(evening, laptop)


@pytest.mark.parametrize("failing", ["add_person", "start_game", "change_table", "set_ring", "change_person"])
def test_a_fault_before_the_deal_leaves_the_lobby_as_it_was(laptop: Laptop, failing: str) -> None:
    evening = laptop.lobby()
    person = evening.people[0].id
    before = (evening.row, evening.people, evening.phase)
    actions: dict[str, Callable[[], object]] = {
        "add_person": lambda: evening.join("丑", "new"),
        "start_game": evening.deal,
        "change_table": lambda: evening.choose("classic", {}, 2),
        "set_ring": lambda: evening.move(person, 1),
        "change_person": lambda: evening.remove(person),
    }
    laptop.store.failing = {failing}
    with pytest.raises(StoreUnavailable):
        actions[failing]()
    laptop.store.failing = set()
    assert (evening.row, evening.people, evening.phase) == before
    actions[failing]()
    assert (evening.row, evening.people, evening.phase) != before
    check_nothing_is_ahead(evening, laptop)


@pytest.mark.parametrize("also", ["", "current_draft"])
def test_a_death_that_cannot_be_stored_goes_on_waiting(laptop: Laptop, also: str) -> None:
    evening = laptop.dealt(pause=4)
    evening.record("death 6 by 2", "key", None)
    laptop.store.failing = {"commit_draft", also}
    laptop.clock.move(4)
    laptop.store.failing = set()
    with evening.reading():
        assert entered(evening) == []
        assert evening.seconds_left() == 4
    laptop.clock.move(4)
    assert entered(evening) == ["death 6 by 2"]
    check_nothing_is_ahead(evening, laptop)


def test_a_death_that_cannot_be_held_is_not_held(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)
    laptop.store.failing = {"hold"}
    with pytest.raises(StoreUnavailable):
        evening.record("death 6 by 2", "key", None)
    laptop.store.failing = set()
    assert evening.game is not None and evening.game.held is None
    evening.record("death 6 by 2", "key", None)
    assert evening.game.held is not None


def test_a_fault_of_the_rules_leaves_the_game_as_it_was(laptop: Laptop, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = laptop.dealt()
    evening.record("turn 2", "one", None)
    before = evening.export(TABLE)
    with monkeypatch.context() as patched:
        patched.setattr("companion.tables.running.derived_text", lambda *_: 1 // 0)
        patched.setattr(evening.game, "digest", lambda _: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            evening.record("turn 3", "two", None)
    assert evening.export(TABLE) == before
    evening.record("turn 3", "two", None)
    check_nothing_is_ahead(evening, laptop)


def test_the_clock_of_the_house_calls_back_in_time() -> None:
    clock, called = Clock(), Event()
    before = clock.seconds()
    clock.later(0.01, called.set)
    assert called.wait(10)
    assert clock.seconds() - before >= 0.01
    assert abs(clock.now() / 1000 - time.time()) < 60

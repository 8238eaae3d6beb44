"""What every engine promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Barrier
from typing import TypeVar

import pytest

from companion.storage import (
    CardTaken,
    Claim,
    CodeTaken,
    DraftDropped,
    DraftHeld,
    Entry,
    Game,
    Line,
    NotFound,
    SeqTaken,
    Store,
    StoreUnavailable,
    Table,
    TokenTaken,
)

from .conftest import OpenStore, line, new_game

NOBODY = 4711
T = TypeVar("T")


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    start = Barrier(len(calls))

    def run(call: Callable[[], T]) -> T:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def open_table(store: Store, code: str = "K7QX") -> Table:
    return store.open_table(code, "host", "classic", "hp=on", '{"pause": 4}', at=5)


class TestTables:
    def test_is_found_by_its_code_in_either_case(self, store: Store) -> None:
        table = open_table(store, "k7qx")
        assert table == Table(table.id, "K7QX", "host", "classic", "hp=on", '{"pause": 4}', 5, 0)
        assert store.table(table.id) == store.table_by_code("K7QX") == store.table_by_code("k7Qx") == table
        assert store.table_by_code("ZZZZ") is None

    def test_a_code_names_one_table(self, store: Store) -> None:
        table = open_table(store)
        with pytest.raises(CodeTaken):
            open_table(store, "k7qx")
        assert store.tables() == [table]

    def test_newest_first_whatever_the_clock_says(self, store: Store) -> None:
        codes = ["AAAA", "BBBB", "CCCC"]
        for at, code in zip((30, 10, 20), codes, strict=True):
            store.open_table(code, "host", "classic", "", "", at)
        assert [table.code for table in store.tables()] == codes[::-1]

    def test_changes_only_what_is_named(self, store: Store) -> None:
        table = open_table(store)
        changed = store.change_table(table.id, mode="court8", options="")
        assert changed == replace(table, mode="court8", options="", version=1) == store.table(table.id)
        assert store.change_table(table.id, host_hash="other", settings="{}").mode == "court8"

    def test_an_unknown_table(self, store: Store) -> None:
        with pytest.raises(NotFound):
            store.table(NOBODY)
        with pytest.raises(NotFound):
            store.change_table(NOBODY, mode="court8")
        assert store.people(NOBODY) == []
        assert store.games(NOBODY) == []
        assert store.latest_game(NOBODY) is None


class TestPeople:
    def test_sit_down_in_the_order_of_their_coming(self, store: Store) -> None:
        table, other = open_table(store), open_table(store, "OTHR")
        first = store.add_person(table.id, "甲", "t1", "k1", at=7)
        store.add_person(other.id, "丙", "t3", "k1", at=8)
        second = store.add_person(table.id, "甲", "t2", "k2", at=9)
        assert store.people(table.id) == [first, second]
        assert (first.name, first.token_hash, first.place, first.removed, first.joined) == ("甲", "t1", 1, False, 7)
        assert second.place == 2

    def test_the_same_request_makes_one_person(self, store: Store) -> None:
        table = open_table(store)
        first = store.add_person(table.id, "甲", "t1", "k1", at=7)
        assert store.add_person(table.id, "甲", "t2", "k1", at=8) == first
        assert store.people(table.id) == [first]

    def test_identical_requests_in_parallel_make_one_person(self, store: Store) -> None:
        table = open_table(store)
        calls = [partial(store.add_person, table.id, "甲", f"t{n}", "k1", at=7) for n in range(8)]
        assert at_once(calls) == store.people(table.id) * 8

    def test_at_no_table(self, store: Store) -> None:
        with pytest.raises(NotFound):
            store.add_person(NOBODY, "甲", "t1", "k1", at=7)

    def test_are_found_by_their_token(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "t1", "k1", at=7)
        assert store.person_by_token("t1") == person
        assert store.person_by_token("t2") is None

    def test_without_a_phone_there_may_be_many(self, store: Store) -> None:
        table = open_table(store)
        for key in ("k1", "k2"):
            store.add_person(table.id, "甲", "", key, at=7)
        assert store.person_by_token("") is None

    def test_two_people_have_two_tokens(self, store: Store) -> None:
        table = open_table(store)
        store.add_person(table.id, "甲", "t1", "k1", at=7)
        second = store.add_person(table.id, "乙", "t2", "k2", at=7)
        with pytest.raises(TokenTaken):
            store.add_person(table.id, "丙", "t1", "k3", at=7)
        with pytest.raises(TokenTaken):
            store.change_person(second.id, token_hash="t1")
        assert store.change_person(second.id, token_hash="t2") == second

    def test_one_takes_anothers_token_over_wholly_or_not_at_all(self, store: Store) -> None:
        table = open_table(store)
        first = store.add_person(table.id, "甲", "t1", "k1", at=7)
        with pytest.raises(TokenTaken):
            store.add_person(table.id, "乙", "t1", "k2", at=8)
        with pytest.raises(NotFound):
            store.add_person(table.id, "乙", "t1", "k2", at=8, instead_of=NOBODY)
        assert store.people(table.id) == [first]
        second = store.add_person(table.id, "乙", "t1", "k2", at=8, instead_of=first.id)
        assert store.people(table.id) == [replace(first, token_hash=""), second]
        assert store.person_by_token("t1") == second

    def test_changes_only_what_is_named(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "t1", "k1", at=7)
        assert store.change_person(person.id, token_hash="t2") == replace(person, token_hash="t2")
        assert store.person_by_token("t1") is None
        gone = store.change_person(person.id, name="乙", token_hash="", removed=True)
        assert gone == replace(person, name="乙", token_hash="", removed=True)
        assert store.change_person(person.id, removed=False).removed is False
        with pytest.raises(NotFound):
            store.change_person(NOBODY, name="乙")

    def test_the_ring_is_set_as_a_whole(self, store: Store) -> None:
        table = open_table(store)
        a, b, c, d = (store.add_person(table.id, name, name, name, at=7).id for name in "甲乙丙丁")
        ring = store.set_ring(table.id, [c, a, d, b])
        assert [(person.id, person.place) for person in ring] == [(c, 1), (a, 2), (d, 3), (b, 4)]
        assert store.people(table.id) == ring
        assert [person.id for person in store.set_ring(table.id, [b])] == [b, c, a, d]

    def test_the_removed_come_last(self, store: Store) -> None:
        table = open_table(store)
        a, b, c = (store.add_person(table.id, name, name, name, at=7).id for name in "甲乙丙")
        store.change_person(a, removed=True)
        assert [person.id for person in store.people(table.id)] == [b, c, a]

    def test_a_wrong_ring_changes_nothing(self, store: Store) -> None:
        table, other = open_table(store), open_table(store, "OTHR")
        a, b = (store.add_person(table.id, name, name, name, at=7).id for name in "甲乙")
        stranger = store.add_person(other.id, "丙", "丙", "丙", at=7).id
        before = store.people(table.id)
        with pytest.raises(NotFound):
            store.set_ring(table.id, [b, stranger, a])
        with pytest.raises(ValueError, match="twice"):
            store.set_ring(table.id, [b, b])
        assert store.people(table.id) == before


class TestSeats:
    """Seats lost and found."""

    def test_a_phone_asks_for_one_seat_at_a_time(self, store: Store) -> None:
        table, other = open_table(store), open_table(store, "OTHR")
        a, b = (store.add_person(table.id, name, name, name, at=7).id for name in "甲乙")
        stranger = store.add_person(other.id, "丙", "丙", "丙", at=7).id
        first = store.ask_for_seat(a, "new", "sun", "", at=8)
        store.ask_for_seat(stranger, "elsewhere", "moon", "", at=8)
        second = store.ask_for_seat(b, "new", "moon", "丁", at=9)
        assert second == Claim(second.id, b, "new", "moon", "丁", 9) and second.id != first.id
        assert store.claims(table.id) == [second]
        with pytest.raises(NotFound):
            store.ask_for_seat(NOBODY, "new", "sun", "", at=9)

    def test_the_number_of_a_claim_is_never_used_again(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "old", "k", at=7).id
        numbers = []
        for _ in range(3):
            numbers.append(store.ask_for_seat(person, "new", "sun", "", at=8).id)
            store.drop_claims(table.id, [numbers[-1]])
        assert numbers == sorted(set(numbers))

    def test_claims_are_dropped_at_their_own_table(self, store: Store) -> None:
        table, other = open_table(store), open_table(store, "OTHR")
        claim = store.ask_for_seat(store.add_person(table.id, "甲", "old", "k", at=7).id, "new", "sun", "", at=8)
        for numbers in ([claim.id], [NOBODY], []):
            store.drop_claims(other.id, numbers)
        assert store.claims(table.id) == [claim]
        store.drop_claims(table.id, [NOBODY, claim.id, claim.id])
        assert store.claims(table.id) == []

    def test_a_seat_goes_to_whoever_asked(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "old", "k", at=7)
        other = store.add_person(table.id, "乙", "t2", "k2", at=7)
        claim = store.ask_for_seat(person.id, "new", "sun", "", at=8)
        store.ask_for_seat(person.id, "somebody else", "moon", "", at=8)
        kept = store.ask_for_seat(other.id, "third", "star", "", at=8)
        given = store.give_seat(claim.id, "", "moved", at=9)
        assert given == replace(person, token_hash="new") == store.person_by_token("new")
        assert store.person_by_token("old") is None
        assert store.signed_out(table.id) == {"old": person.id}
        assert store.claims(table.id) == [kept]
        assert [(event.text, event.at) for event in store.events(table.id)] == [("moved", 9)]
        with pytest.raises(NotFound):
            store.give_seat(claim.id, "", "moved", at=9)
        assert len(store.events(table.id)) == 1

    def test_a_seat_is_taken_over_under_another_name(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "", "k", at=7)
        claim = store.ask_for_seat(person.id, "new", "sun", "丁", at=8)
        assert store.give_seat(claim.id, "丁", "taken", at=9) == replace(person, name="丁", token_hash="new")
        assert store.signed_out(table.id) == {}

    def test_who_has_a_seat_gets_no_other(self, store: Store) -> None:
        table = open_table(store)
        a, b = (store.add_person(table.id, name, name, name, at=7) for name in "甲乙")
        claim = store.ask_for_seat(a.id, "乙", "sun", "", at=8)
        with pytest.raises(TokenTaken):
            store.give_seat(claim.id, "", "moved", at=9)
        assert store.people(table.id) == [a, b]
        assert store.events(table.id) == []
        store.change_person(b.id, removed=True)
        store.give_seat(claim.id, "", "moved", at=9)
        assert [person.token_hash for person in store.people(table.id)] == ["乙", ""]

    def test_who_was_signed_out_may_find_a_seat_again(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "old", "k", at=7).id
        store.give_seat(store.ask_for_seat(person, "new", "sun", "", at=8).id, "", "moved", at=9)
        store.give_seat(store.ask_for_seat(person, "old", "sun", "", at=8).id, "", "moved", at=9)
        assert store.signed_out(table.id) == {"new": person}
        assert store.signed_out(open_table(store, "OTHR").id) == {}
        store.add_person(table.id, "乙", "new", "k2", at=9)
        assert store.signed_out(table.id) == {}

    def test_what_is_told_stays_in_order(self, store: Store) -> None:
        table, other = open_table(store), open_table(store, "OTHR")
        for text in ("one", "two"):
            store.tell(table.id, text, at=9)
        store.tell(other.id, "elsewhere", at=9)
        assert [event.text for event in store.events(table.id)] == ["one", "two"]
        with pytest.raises(NotFound):
            store.tell(NOBODY, "one", at=9)

    def test_a_seat_asked_for_or_given_is_a_change_of_the_table(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "old", "k", at=7).id
        versions = [store.table(table.id).version]

        def changed(count: int = 1) -> None:
            versions.append(store.table(table.id).version)
            assert versions[-1] == versions[-2] + count

        claim = store.ask_for_seat(person, "new", "sun", "", at=8)
        changed()
        store.drop_claims(table.id, [NOBODY])
        changed(0)
        store.drop_claims(table.id, [claim.id])
        changed()
        claim = store.ask_for_seat(person, "new", "sun", "", at=8)
        store.give_seat(claim.id, "", "moved", at=8)
        changed(2)
        store.tell(table.id, "opened", at=8)
        changed()


class TestGames:
    def test_starts_with_its_first_lines(self, store: Store) -> None:
        table = open_table(store)
        a, b = (store.add_person(table.id, name, name, name, at=7).id for name in "甲乙")
        deal, turn = Line("input", "deal lord rebel", "d", a, "0a", 9), Line("input", "turn 1", "t", None, "0b", 9)
        game = store.start_game(table.id, "classic", "hp=on", "3", [b, a], [deal, turn], key="again", at=9)
        assert game == Game(game.id, table.id, 1, "classic", "hp=on", "3", (b, a), 0, "", 9)
        assert store.read(game.id) == [
            Entry(game.id, 1, "input", "deal lord rebel", "d", a, "0a", 9),
            Entry(game.id, 2, "input", "turn 1", "t", None, "0b", 9),
        ]
        assert store.game(game.id) == store.latest_game(table.id) == game

    def test_are_counted_at_each_table(self, store: Store) -> None:
        tables = [open_table(store, code) for code in ("AAAA", "BBBB")]
        games = [
            store.start_game(tables[which].id, "classic", "", "1", [], [], key, 9)
            for which, key in ((0, "a"), (0, "b"), (1, "a"), (0, "c"))
        ]
        assert [game.number for game in games] == [1, 2, 1, 3]
        assert store.games(tables[0].id) == [games[0], games[1], games[3]]
        assert store.latest_game(tables[0].id) == games[3]

    def test_again_tapped_twice_at_once_is_one_game(self, store: Store) -> None:
        table = open_table(store)

        def again(deal: str) -> Game:
            return store.start_game(table.id, "classic", "", "1", [], [line("d", deal)], "again", 9)

        assert at_once([partial(again, f"deal {n}") for n in range(8)]) == store.games(table.id) * 8
        assert len(store.read(store.games(table.id)[0].id)) == 1

    def test_with_somebody_unknown_there_is_no_game(self, store: Store) -> None:
        table = open_table(store)
        a = store.add_person(table.id, "甲", "甲", "甲", at=7).id
        before = store.table(table.id)
        with pytest.raises(NotFound):
            store.start_game(table.id, "classic", "", "1", [a, NOBODY], [line("d")], "again", 9)
        with pytest.raises(NotFound):
            store.start_game(table.id, "classic", "", "1", [a], [replace(line("d"), by=NOBODY)], "again", 9)
        assert store.games(table.id) == []
        assert store.table(table.id) == before

    def test_an_unknown_game(self, store: Store) -> None:
        calls: list[Callable[[], object]] = [
            lambda: store.game(NOBODY),
            lambda: store.set_pointer(NOBODY, 1),
            lambda: store.set_notes(NOBODY, ""),
            lambda: store.append(NOBODY, 1, line("k")),
            lambda: store.extend(NOBODY, 1, [line("k"), line("k2")]),
            lambda: store.hold(NOBODY, "death 1", "k", None, 1, 2),
        ]
        for call in calls:
            with pytest.raises(NotFound):
                call()
        assert store.read(NOBODY) == []
        assert store.current_draft(NOBODY) is None

    def test_the_pointer_goes_back_only_when_told(self, store: Store, game: Game) -> None:
        assert store.set_pointer(game.id, 3).pointer == 3
        assert store.set_pointer(game.id, 2).pointer == 3
        assert store.set_pointer(game.id, 1, reset=True) == replace(game, pointer=1) == store.game(game.id)

    def test_notes_are_kept(self, store: Store, game: Game) -> None:
        assert store.set_notes(game.id, '{"heroes": ["曹操"]}') == store.game(game.id)
        assert store.game(game.id) == replace(game, notes='{"heroes": ["曹操"]}')


class TestLog:
    def test_grows_in_order(self, store: Store, game: Game) -> None:
        by = game.seats[1]
        first = store.append(game.id, 1, Line("input", "turn 1", "k1", by, "aa", 10))
        second = store.append(game.id, 2, Line("undo", "1", "k2", None, "bb", 9))
        assert first == Entry(game.id, 1, "input", "turn 1", "k1", by, "aa", 10)
        assert second == Entry(game.id, 2, "undo", "1", "k2", None, "bb", 9)
        assert store.read(game.id) == [first, second]
        assert store.read(game.id, after=1) == [second]

    def test_a_repeated_request_applies_nothing(self, store: Store, game: Game) -> None:
        first = store.append(game.id, 1, line("k1", "turn 1"), pointer=1)
        assert store.append(game.id, 2, line("k1", "turn 2"), pointer=9) == first
        assert store.append(game.id, 1, line("k1")) == first
        assert store.read(game.id) == [first]
        assert store.game(game.id).pointer == 1

    def test_a_late_writer_is_told_where_the_log_stands(self, store: Store, game: Game) -> None:
        store.append(game.id, 1, line("k1"))
        for seq in (1, 3):
            with pytest.raises(SeqTaken) as refused:
                store.append(game.id, seq, line("k2"), pointer=5)
            assert refused.value.next == 2
        assert [entry.key for entry in store.read(game.id)] == ["k1"]
        assert store.game(game.id).pointer == 0

    def test_moves_the_pointer_both_ways(self, store: Store, game: Game) -> None:
        store.append(game.id, 1, line("k1"), pointer=4)
        assert store.game(game.id).pointer == 4
        store.append(game.id, 2, line("k2", kind="undo"), pointer=0)
        assert store.game(game.id).pointer == 0

    def test_several_lines_are_one_request(self, store: Store, game: Game) -> None:
        store.append(game.id, 1, line("k1", "turn 1"))
        version = store.table(game.table).version
        lines = [line("c", "1 0", "change"), line("c 1", "turn 2"), line("c 2", "turn 3")]
        entries = store.extend(game.id, 2, lines, pointer=3)
        assert [(entry.seq, entry.kind, entry.text) for entry in entries] == [
            (2, "change", "1 0"),
            (3, "input", "turn 2"),
            (4, "input", "turn 3"),
        ]
        assert store.extend(game.id, 2, lines, pointer=9) == store.extend(game.id, 5, lines) == entries
        assert store.read(game.id, after=1) == entries
        assert (store.game(game.id).pointer, store.table(game.table).version) == (3, version + 1)

    def test_several_lines_are_added_all_or_none(self, store: Store, game: Game) -> None:
        store.append(game.id, 1, line("k1"), pointer=1)
        with pytest.raises(SeqTaken):
            store.extend(game.id, 1, [line("c"), line("c 1")], pointer=5)
        with pytest.raises(NotFound):
            store.extend(game.id, 2, [line("d"), replace(line("d 1"), by=NOBODY)], pointer=5)
        assert [entry.key for entry in store.read(game.id)] == ["k1"]
        assert store.game(game.id).pointer == 1

    def test_several_lines_sent_in_parallel_are_there_once(self, store: Store, game: Game) -> None:
        lines = [line("c", kind="change"), line("c 1"), line("c 2")]
        assert at_once([lambda: store.extend(game.id, 1, lines)] * 8) == [store.read(game.id)] * 8

    def test_one_request_sent_in_parallel_is_one_entry(self, store: Store, game: Game) -> None:
        assert at_once([lambda: store.append(game.id, 1, line("k"))] * 8) == store.read(game.id) * 8

    def test_of_two_who_write_at_once_one_is_late(self, open_store: OpenStore) -> None:
        stores = [open_store() for _ in range(4)]
        game = new_game(stores[0])

        def write(number: int) -> Entry | None:
            try:
                return stores[number % 4].append(game.id, 1, line(f"k{number}"))
            except SeqTaken:
                return None

        written = at_once([partial(write, number) for number in range(8)])
        assert [entry for entry in written if entry] == stores[0].read(game.id)
        assert written.count(None) == 7

    def test_games_do_not_mix(self, store: Store, game: Game) -> None:
        other = store.start_game(game.table, "court8", "", "1", [], [], "again", 9)
        store.append(game.id, 1, line("k1", "turn 1"))
        store.append(other.id, 1, line("k1", "turn 2"))
        assert [entry.text for entry in store.read(game.id)] == ["turn 1"]
        assert [entry.text for entry in store.read(other.id)] == ["turn 2"]

    def test_what_was_acknowledged_is_there_after_a_restart(self, open_store: OpenStore) -> None:
        store = open_store()
        game = new_game(store)
        store.append(game.id, 1, line("k1"))
        store.hold(game.id, "death 2 by 1", "k2", game.seats[0], 10, 4010)
        before = store.tables(), store.people(game.table), store.games(game.table), store.read(game.id)
        draft = store.current_draft(game.id)
        store.close()
        again = open_store()
        assert (again.tables(), again.people(game.table), again.games(game.table), again.read(game.id)) == before
        assert again.current_draft(game.id) == draft


class TestDrafts:
    def test_is_held_then_committed_under_its_own_key(self, store: Store, game: Game) -> None:
        by = game.seats[0]
        draft = store.hold(game.id, "death 2 by 1", "k", by, 10, 4010)
        assert store.current_draft(game.id) == draft
        assert (draft.text, draft.by, draft.at, draft.due, draft.state) == ("death 2 by 1", by, 10, 4010, "held")
        entry = store.commit_draft(game.id, "k", 1, "cc", 4012, pointer=2)
        assert entry == Entry(game.id, 1, "input", "death 2 by 1", "k", by, "cc", 4012)
        assert store.read(game.id) == [entry]
        assert store.current_draft(game.id) is None
        assert store.game(game.id).pointer == 2
        assert store.commit_draft(game.id, "k", 2, "cc", 4013) == entry

    def test_a_repeated_request_tells_what_became_of_it(self, store: Store, game: Game) -> None:
        draft = store.hold(game.id, "death 2", "k", None, 10, 4010)
        assert store.hold(game.id, "death 2", "k", None, 11, 4011) == draft
        store.drop_draft(game.id, "k")
        assert store.hold(game.id, "death 2", "k", None, 12, 4012) == replace(draft, state="dropped")
        store.hold(game.id, "death 2", "k2", None, 13, 4013)
        store.commit_draft(game.id, "k2", 1, "", 4014)
        assert store.hold(game.id, "death 2", "k2", None, 15, 4015).state == "committed"
        store.append(game.id, 2, line("k3", "turn 2"))
        assert store.hold(game.id, "turn 2", "k3", None, 16, 4016).state == "committed"
        assert store.current_draft(game.id) is None
        assert len(store.read(game.id)) == 2

    def test_one_at_a_time(self, store: Store, game: Game) -> None:
        draft = store.hold(game.id, "death 2", "k1", None, 10, 4010)
        with pytest.raises(DraftHeld) as refused:
            store.hold(game.id, "death 1", "k2", None, 11, 4011)
        assert refused.value.draft == draft == store.current_draft(game.id)

    def test_two_tables_hold_their_own(self, store: Store, game: Game) -> None:
        other = store.start_game(game.table, "court8", "", "1", [], [], "again", 9)
        drafts = [store.hold(each.id, "death 2", "k", None, 10, 4010) for each in (game, other)]
        store.drop_draft(other.id, "k")
        assert store.current_draft(game.id) == drafts[0]

    def test_a_late_undo_drops_nothing_else(self, store: Store, game: Game) -> None:
        store.hold(game.id, "death 2", "k1", None, 10, 4010)
        store.commit_draft(game.id, "k1", 1, "", 4010)
        held = store.hold(game.id, "death 1", "k2", None, 5000, 9000)
        assert store.drop_draft(game.id, "k1").state == "committed"
        assert store.current_draft(game.id) == held
        assert store.drop_draft(game.id, "k2").state == store.drop_draft(game.id, "k2").state == "dropped"

    def test_a_dropped_one_is_never_committed(self, store: Store, game: Game) -> None:
        store.hold(game.id, "death 2", "k", None, 10, 4010)
        store.drop_draft(game.id, "k")
        with pytest.raises(DraftDropped):
            store.commit_draft(game.id, "k", 1, "", 4010)
        assert store.read(game.id) == []

    def test_stays_held_when_somebody_wrote_first(self, store: Store, game: Game) -> None:
        draft = store.hold(game.id, "death 2", "k", None, 10, 4010)
        store.append(game.id, 1, line("other"))
        with pytest.raises(SeqTaken):
            store.commit_draft(game.id, "k", 1, "", 4010)
        assert store.current_draft(game.id) == draft
        assert store.commit_draft(game.id, "k", 2, "", 4010).seq == 2

    def test_another_record_instead_of_it(self, store: Store, game: Game) -> None:
        store.hold(game.id, "death 2", "k", None, 10, 4010)
        with pytest.raises(SeqTaken):
            store.append(game.id, 2, line("other"), instead_of="k")
        assert store.current_draft(game.id) is not None
        store.append(game.id, 1, line("other"), instead_of="k")
        assert store.current_draft(game.id) is None
        assert store.drop_draft(game.id, "k").state == "dropped"
        assert [entry.key for entry in store.read(game.id)] == ["other"]
        with pytest.raises(NotFound):
            store.append(game.id, 2, line("third"), instead_of="nothing")

    def test_an_unknown_one(self, store: Store, game: Game) -> None:
        with pytest.raises(NotFound):
            store.drop_draft(game.id, "k")
        with pytest.raises(NotFound):
            store.commit_draft(game.id, "k", 1, "", 4010)

    def test_committed_or_undone_but_not_both(self, open_store: OpenStore) -> None:
        store, other = open_store(), open_store()
        game = new_game(store)

        def commit(key: str, seq: int) -> bool:
            try:
                return store.commit_draft(game.id, key, seq, "", 4010).key == key
            except DraftDropped:
                return False

        def drop(key: str) -> bool:
            return other.drop_draft(game.id, key).state == "dropped"

        for key in "abcdefgh":
            store.hold(game.id, "death 2", key, None, 10, 4010)
            length = len(store.read(game.id))
            committed, dropped = at_once([partial(commit, key, length + 1), partial(drop, key)])
            assert committed != dropped
            assert len(store.read(game.id)) == length + committed


class TestVersion:
    def test_rises_by_one_with_every_change(self, store: Store) -> None:
        table = open_table(store)
        a, b = (store.add_person(table.id, name, name, name, at=7).id for name in "甲乙")
        game = store.start_game(table.id, "classic", "", "1", [a, b], [line("d"), line("e")], "again", 9)
        changes: list[Callable[[], object]] = [
            lambda: store.change_table(table.id, settings="{}"),
            lambda: store.add_person(table.id, "丙", "", "k", at=9),
            lambda: store.change_person(a, name="丁"),
            lambda: store.set_ring(table.id, [b, a]),
            lambda: store.start_game(table.id, "classic", "", "1", [], [], "k", 9),
            lambda: store.set_pointer(game.id, 2),
            lambda: store.set_notes(game.id, "{}"),
            lambda: store.append(game.id, 3, line("k1"), pointer=3),
            lambda: store.hold(game.id, "death 1", "k2", None, 9, 13),
            lambda: store.commit_draft(game.id, "k2", 4, "", 13, pointer=4),
            lambda: store.hold(game.id, "death 2", "k3", None, 9, 13),
            lambda: store.drop_draft(game.id, "k3"),
        ]
        for change in changes:
            before = store.table(table.id).version
            change()
            assert store.table(table.id).version == before + 1

    def test_stays_when_nothing_changes(self, store: Store, game: Game) -> None:
        store.append(game.id, 1, line("k1"), pointer=2)
        store.hold(game.id, "death 2", "k2", None, 9, 13)
        before = store.table(game.table)
        store.add_person(game.table, "甲", "other", "甲", at=9)
        store.start_game(game.table, "classic", "", "1", [], [], "deal", 9)
        store.append(game.id, 2, line("k1"), pointer=9)
        store.set_pointer(game.id, 1)
        store.set_pointer(game.id, 2, reset=True)
        store.hold(game.id, "death 2", "k2", None, 10, 14)
        with pytest.raises(DraftHeld):
            store.hold(game.id, "death 2", "k3", None, 10, 14)
        with pytest.raises(SeqTaken):
            store.append(game.id, 1, line("k4"))
        assert store.table(game.table) == before

    def test_is_the_tables_own(self, store: Store, game: Game) -> None:
        other = open_table(store, "OTHR")
        store.append(game.id, 1, line("k1"))
        assert store.table(other.id) == other


def test_trying_changes_nothing(store: Store, game: Game) -> None:
    before = store.table(game.table)
    store.try_writing()
    assert (store.table(game.table), store.game(game.id)) == (before, game)


def test_a_closed_store_says_so(store: Store, game: Game) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(store.tables).result()
        store.close()
        calls: list[Callable[[], object]] = [store.tables, lambda: pool.submit(store.tables).result()]
        for call in calls:
            with pytest.raises(StoreUnavailable) as refused:
                call()
            assert refused.value.reason == "closed"


class TestCards:
    def test_are_kept_until_they_are_taken_back_or_dealt(self, store: Store, open_store: OpenStore) -> None:
        table = open_table(store)
        one, two = (store.add_person(table.id, name, f"token {name}", name, at=6).id for name in ("甲", "乙"))
        store.enter_card(two, "0AB1CX")
        store.enter_card(one, "7K3M2Q")
        assert list(open_store().cards(table.id).items()) == [(one, "7K3M2Q"), (two, "0AB1CX")]
        store.take_back_card(one)
        assert store.cards(table.id) == {two: "0AB1CX"}
        store.start_game(table.id, "classic", "hp=on", "1", [one, two], [], key="deal", at=7)
        assert store.cards(table.id) == {}

    def test_one_each_and_the_same_again_changes_nothing(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "token", "key", at=6).id
        store.enter_card(person, "0AB1CX")
        version = store.table(table.id).version
        store.enter_card(person, "0AB1CX")
        with pytest.raises(CardTaken):
            store.enter_card(person, "7K3M2Q")
        assert store.table(table.id).version == version
        store.drop_cards(table.id)
        store.drop_cards(table.id)
        store.take_back_card(person)
        assert store.table(table.id).version == version + 1

    def test_are_dropped_with_a_change_of_the_table(self, store: Store) -> None:
        table = open_table(store)
        person = store.add_person(table.id, "甲", "token", "key", at=6).id
        store.enter_card(person, "0AB1CX")
        store.change_table(table.id, settings="{}")
        assert store.cards(table.id) == {person: "0AB1CX"}
        before = store.table(table.id).version
        assert store.change_table(table.id, mode="classic", drop_cards=True).version == before + 1
        assert store.cards(table.id) == {}

    def test_of_nobody(self, store: Store) -> None:
        for call in (partial(store.enter_card, NOBODY, "0AB1CX"), partial(store.take_back_card, NOBODY)):
            with pytest.raises(NotFound):
                call()
        with pytest.raises(NotFound):
            store.drop_cards(NOBODY)

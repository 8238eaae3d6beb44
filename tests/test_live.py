"""Open streams: present version first, one message a change, one stream a place, an end to how many there are."""

from __future__ import annotations

from threading import Thread

import pytest

from companion.live import Signals, TooManyStreams


def heard(stream: object, count: int) -> list[int | None]:
    listening = iter(stream)  # type: ignore[call-overload]
    return [next(listening) for _ in range(count)]


def test_the_present_version_comes_first_and_then_each_change_once() -> None:
    signals = Signals()
    stream = signals.follow(1, "p1", 7, beat=0)
    signals.publish(1, 8)
    signals.publish(1, 9)
    assert heard(stream, 4) == [7, 8, 9, None]


def test_a_change_of_another_table_is_not_heard() -> None:
    signals = Signals()
    stream = signals.follow(1, "p1", 7, beat=0)
    signals.publish(2, 3)
    assert heard(stream, 2) == [7, None]


def test_silence_is_broken_by_a_beat_and_goes_on() -> None:
    signals = Signals()
    stream = iter(signals.follow(1, "p1", 7, beat=0))
    assert [next(stream), next(stream), next(stream)] == [7, None, None]
    signals.publish(1, 8)
    assert next(stream) == 8


def test_a_waiting_stream_hears_at_once() -> None:
    signals, said = Signals(), list[int | None]()
    stream = signals.follow(1, "p1", 7, beat=60)
    waiting = Thread(target=lambda: said.extend(stream))
    waiting.start()
    signals.publish(1, 8)
    signals.close()
    waiting.join(10)
    assert said == [7, 8]


def test_whoever_listens_hears_what_was_said_before_what_is_said_now_and_the_end() -> None:
    signals, said = Signals(), list[int | None]()
    stream = signals.follow(1, "p1", 7, beat=60)
    signals.publish(1, 8)
    stream.listen(said.append)
    assert said == [7, 8]
    signals.publish(1, 9)
    signals.follow(1, "p1", 9, beat=60)
    signals.publish(1, 10)
    assert said == [7, 8, 9, None]


def test_a_second_stream_of_the_same_place_ends_the_first() -> None:
    signals = Signals()
    first = signals.follow(1, "p1", 7, beat=0)
    second = signals.follow(1, "p1", 7, beat=0)
    other = signals.follow(1, "p2", 7, beat=0)
    assert list(first) == [7]
    first.close()  # late, and it must not take the second one's place away
    signals.publish(1, 8)
    assert heard(second, 3) == [7, 8, None]
    assert heard(other, 3) == [7, 8, None]


def test_there_is_an_end_to_how_many_streams_there_are() -> None:
    signals = Signals(limit=2)
    first = signals.follow(1, "p1", 1, beat=0)
    signals.follow(1, "p2", 1, beat=0)
    with pytest.raises(TooManyStreams):
        signals.follow(2, "p1", 1, beat=0)
    signals.follow(1, "p1", 1, beat=0)  # its own place is still its own
    first.close()
    with pytest.raises(TooManyStreams):
        signals.follow(2, "p1", 1, beat=0)


def test_where_all_places_are_taken_a_guest_makes_room_for_whoever_is_at_home() -> None:
    signals = Signals(limit=3)
    home = signals.follow(1, "p1", 1, beat=0)
    guests = [signals.follow(2, who, 1, beat=0, is_guest=True) for who in ("guest a", "guest b")]
    with pytest.raises(TooManyStreams):
        signals.follow(2, "guest c", 1, beat=0, is_guest=True)
    phones = [signals.follow(3, who, 1, beat=0) for who in ("p1", "p2")]
    assert [list(guest) for guest in guests] == [[1], [1]]
    assert sorted(signals._tables) == [1, 3], "nothing is kept of a table that nobody follows"
    with pytest.raises(TooManyStreams):
        signals.follow(3, "p3", 1, beat=0)
    for stream in (*guests, phones[0]):
        stream.close()
    assert heard(signals.follow(3, "p3", 1, beat=0), 2) == [1, None]
    assert heard(home, 2) == [1, None]


def test_a_stream_that_nobody_ever_read_gives_its_place_back() -> None:
    signals = Signals(limit=1)
    signals.follow(1, "p1", 1, beat=0).close()
    assert heard(signals.follow(1, "p2", 1, beat=0), 2) == [1, None]


def test_closing_ends_every_stream() -> None:
    signals = Signals()
    streams = [signals.follow(1, f"p{n}", n, beat=60) for n in range(5)]
    signals.close()
    assert [list(stream) for stream in streams] == [[0], [1], [2], [3], [4]]

"""The rows, the errors and the ``Store`` protocol that every engine is held to.

Ids are positive integers; times (``created``, ``joined``, ``started``, ``at``, ``due``) are milliseconds since
1970 (UTC). A ``key`` names one request: sent again, it returns what the first one made and changes nothing,
also when both arrive at once. Every method is one transaction: it happened wholly, durably, or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Reason = Literal["full", "readonly", "busy", "broken", "closed"]
DraftState = Literal["held", "dropped", "committed"]


@dataclass(frozen=True, slots=True)
class Table:
    """An evening. ``code`` is upper case; ``options`` reads ``hp=on …``; ``settings`` is the application's own text.

    ``version`` rises by one with every change to the table or to anything that belongs to it.
    """

    id: int
    code: str
    host_hash: str
    mode: str
    options: str
    settings: str
    created: int
    version: int


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits at a place. ``place`` orders the ring; ``token_hash`` is empty for a person without a phone."""

    id: int
    table: int
    name: str
    token_hash: str
    place: int
    removed: bool
    joined: int


@dataclass(frozen=True, slots=True)
class Game:
    """One game of an evening. ``number`` counts from 1 at its table; ``seats[0]`` is the person in seat 1.

    ``pointer`` says how many announcements are done; ``notes`` is the application's own text.
    """

    id: int
    table: int
    number: int
    mode: str
    options: str
    rules_version: str
    seats: tuple[int, ...]
    pointer: int
    notes: str
    started: int


@dataclass(frozen=True, slots=True)
class Line:
    """What is to be appended. ``kind`` is the application's own word (``input``, ``undo``, ``change``, ``strike``);
    ``digest`` is the hex digest of an input's derived facts.
    """

    kind: str
    text: str
    key: str
    by: int | None
    digest: str
    at: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a game's log, never changed. ``seq`` counts from 1 without gaps."""

    game: int
    seq: int
    kind: str
    text: str
    key: str
    by: int | None
    digest: str
    at: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A record that waits until ``due`` before it is committed; ``state`` says what became of it."""

    game: int
    key: str
    text: str
    by: int | None
    at: int
    due: int
    state: DraftState


@dataclass(frozen=True, slots=True)
class Claim:
    """A phone asks for somebody's seat, under the person's name, or under a new ``name`` for whoever takes it over.

    ``symbol`` is the application's own text.
    """

    id: int
    person: int
    token_hash: str
    symbol: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that became of a seat. ``text`` is the application's own."""

    id: int
    text: str
    at: int


class StoreError(Exception):
    """Anything a store refuses or cannot do."""


class StoreUnavailable(StoreError):
    """The disk or the database does not serve now; nothing was half-written, and trying again later is right."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class DatabaseTooNew(StoreError):
    """The database was written by a newer program, in version ``found`` of its schema. It was not touched."""

    def __init__(self, where: str, found: int, known: int) -> None:
        super().__init__(f"{where}: version {found}, this program knows {known}")
        self.where = where
        self.found = found
        self.known = known


class NotFound(StoreError):
    """A row that the call names does not exist."""


class CodeTaken(StoreError):
    """Another table has this code."""


class TokenTaken(StoreError):
    """Another person has this token hash."""


class CardTaken(StoreError):
    """The person has entered another card before; it has to be taken back first."""


class SeqTaken(StoreError):
    """``seq`` is not the next number of the log: somebody else wrote first. ``next`` is the present next number."""

    def __init__(self, game: int, seq: int, next_seq: int) -> None:
        super().__init__(f"game {game}: {seq} is not next, {next_seq} is")
        self.next = next_seq


class DraftHeld(StoreError):
    """The game already holds another draft, ``draft``."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft.key)
        self.draft = draft


class DraftDropped(StoreError):
    """The draft that was to be committed had been dropped."""


class Store(Protocol):
    """What an engine does. Safe to call from any thread.

    Every method may raise ``StoreUnavailable``, and ``NotFound`` when a row that it names does not exist.
    In the ``change_…`` methods ``None`` leaves a field as it is.
    """

    def open_table(self, code: str, host_hash: str, mode: str, options: str, settings: str, at: int) -> Table:
        """A new table. ``code`` is stored in upper case. Raises ``CodeTaken``."""

    def table(self, table: int) -> Table:
        """The table with this id."""

    def table_by_code(self, code: str) -> Table | None:
        """The table with this code, in either case."""

    def tables(self) -> list[Table]:
        """All tables, newest first."""

    def change_table(
        self,
        table: int,
        *,
        host_hash: str | None = None,
        mode: str | None = None,
        options: str | None = None,
        settings: str | None = None,
        drop_cards: bool = False,
    ) -> Table:
        """The table after the change. ``drop_cards`` forgets the cards that people entered, in the same transaction."""

    def add_person(
        self, table: int, name: str, token_hash: str, key: str, at: int, *, instead_of: int | None = None
    ) -> Person:
        """A new person at the end of the ring, or the one whom ``key`` made before. Raises ``TokenTaken``.

        ``instead_of`` is signed out in the same transaction: somebody whose token may be the new person's.
        A repeated request may bring another token: only the ``token_hash`` of the person returned is valid.
        """

    def people(self, table: int) -> list[Person]:
        """Everybody of the table in ring order, the removed last."""

    def person_by_token(self, token_hash: str) -> Person | None:
        """Who has this token hash, removed or not. Nobody has the empty one."""

    def change_person(
        self, person: int, *, name: str | None = None, token_hash: str | None = None, removed: bool | None = None
    ) -> Person:
        """The person after the change; an empty ``token_hash`` signs out. Raises ``TokenTaken``."""

    def set_ring(self, table: int, people: Sequence[int]) -> list[Person]:
        """Puts these people first in this order, the others of the table behind them as they were.

        Raises ``NotFound`` for somebody of another table, ``ValueError`` when one person is named twice.
        """

    def ask_for_seat(self, person: int, token_hash: str, symbol: str, name: str, at: int) -> Claim:
        """A new claim to the person's seat, in the place of an earlier one of the same token hash."""

    def claims(self, table: int) -> list[Claim]:
        """The table's claims, oldest first."""

    def drop_claims(self, table: int, claims: Sequence[int]) -> None:
        """Forgets those of the table's claims that are still there."""

    def give_seat(self, claim: int, name: str, event: str, at: int) -> Person:
        """The person has the claim's token from now on, and ``name`` unless that is empty; ``event`` is told.

        Whoever had the seat is signed out; all claims to it are settled. Raises ``TokenTaken`` when the asking phone
        has a seat itself (one that it was removed from does not count).
        """

    def signed_out(self, table: int) -> dict[str, int]:
        """The token hashes from which a seat of the table was given away, and whose. Not those that have one again."""

    def tell(self, table: int, text: str, at: int) -> None:
        """Adds an event."""

    def events(self, table: int) -> list[Event]:
        """The table's events, oldest first."""

    def enter_card(self, person: int, code: str) -> None:
        """Keeps the code of the printed card that the person drew for the next game. The same one again does nothing.

        Raises ``CardTaken`` when another one is kept.
        """

    def take_back_card(self, person: int) -> None:
        """Forgets the person's card; nothing where there is none."""

    def drop_cards(self, table: int) -> None:
        """Forgets the cards of everybody at the table; nothing where there are none."""

    def cards(self, table: int) -> dict[int, str]:
        """The code by person of all who have entered a card, in ring order, the removed last."""

    def start_game(
        self,
        table: int,
        mode: str,
        options: str,
        rules_version: str,
        seats: Sequence[int],
        lines: Sequence[Line],
        key: str,
        at: int,
    ) -> Game:
        """The table's next game, or the one that ``key`` made before. ``seats``: person ids from seat 1 on.

        ``lines`` become the first entries of its log, and the cards that were entered are forgotten, in the same
        transaction.
        """

    def game(self, game: int) -> Game:
        """The game with this id."""

    def latest_game(self, table: int) -> Game | None:
        """The table's last game."""

    def games(self, table: int) -> list[Game]:
        """The table's games from the first on."""

    def set_pointer(self, game: int, pointer: int, *, reset: bool = False) -> Game:
        """Moves the announcements' pointer forward; backward only with ``reset``, else the call does nothing."""

    def set_notes(self, game: int, notes: str) -> Game:
        """The game with its notes replaced."""

    def append(
        self, game: int, seq: int, line: Line, *, pointer: int | None = None, instead_of: str | None = None
    ) -> Entry:
        """Adds ``line`` as number ``seq``, or returns the entry that its key made before.

        ``pointer`` sets the announcements' pointer, forward or backward, and the draft with the key ``instead_of`` is
        dropped, if it is still held, in the same transaction. Raises ``SeqTaken`` when ``seq`` is not the next number.
        """

    def extend(self, game: int, seq: int, lines: Sequence[Line], *, pointer: int | None = None) -> list[Entry]:
        """Adds several lines from number ``seq`` on, all of them or none, as ``append`` does.

        They are one request, which the first one's key names: sent again, it returns what it made before.
        """

    def read(self, game: int, after: int = 0) -> list[Entry]:
        """The log in order, from the entry behind number ``after`` on."""

    def hold(self, game: int, text: str, key: str, by: int | None, at: int, due: int) -> Draft:
        """Holds a draft, or returns what became of the one that ``key`` made before. Raises ``DraftHeld``."""

    def current_draft(self, game: int) -> Draft | None:
        """The draft that the game holds."""

    def drop_draft(self, game: int, key: str) -> Draft:
        """Drops the draft if it is still held. The state of what is returned says whether it came too late."""

    def commit_draft(self, game: int, key: str, seq: int, digest: str, at: int, *, pointer: int | None = None) -> Entry:
        """Appends the held draft as an ``input`` under its own key, as ``append`` does, and lets go of it.

        Committed before: returns that entry. Raises ``DraftDropped`` and ``SeqTaken`` (the draft stays held).
        """

    def try_writing(self) -> None:
        """Changes nothing. Raises ``StoreUnavailable`` where nothing could be kept now."""

    def close(self) -> None:
        """Lets go of everything, in all threads. Later calls raise ``StoreUnavailable("closed")``."""

"""People sit down, the host chooses what is played, and identities are dealt, by phone or with printed cards."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from companion import storage
from companion.dealing import Drawn, check_alone, drawn
from companion.modes import Mode, find_mode
from companion.modes.deck import normal
from companion.names import clean, told_apart
from companion.rules.inputs import Card, Deal, IllegalInput, refuse, write
from companion.rules.ruleset import Options, write_options
from companion.rules.table import Table
from companion.tables.clock import Ages
from companion.tables.house import House, Phase, Settings, Wifi, hash_token, hashed
from companion.tables.running import Repeated, Running, digest_of

MOST_PEOPLE = 16
LONGEST_PAUSE = 10
QUIET_SECONDS = 60
LONGEST_NETWORK = 32
"""Bytes of a Wi-Fi's name (IEEE 802.11, SSID)."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 63
"""Bytes of a WPA passphrase."""


class Gathering:
    """The people of one table, what the host has set, and the game that was dealt to them."""

    def __init__(self, house: House, row: storage.Table) -> None:
        self.lock = threading.RLock()
        self.row = row
        self.stale = False
        self._house = house
        self._store = house.store
        self._clock = house.clock
        self._ages = Ages(house.clock)
        self.load()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Holds the lock, so that what is read belongs together. Raises StoreUnavailable where nothing is certain."""
        with self.lock:
            self.freshen()
            yield

    def freshen(self) -> None:
        """Read the table again if memory may be ahead of the store."""
        if self.stale:
            self.load()
            self.stale = False

    def refresh(self) -> None:
        """Read the table's own row and its people again."""
        self.row = self._store.table(self.row.id)
        self.everyone = {person.id: person for person in self._store.people(self.row.id)}
        self.people = [person for person in self.everyone.values() if not person.removed]
        self.settings = Settings.read(self.row.settings)
        self._codes = self._store.cards(self.row.id)

    def load(self) -> None:
        """Read everything from the store again, and play the present game."""
        self.refresh()
        game = self._store.latest_game(self.row.id)
        self.game = Running.load(game, self._store.read(game.id)) if game else None

    @property
    def mode(self) -> Mode:
        return find_mode(self.row.mode)

    @property
    def options(self) -> Options:
        return self.mode.ruleset.read_options(self.row.options)

    @property
    def phase(self) -> Phase:
        """`lobby` before the first deal, `play` while a game runs, `end` after it."""
        if self.game is None:
            return "lobby"
        return "end" if self.game.table.state.ended else "play"

    def name(self, person: int | None) -> str | None:
        """The person's name; None for nobody (the table screen)."""
        return self.everyone[person].name if person in self.everyone else None

    def person_by_token(self, token: str) -> storage.Person | None:
        """Whoever sits here with this token."""
        token_hash = hash_token(token)
        return next((person for person in self.people if person.token_hash == token_hash), None)

    def names(self) -> dict[int, str]:
        """The names of the present game by seat."""
        if self.game is None:
            return {}
        return {seat: self.everyone[person].name for seat, person in enumerate(self.game.row.seats, 1)}

    def new_host(self) -> str:
        """A new host token; whoever held the old one is host no longer."""
        token = secrets.token_urlsafe(24)
        with self._changing():
            self._store.change_table(self.row.id, host_hash=hash_token(token))
        return token

    # Before the deal

    def join(self, name: str, token: str) -> storage.Person:
        """Sit down at the end of the ring. The same token sits down once, however often it asks."""
        with self._changing():
            token_hash = hash_token(token)
            seated = self._store.person_by_token(token_hash)
            if seated and seated.table == self.row.id and not seated.removed:
                return seated
            chosen = self._newcomer(name)
            key = hashed(f"join {token_hash} {seated.id if seated else ''}")
            earlier = seated.id if seated else None
            return self._store.add_person(self.row.id, chosen, token_hash, key, self._clock.now(), instead_of=earlier)

    def _newcomer(self, name: str) -> str:
        """The name under which somebody sits down now."""
        chosen = clean(name)
        if not chosen:
            refuse("no_name")
        if len(self.people) >= MOST_PEOPLE:
            refuse("table_full", most=MOST_PEOPLE)
        self._refuse_while_playing()
        return told_apart(chosen, (person.name for person in self.people))

    def move(self, person: int, by: int) -> None:
        """Move somebody `by` places along the ring (-1: towards its start), round the end."""
        with self._changing():
            ring = [someone.id for someone in self.people]
            if person in ring:
                by += ring.index(person)
            self.move_to(person, by % max(1, len(ring)))

    def move_to(self, person: int, place: int) -> None:
        """Put somebody at the ring's `place`, counted from 0."""
        with self._changing():
            self._refuse_while_playing()
            ring = [someone.id for someone in self.people]
            if person not in ring:
                refuse("no_person")
            ring.remove(person)
            ring.insert(place, person)
            self._store.set_ring(self.row.id, ring)

    def remove(self, person: int) -> None:
        """Take somebody out of the ring; the phone is a spectator's from then on."""
        with self._changing():
            self._refuse_while_playing()
            if person not in {someone.id for someone in self.people}:
                return
            self._store.change_person(person, removed=True)

    def choose(self, mode: str, options: Mapping[str, str], pause: int) -> None:
        """Set mode, options and the pause before a death counts. Options that the mode lacks are left out."""
        with self._changing():
            self._refuse_while_playing()
            ruleset = find_mode(mode).ruleset
            kept = " ".join(f"{name}={value}" for name, value in options.items() if name in ruleset.options)
            if not 0 <= pause <= LONGEST_PAUSE:
                refuse("not_in_range", found=pause, least=0, most=LONGEST_PAUSE)
            settings = replace(self.settings, pause=pause)
            text = write_options(ruleset.read_options(kept))
            is_other = mode != self.row.mode
            self._store.change_table(
                self.row.id, mode=mode, options=text, settings=settings.write(), drop_cards=is_other
            )

    def choose_address(self, address: str) -> None:
        """Set the address that phones are shown."""
        with self._changing():
            self._store.change_table(self.row.id, settings=replace(self.settings, address=address).write())

    def choose_wifi(self, name: str, password: str, is_open: bool) -> None:
        """Set the network that the table screen shows; without a name, none. An open one has no password."""
        with self._changing():
            name, password = _typed(name).strip(), "" if is_open else _typed(password)
            wifi = Wifi(name, password) if name else None
            if len(name.encode()) > LONGEST_NETWORK:
                refuse("wifi_name", most=LONGEST_NETWORK)
            if wifi and not is_open and not SHORTEST_PASSWORD <= len(password.encode()) <= LONGEST_PASSWORD:
                refuse("wifi_password", least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
            self._store.change_table(self.row.id, settings=replace(self.settings, wifi=wifi).write())

    @property
    def nobody_comes(self) -> bool:
        """Whether the table has been open for a minute and nobody has ever sat down: phones may not get through."""
        return not self.everyone and self._ages.of("table", self.row.created) >= QUIET_SECONDS

    def _refuse_while_playing(self) -> None:
        if self.phase == "play":
            refuse("game_runs")

    @property
    def wanted(self) -> int:
        """The number of people for whom there are cards: that of a composed deal, or the nearest that the mode has."""
        if composed := self._composed():
            return len(composed)
        return self._nearest

    @property
    def _nearest(self) -> int:
        count = len(self.people)
        return min(self.mode.players, key=lambda players: (abs(players - count), players))

    def _composed(self) -> tuple[Card, ...]:
        """The cards that the host chose; none where the mode is not composed or its own are dealt."""
        if not self.mode.composer or not self.settings.composition:
            return ()
        entered = self.mode.ruleset.read(f"deal {self.settings.composition}")
        assert isinstance(entered, Deal)
        return entered.cards

    def cards(self) -> tuple[Card, ...]:
        """The cards that would be dealt to so many people as are wanted, by kind; none where there is no such game."""
        if composed := self._composed():
            return composed
        row = self.mode.composition(self.wanted, self.options) or {}
        return tuple(Card(role) for role, count in row.items() for _ in range(count))

    def faults(self) -> list[IllegalInput]:
        """What is wrong with the composition itself, however many people are there."""
        return self.mode.ruleset.check(self.options, self.cards(), False) if self._composed() else []

    def why_not(self) -> list[IllegalInput]:
        """Why the cards cannot be dealt now: the composition, the number of people, the options."""
        mode, count = self.mode, len(self.people)
        if faults := self.faults():
            return faults
        if count not in mode.players:
            return [IllegalInput("players", None, {"mode": mode.id, "found": count, "players": mode.players})]
        if self._composed() and self.wanted != count:
            return [IllegalInput("cards_missing", None, {"cards": self.wanted, "found": count})]
        if not self.cards():
            return [IllegalInput("no_composition", None, {"found": count})]
        return []

    def compose(self, preset: str) -> None:
        """Take the mode's own composition ("basic"), or one at random for the people who are there ("random")."""
        with self._changing():
            self._refuse_while_playing()
            composer = self.mode.composer
            cards: Sequence[Card] = ()
            if composer and preset == "random":
                row = self.mode.composition(self._nearest, self.options) or {}
                cards = composer.settle(composer.draw(row, self._house.random.choice))
            self._keep_composition(cards)

    def set_count(self, card: str, count: int) -> None:
        """Let so many of the card ("loyalist:red") be dealt, and as many of the others as now."""
        with self._changing():
            self._refuse_while_playing()
            composer = self.mode.composer
            chosen = next((one for one in composer.offers if str(one) == card), None) if composer else None
            if composer is None or chosen is None:
                refuse("unknown_role", found=card[:40])
            most = self.mode.players[-1]
            if not 0 <= count <= most:
                refuse("not_in_range", found=count, least=0, most=most)
            now = composer.settle(self.cards())
            counts = {one: now.count(one) for one in composer.offers} | {chosen: count}
            self._keep_composition([one for one, times in counts.items() for _ in range(times)])

    def _keep_composition(self, cards: Sequence[Card]) -> None:
        text = " ".join(map(str, cards))
        self._store.change_table(self.row.id, settings=replace(self.settings, composition=text).write())

    def deal(self) -> None:
        """Deal identities to everybody in the ring: a new game. While one runs this does nothing (a second tap)."""
        with self._changing():
            if self.phase == "play":
                return
            for refusal in self.why_not():
                raise refusal
            cards = self._cards_by_hand() if self.settings.by_cards else self._shuffled()
            first, dealt = self.mode.arrange(cards, self._house.random.choice)
            seats = [person.id for person in self.people]
            self._begin(list(dealt), [*seats[first:], *seats[:first]])

    def _shuffled(self) -> list[Card]:
        cards = list(self.cards())
        self._house.random.shuffle(cards)
        return cards

    # Dealing with printed cards

    def choose_dealing(self, by_cards: bool) -> None:
        """Let phones deal, or printed cards."""
        with self._changing():
            self._refuse_while_playing()
            self._store.change_table(self.row.id, settings=replace(self.settings, by_cards=by_cards).write())

    def enter_card(self, person: int, code: str) -> None:
        """Enter the code of the printed card that somebody drew. It is refused only for what it is by itself."""
        with self._changing():
            self._refuse_while_playing()
            if person not in {someone.id for someone in self.people}:
                refuse("no_person")
            if not self.settings.by_cards:
                refuse("phones_deal")
            for refusal in self.why_not():
                raise refusal
            check_alone(self._house.decks.of(self.mode), self.mode, self.cards(), code)
            try:
                self._store.enter_card(person, normal(code))
            except storage.CardTaken:
                refuse("card_entered")

    def take_back_card(self, person: int) -> None:
        """Forget the card that somebody has entered."""
        with self._changing():
            self._refuse_while_playing()
            self._store.take_back_card(person)

    def collect_cards(self) -> None:
        """Forget all cards that were entered: they are shuffled and drawn again."""
        with self._changing():
            self._refuse_while_playing()
            self._store.drop_cards(self.row.id)

    def has_card(self, person: int) -> bool:
        """Whether somebody has entered a card for the next game. Everybody may know."""
        return person in self._codes

    def drawn(self) -> Drawn:
        """What people have drawn for the next game."""
        entered = {place: self._codes[one.id] for place, one in enumerate(self.people, 1) if one.id in self._codes}
        return drawn(self._house.decks.of(self.mode), self.mode, self.cards(), entered, len(self.people))

    def _cards_by_hand(self) -> list[Card]:
        found = self.drawn()
        if found.missing:
            refuse("cards_to_enter", n=found.missing)
        if found.is_wrong:
            refuse("cards_wrong")
        return list(found.cards)

    def _begin(self, cards: list[Card], seats: list[int]) -> None:
        entered, now = Deal(tuple(cards)), self._clock.now()
        rehearsal = Table(self.mode.ruleset, self.row.options)
        rehearsal.feed(entered)
        number = self.game.row.number if self.game else 0
        line = storage.Line("input", write(entered), "deal", None, digest_of(rehearsal, 1), now)
        version = self.mode.ruleset.version
        key = f"after {number}"
        row = self._store.start_game(self.row.id, self.row.mode, self.row.options, version, seats, [line], key, now)
        self.game = Running.load(row, self._store.read(row.id))

    def _changing(self) -> _Change:
        return _Change(self, self._house)


class _Change:
    """Holds the evening's lock; afterwards everybody is told if anything changed.

    After a fault (the store was unavailable, say) memory may be ahead of the store: it is read again, at the next
    change at the latest. Where the store is at fault, everybody hears of it.
    """

    def __init__(self, evening: Gathering, house: House) -> None:
        self._evening = evening
        self._house = house

    def __enter__(self) -> None:
        self._evening.lock.acquire()
        try:
            self._evening.freshen()
        except BaseException:
            self._evening.lock.release()
            raise
        self._before = self._evening.row.version

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, _: object) -> None:
        evening = self._evening
        try:
            if isinstance(fault, storage.StoreUnavailable):
                self._house.trouble.met(fault.reason)
            if kind is not None and not issubclass(kind, IllegalInput | Repeated):
                evening.stale = True
                evening.freshen()
            else:
                evening.refresh()
            if evening.row.version != self._before:
                self._house.signals.publish(evening.row.id, evening.row.version)
        finally:
            evening.lock.release()


def _typed(text: str) -> str:
    """What was typed, sign by sign: a network's name and password must reach the phone unchanged."""
    return "".join(sign for sign in text if sign.isprintable())

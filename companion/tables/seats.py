"""Seats lost and found: another phone asks for one and the host gives it; people without a phone; the next host.

Whatever becomes of a seat is told to everybody alike: nobody loses or opens one in silence.
"""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Literal

from companion import storage
from companion.names import clean, told_apart
from companion.rules.inputs import refuse
from companion.tables.gathering import Gathering
from companion.tables.house import hash_token, hashed

SYMBOLS = (
    "sun",
    "moon",
    "star",
    "cloud",
    "mountain",
    "tree",
    "flower",
    "fish",
    "boat",
    "bell",
    "key",
    "cup",
    "lantern",
    "coin",
    "gourd",
    "umbrella",
)
"""What the asking phone and the host's page both show. Claims that stand together have different ones."""
CLAIM_SECONDS = 600
OPEN_SECONDS = 120
"""How long the card of somebody without a phone stays open on another phone."""
OFFER_SECONDS = 180
"""How long the code that makes a phone the host can be used."""
SAME_OPENING_SECONDS = 5


@dataclass(frozen=True)
class SeatEvent:
    """What became of a seat: it "moved" to another phone of `who`, `by` has "taken" it over from `who`, the card of
    `who` was "opened" on the phone of `by`; or hosting went to another device ("host").

    It came after `step` inputs of game number `game`. `person` and `opener` are the ids of `who` and `by`; `at` is in
    milliseconds since 1970.
    """

    kind: Literal["moved", "taken", "opened", "host"]
    who: str = ""
    by: str = ""
    person: int = 0
    opener: int = 0
    game: int = 0
    step: int = 0
    at: int = 0


class Seats(Gathering):
    """The people of one table, who asks for whose seat, and what became of seats."""

    _waits = False
    _offer: tuple[str, float] | None = None

    def refresh(self) -> None:
        super().refresh()
        here = {one.id for one in self.people}
        self.claims = [one for one in self._store.claims(self.row.id) if one.person in here]
        self.signed_out = self._store.signed_out(self.row.id)
        self.events = [SeatEvent(**{**json.loads(one.text), "at": one.at}) for one in self._store.events(self.row.id)]
        # From here on nobody can set how old they are.
        for claim in self.claims:
            self._ages.of(claim, claim.at)
        for event in self.events:
            self._ages.of(event, event.at)
        self._wait()

    @property
    def phoneless(self) -> list[storage.Person]:
        """Those who sit here without a phone."""
        return [one for one in self.people if not one.token_hash]

    # Another phone asks for a seat

    def claim_of(self, token_hash: str) -> storage.Claim | None:
        """What the phone has asked for."""
        return next((one for one in self.claims if one.token_hash == token_hash), None)

    def ask(self, person: int, token: str) -> None:
        """Ask for one's own seat with another phone. Nothing is given before the host approves."""
        self._ask(person, token, "")

    def take_over(self, person: int, token: str, name: str) -> None:
        """Ask to play on in somebody's place, under a name of one's own."""
        chosen = clean(name)
        if not chosen:
            refuse("no_name")
        self._ask(person, token, chosen)

    def _ask(self, person: int, token: str, name: str) -> None:
        with self._changing():
            self._forget_old()
            token_hash = hash_token(token)
            if person not in {one.id for one in self.people}:
                refuse("no_person")
            if self.person_by_token(token):
                refuse("seated")
            earlier = self.claim_of(token_hash)
            if earlier and (earlier.person, earlier.name) == (person, name):
                return
            taken = {one.symbol for one in self.claims if one is not earlier}
            free = [symbol for symbol in SYMBOLS if symbol not in taken]
            if not free:
                refuse("claims_full")
            self._store.ask_for_seat(person, token_hash, secrets.choice(free), name, self._clock.now())

    def join(self, name: str, token: str) -> storage.Person:
        with self._changing():
            person = super().join(name, token)
            self.withdraw_claim(hash_token(token))
            return person

    def withdraw_claim(self, token_hash: str) -> None:
        """The phone asks no longer."""
        with self._changing():
            self._store.drop_claims(self.row.id, [one.id for one in self.claims if one.token_hash == token_hash])

    def refuse_claims(self, claims: Collection[int]) -> None:
        """The host refuses them."""
        with self._changing():
            self._store.drop_claims(self.row.id, list(claims))

    def approve(self, claims: Collection[int]) -> None:
        """Give the seats to the phones that asked. Claims that do not stand any more are left out."""
        with self._changing():
            self._forget_old()
            granted = [one for one in self.claims if one.id in claims]
            if len({one.person for one in granted}) < len(granted):
                refuse("claimed_twice")
            for claim in granted:
                self._give(claim)

    def _give(self, claim: storage.Claim) -> None:
        left = self.everyone[claim.person].name
        name = claim.name and told_apart(claim.name, (one.name for one in self.people if one.id != claim.person))
        event = self._event(SeatEvent("taken" if name else "moved", left, name, claim.person))
        self._store.give_seat(claim.id, name, event, self._clock.now())
        self.refresh()

    def _forget_old(self) -> None:
        """Drop what was asked for too long ago."""
        if old := [one.id for one in self.claims if self._ages.of(one, one.at) >= CLAIM_SECONDS]:
            self._store.drop_claims(self.row.id, old)
            self.refresh()

    def _wait(self) -> None:
        """Let the oldest claim be dropped in time."""
        if self.claims and not self._waits:
            self._waits = True
            left = CLAIM_SECONDS - self._ages.of(self.claims[0], self.claims[0].at)
            self._clock.later(max(left, 1), self._forget_in_time)

    def _forget_in_time(self) -> None:
        self._waits = False
        # Nobody is there to be told of a fault. An old claim is not approved, whether it was dropped or not.
        with suppress(storage.StoreUnavailable), self._changing():
            self._forget_old()

    # What became of seats

    def _event(self, event: SeatEvent) -> str:
        game = self.game
        now = {"game": game.row.number, "step": len(game.standing)} if game else {}
        return json.dumps({**asdict(event), **now}, ensure_ascii=False)

    def _tell(self, event: SeatEvent) -> None:
        self._store.tell(self.row.id, self._event(event), self._clock.now())

    def happened(self) -> dict[int, list[SeatEvent]]:
        """What became of seats in the present game, by the step after which it came (of those that still stand)."""
        number, last = (self.game.row.number, len(self.game.standing)) if self.game else (0, 0)
        found = defaultdict(list)
        for event in self.events:
            if event.game == number:
                found[min(event.step, last)].append(event)
        return found

    def just_happened(self) -> list[SeatEvent]:
        """What became of seats since the newest record."""
        return self.happened().get(len(self.game.standing) if self.game else 0, [])

    def lost_by(self, token_hash: str) -> str:
        """The name of whoever had a seat with this token before another phone got it; nothing where there is none."""
        person = self.signed_out.get(token_hash)
        moves = (one for one in reversed(self.events) if one.person == person and one.kind in ("moved", "taken"))
        return next((one.who for one in moves), "")

    # People without a phone

    def add(self, name: str, key: str) -> None:
        """Somebody without a phone sits down. `key` names the request."""
        with self._changing():
            key = hashed(f"add {key} {name}")
            self._store.add_person(self.row.id, self._newcomer(name), "", key, self._clock.now())

    def open_card(self, person: int, opener: int) -> None:
        """Open the card of somebody without a phone on the phone of another player. Everybody is told."""
        with self._changing():
            game = self.game
            if game is None or self.phase != "play":
                refuse("not_dealt", "X8")
            if game.seat_of(person) is None or game.seat_of(opener) is None:
                refuse("no_person")
            who, by = self.everyone[person], self.everyone[opener]
            if who.token_hash:
                refuse("has_phone", name=who.name)
            if not self._was_opened(person, opener, SAME_OPENING_SECONDS):
                self._tell(SeatEvent("opened", who.name, by.name, person, opener))

    def has_open(self, person: int, opener: int) -> bool:
        """Whether the card was opened on this phone, and on no other since."""
        return person in {one.id for one in self.phoneless} and self._was_opened(person, opener, OPEN_SECONDS)

    def _was_opened(self, person: int, opener: int, seconds: int) -> bool:
        number = self.game.row.number if self.game else 0
        openings = (one for one in reversed(self.events) if (one.kind, one.person) == ("opened", person))
        last = next(openings, None)
        if last is None or (last.opener, last.game) != (opener, number):
            return False
        return self._ages.of(last, last.at) < seconds

    # The next host

    def new_host(self) -> str:
        with self._changing():
            token = super().new_host()
            self._offer = None
            self._keep_screen("")
            self._tell(SeatEvent("host"))
        return token

    def offer_hosting(self) -> str:
        """A token that makes one device the host, once and soon. An earlier one is worth nothing any more."""
        token = secrets.token_urlsafe(24)
        with self.lock:
            self._offer = hash_token(token), self._clock.seconds() + OFFER_SECONDS
        return token

    def is_offered(self, token: str) -> bool:
        """Whether the token would make its bearer the host now."""
        offer = self._offer
        return offer is not None and offer[0] == hash_token(token) and self._clock.seconds() < offer[1]

    def take_hosting(self, token: str) -> str:
        """Exchange the token for a host's. Whoever was host is so no longer, but stays the table screen."""
        with self._changing():
            if not self.is_offered(token):
                refuse("offer_gone")
            screen = self.settings.screen or self.row.host_hash
            taken = self.new_host()
            self._keep_screen(screen)
        return taken

    def _keep_screen(self, token_hash: str) -> None:
        self._store.change_table(self.row.id, settings=replace(self.settings, screen=token_hash).write())

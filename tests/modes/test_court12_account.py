"""`court12` against a second account of its rulebook: random games, and every fact that each input leads to."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from random import Random

import pytest

from companion.modes import find_mode
from companion.rules.inputs import Answer, Deal, Death, Dying, Input, Leave, Turn
from companion.rules.table import Table
from tests.modes.test_court12_camps import WINNERS, expected
from tests.rules.deals import random_deal

LETTERS = {"lord": "M", "crown_prince": "C", "chancellor": "Z", "general": "Z", "eunuch": "X", "partisan": "X"}
LETTERS |= {"renegade": "N", "turncoat": "N"}
ON_LORD = {"C12-CHAN.1": "chancellor", "C12-GEN.1": "general", "C12-EUN.1": "eunuch", "C12-PART.1": "partisan"}
ON_CHIEF = {"C12-RIOT.1": "rioter", "C12-LOOT.1": "looter"}

Said = Generator[str, str, None]
"""What is told, in order; where it is a question, the answer is sent in."""


class Over(Exception):
    """The verdict is reached."""


class Account:
    """The game read off the rulebook from top to bottom. Hit points are not counted; nobody leaves a question."""

    def __init__(self, roles: list[str]) -> None:
        self.role = dict(enumerate(roles, 1))
        self.alive, self.public = set(self.role), {1}
        self.turn, self.stands, self.muster = 1, dict[str, int](), 0
        self.routed, self.dying = False, dict[int, int]()

    def at(self, role: str) -> int:
        """The seat of the living holder; 0 without."""
        return next((seat for seat in self.alive if self.role[seat] == role), 0)

    def letter(self, seat: int) -> str:
        return LETTERS.get(self.role[seat], "R")

    def rebels(self) -> int:
        return sum(self.letter(seat) == "R" for seat in self.alive)

    def ruler(self) -> int:
        return self.at("lord") or self.at("crown_prince")

    def risen_chief(self) -> int:
        return self.at("rebel_chief") if self.at("rebel_chief") in self.public else 0

    def order(self) -> list[int]:
        return [*range(self.turn, 13), *range(1, self.turn)]

    def reveals(self, seat: int, clause: str) -> Iterator[str]:
        if seat not in self.public:
            self.public.add(seat)
            yield f"Revealed {seat} {self.role[seat]} [{clause}]"

    def judges(self) -> Iterator[str]:
        there = {self.letter(seat) for seat in self.alive}
        clause = expected("".join(letter if letter in there else "-" for letter in "MCZXRN"))
        if clause:
            grade = dict.fromkeys(self.role, "draw" if clause == "C12-V3" else "lose")
            grade |= {s: "win" for s in self.role if self.letter(s) in WINNERS[clause]}
            yield f"Ended {clause} {','.join(f'{s}={g}' for s, g in grade.items())} [{clause}]"
            raise Over

    def steps_forward(self, seat: int, clause: str) -> Iterator[str]:
        yield f"MaxHpChanged {seat} 1 [{clause}]"
        yield f"Healed {seat} 1 [{clause}]"
        yield f"Instructed {seat} draw 3 [{clause}]"
        yield f"Instructed {seat} lord_skill [{clause}]"

    def begins_turn(self, seat: int) -> Said:
        self.turn = seat
        yield f"TurnBegan {seat}"
        for skills, bears_on in ((ON_LORD, self.ruler()), (ON_CHIEF, self.risen_chief())):
            for clause, role in skills.items():
                if seat == bears_on and self.at(role) and not (self.routed and skills is ON_CHIEF):
                    if clause not in self.stands:
                        self.stands[clause] = seat
                        yield f"ModifierBegan {seat} {clause} [{clause}]"
                    if clause in ("C12-CHAN.1", "C12-LOOT.1"):
                        yield f"Instructed {seat} draw 1 [{clause}]"
        yield from self.judges()

    def begins_to_die(self, seat: int, by: int) -> Said:
        self.dying[seat] = by
        yield f"DyingBegan {seat} by {by or '-'}"
        if self.role[seat] == "renegade" and seat not in self.public:
            yield from self.reveals(seat, "C12-REN.1")
            yield from self.rallies()
            yield f"HpSet {seat} 1 [C12-REN.1]"
            del self.dying[seat]
            yield from self.steps_forward(seat, "C12-REN.1")
            yield from self.polls(seat)

    def dies(self, seat: int, by: int | None, left: bool) -> Said:
        by = self.dying.get(seat, 0) if by is None else by
        by = 0 if by == seat or by not in self.alive else by
        if not left and seat not in self.dying:
            yield from self.begins_to_die(seat, by)
            if seat not in self.dying:
                yield f"DeathAverted {seat} [X3]"
                yield from self.judges()
                return
        self.dying.pop(seat, None)
        self.alive.discard(seat)
        yield f"Died {seat} by {by or '-'}"
        yield from self.reveals(seat, "X4")
        yield from self.judges()
        yield from self.texts(seat, by)
        yield from self.lasting_skills_end()
        if self.role[seat] == "lord" or self.letter(seat) == "R":
            yield from self.rallies()
            yield from self.musters()
            if not (self.at("lord") and self.rebels()):
                yield from self.ascends()
        yield from self.judges()

    def texts(self, seat: int, by: int) -> Iterator[str]:
        """What the dead one's own card says, and what the killer's does."""
        role = self.role[seat]
        if role in ("crown_prince", "chancellor", "general") and by and by == self.ruler():
            yield f"Instructed {by} discard_all [C12-LORD.3]"
        if role == "lord":
            heir = self.at("crown_prince")
            if heir == by:
                yield f"Instructed {by} discard_all [C12-PRINCE.1]"
            yield from self.reveals(heir, "C12-PRINCE.2")
            yield from self.steps_forward(heir, "C12-PRINCE.2")
            for clause in [clause for clause, whom in self.stands.items() if whom == seat]:
                self.stands[clause] = heir
                yield f"ModifierPassed {heir} {clause} [C12-PRINCE.2]"
        if role == "rebel_chief":
            if by:
                yield f"Instructed {by} draw {3 + self.rebels()} [C12-CHIEF.3]"
            yield f"Instructed {self.ruler()} choose heal 1,draw 2 [C12-CHIEF.3]"
            yield "ModifierBegan C12-CHIEF.4 [C12-CHIEF.4]"
            self.routed = True
        elif self.letter(seat) == "R" and self.routed and by:
            yield f"Instructed {by} draw 3 [C12-CHIEF.4]"
        elif role == "desperado" and by and not self.routed:
            yield f"Instructed {by} discard 3 [C12-DESP.1]"
        elif role == "righteous_bandit" and not self.routed:
            yield f"Instructed {self.at('rebel_chief')} draw 3 [C12-RIGHT.1]"

    def lasting_skills_end(self) -> Iterator[str]:
        for clause, role in (ON_LORD | ON_CHIEF).items():
            if clause in self.stands and (not self.at(role) or (self.routed and clause in ON_CHIEF)):
                yield f"ModifierEnded {self.stands.pop(clause)} {clause} [{clause}]"
        turned = self.stands.get("C12-TURN.2")
        if turned and turned not in self.alive:
            del self.stands["C12-TURN.2"]
            yield f"ModifierEnded {turned} C12-TURN.2 [C12-TURN.2]"

    def rallies(self) -> Iterator[str]:
        chief = self.at("rebel_chief")
        if chief and chief not in self.public:
            yield from self.reveals(chief, "C12-CHIEF.1")
            yield from self.steps_forward(chief, "C12-CHIEF.1")
            yield from self.musters()

    def musters(self) -> Iterator[str]:
        chief = self.risen_chief()
        if chief and self.muster != self.rebels():
            self.muster = self.rebels()
            self.stands["C12-CHIEF.2"] = chief
            yield f"ModifierBegan {chief} C12-CHIEF.2 {self.muster} [C12-CHIEF.2]"
        elif not chief and "C12-CHIEF.2" in self.stands:
            yield f"ModifierEnded {self.stands.pop('C12-CHIEF.2')} C12-CHIEF.2 [C12-CHIEF.2]"

    def ascends(self) -> Said:
        renegade = self.at("renegade")
        if renegade and renegade not in self.public:
            yield from self.reveals(renegade, "C12-REN.1")
            yield from self.steps_forward(renegade, "C12-REN.1")
            yield from self.polls(renegade)

    def polls(self, renegade: int) -> Said:
        for seat in self.order():
            if seat not in self.alive - {self.at("lord"), self.at("rebel_chief"), renegade, self.ruler()}:
                continue
            answer = yield f"Asked {seat} turncoat yes,no [C12-REN.2]"
            yield f"Answered {seat} {answer} [C12-REN.2]"
            if answer == "yes":
                yield from self.turns(seat)
                return
        choice = yield f"Asked {renegade} scheme extra_turn,drain [C12-REN.2]"
        yield f"Answered {renegade} {choice} [C12-REN.2]"
        if choice == "extra_turn":
            yield f"Instructed {renegade} extra_turn [C12-REN.2]"
            return
        for seat in self.order():
            if seat in self.alive - {renegade}:
                yield f"HpLost {seat} 1 [C12-REN.2]"

    def turns(self, seat: int) -> Iterator[str]:
        self.role[seat] = "turncoat"
        self.public.add(seat)
        self.stands["C12-TURN.2"] = seat
        yield f"Became {seat} turncoat [C12-REN.2]"
        yield f"Instructed {seat} discard_zones [C12-TURN.1]"
        yield f"Healed {seat} 5 [C12-TURN.1]"
        yield f"Instructed {seat} draw [C12-TURN.1]"
        yield f"ModifierBegan {seat} C12-TURN.2 [C12-TURN.2]"
        yield from self.lasting_skills_end()
        yield from self.musters()

    def follows(self, entered: Input) -> Said:
        """What the rulebook says of this input."""
        match entered:
            case Turn(seat):
                yield from self.begins_turn(seat)
            case Dying(seat, by):
                yield from self.begins_to_die(seat, by if by in self.alive and by != seat else 0)
                yield from self.judges()
            case Death(seat, by):
                yield from self.dies(seat, by, left=False)
            case Leave(seat):
                yield from self.dies(seat, 0, left=True)


def told(said: Said, answer: str | None) -> Iterator[str]:
    """What is told from here to the next question, or to the end of it."""
    try:
        text = said.send(answer) if answer else next(said)
        while True:
            yield text
            if text.startswith("Asked"):
                return
            text = next(said)
    except (StopIteration, Over):
        return


def any_input(table: Table, rng: Random) -> Input:
    living = [seat.number for seat in table.state.living]
    victim, killer = rng.choice(living), rng.choice((0, *range(1, 13)))
    if table.pending:
        is_open = table.pending.ask == "scheme" or rng.random() < 0.2
        return Answer(table.pending.seat, rng.choice(table.pending.choices) if is_open else "no")
    if table.state.seat(victim).is_dying:
        return Death(victim)
    deeds = (Turn(victim), Death(victim, killer), Leave(victim), Dying(victim, killer))
    return rng.choices(deeds, (2, 2, 1, 1))[0]


@pytest.mark.parametrize("seed", range(6))
def test_random_games_go_as_the_rulebook_says(seed: int) -> None:
    rng = Random(seed)
    for _ in range(20):
        _, deal = random_deal(find_mode("court12"), rng)
        assert isinstance(deal, Deal)
        table, account = Table(find_mode("court12").ruleset), Account([card.role for card in deal.cards])
        table.feed(deal)
        said: Said | None = None
        while not table.state.ended:
            entered = any_input(table, rng)
            table.feed(entered)
            answer = entered.choice if isinstance(entered, Answer) else None
            if said is None or answer is None:
                said = account.follows(entered)
            found = [str(h) for h in table.facts if h.step == len(table.inputs)]
            assert found == list(told(said, answer)), [*map(str, table.inputs)]

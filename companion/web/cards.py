"""Identities as pages show them, and how they are put together before the deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from flask_babel import gettext

from companion.modes import Mode
from companion.rules.facts import Identity
from companion.rules.inputs import Card
from companion.tables import Evening
from companion.web import screens as s
from companion.web.access import text_key, words_for


def camp(mode: Mode, camp_id: str, key: str) -> s.Camp:
    return s.Camp(camp_id, mode.camps[camp_id][key])


def identity(mode: Mode, role: str, key: str) -> s.Identity:
    known = mode.roles[role]
    return s.Identity(role, known.name[key], camp(mode, known.camp, key))


def shown(mode: Mode, known: Identity, key: str) -> s.Identity:
    """A card as it lies: with its colour, and the camp that it fights for, where that was told."""
    colour = mode.colours.get(known.colour or "")
    return s.Identity(
        known.role,
        mode.roles[known.role].name[key],
        camp(mode, known.camp, key) if known.camp else s.Camp("", ""),
        colour[key] if colour else "",
    )


def composition(mode: Mode, cards: Sequence[Card], key: str) -> tuple[tuple[s.Identity, int], ...]:
    """How often each card is dealt. Where all are of one colour, that need not be said."""
    told = len({card.colour for card in cards if card.colour}) > 1
    counts = Counter(card if told else Card(card.role) for card in cards)
    return tuple((shown(mode, identity_of(mode, card), key), times) for card, times in counts.items())


def identity_of(mode: Mode, card: Card) -> Identity:
    """The identity that the card gives."""
    return Identity(card.role, mode.roles[card.role].camp, card.colour)


def composer(evening: Evening) -> s.Composer | None:
    """What the host puts together, where the mode is composed."""
    mode, key = evening.mode, text_key()
    if not mode.composer:
        return None
    words, cards = words_for(mode, {}), mode.composer.settle(evening.cards())
    groups: dict[str, list[s.Stepper]] = {}
    for card in mode.composer.offers:
        group = next(str(n) for n, roles in enumerate(mode.composer.groups) if card.role in roles)
        stepper = s.Stepper(str(card), shown(mode, identity_of(mode, card), key), cards.count(card))
        groups.setdefault(card.colour or group, []).append(stepper)
    reasons = mode.ruleset.check(evening.options, cards, False)
    return s.Composer(
        groups=tuple(s.Group(f"cards-{name}", _kind(steppers), tuple(steppers)) for name, steppers in groups.items()),
        total=len(cards),
        people=len(evening.people),
        basic=not evening.settings.composition,
        hidden=evening.options.get("hide_composition") == "on",
        reasons=tuple((words.refusal(reason.reason, reason.params), reason.clause or "") for reason in reasons),
    )


def _kind(steppers: Sequence[s.Stepper]) -> str:
    """The title of a group: colour and camp that its cards share."""
    camps = {one.identity.camp.name for one in steppers}
    names = [steppers[0].identity.colour, camps.pop() if len(camps) == 1 else gettext("其他身份")]
    return " · ".join(filter(None, names))

"""What is dealt, before the deal: as everybody may know it, and as the host puts it together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.dealing import as_told
from companion.modes import Mode
from companion.rules.facts import Identity
from companion.rules.inputs import Card
from companion.tables import Evening
from companion.web import screens as s
from companion.web.access import lang
from companion.web.markup import PageWords, words_for
from companion.web.screens import parts as p
from companion.words import Words


def composition(words: PageWords, cards: Sequence[Card]) -> tuple[tuple[p.Identity, int], ...]:
    """How often each card is dealt."""
    return tuple((_shown(words, card), times) for card, times in Counter(as_told(cards)).items())


def _shown(words: PageWords, card: Card) -> p.Identity:
    assert words.mode is not None
    return words.shown(_identity(words.mode, card))


def _identity(mode: Mode, card: Card) -> Identity:
    return Identity(card.role, mode.roles[card.role].camp, card.colour)


def blockers(words: PageWords, evening: Evening) -> tuple[str, ...]:
    """Why the cards cannot be dealt. What is wrong with a composition that is hidden is for its host to read alone."""
    if evening.faults() and evening.options.get("hide_composition") == "on":
        return (words.say("身份配置还不合规则，等房主改好。"),)
    return tuple(words.refusal(reason.reason, reason.params) for reason in evening.why_not())


def advice(words: PageWords) -> tuple[str, ...]:
    """For how many people the mode is, where it has something to say of that: while some are still awaited."""
    return (words.text(words.mode.refusal),) if words.mode and words.mode.refusal else ()


def composer(evening: Evening) -> s.Composer | None:
    """What the host puts together, where the mode is composed."""
    mode = evening.mode
    if not mode.composer:
        return None
    words, cards = words_for(mode, {}), mode.composer.settle(evening.cards())
    plain = Words(lang(), mode)  # labels hold no markup
    groups: dict[str, list[s.Stepper]] = {}
    for card in mode.composer.offers:
        kind = next(str(n) for n, roles in enumerate(mode.composer.groups) if card.role in roles)
        label = plain.identity(_identity(mode, card))
        stepper = s.Stepper(str(card), _shown(words, card), cards.count(card), label)
        groups.setdefault(card.colour or kind, []).append(stepper)
    reasons = mode.ruleset.check(evening.options, cards, False)
    return s.Composer(
        groups=tuple(s.Group(f"cards-{id_}", _title(words, kind), tuple(kind)) for id_, kind in groups.items()),
        total=len(cards),
        people=len(evening.people),
        basic=not evening.settings.composition,
        hidden=evening.options.get("hide_composition") == "on",
        reasons=tuple((words.refusal(reason.reason, reason.params), reason.clause or "") for reason in reasons),
    )


def _title(words: PageWords, cards: Sequence[s.Stepper]) -> str:
    """The title of a group: colour and camp that its cards share."""
    camps = {one.identity.camp.name for one in cards}
    names = [cards[0].identity.colour, camps.pop() if len(camps) == 1 else words.say("其他身份")]
    return " · ".join(filter(None, names))

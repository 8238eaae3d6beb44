"""What is on one's own card alone: private news, and the skills that its owner may use now."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.modes import Mode
from companion.modes.loader import Skill
from companion.rules.facts import CampTold, Converted, Disguised, Identity, Learnt, TurnBegan, Used
from companion.rules.state import Seat
from companion.rules.views import View
from companion.web.screens import parts as p
from companion.words import Words


def card_name(identity: Identity, words: Words) -> str:
    """What a card says: the identity, and its colour where it has one."""
    name = words.role(identity.role)
    return f"{name} · {words.colour(identity.colour)}" if identity.colour else name


def news(view: View, words: Words) -> Iterator[str]:
    """What the viewer (a seat) was told in private, in order; the marks of all last."""
    yield from _pointing(view, words)
    for happened in view.facts:
        fact = happened.fact
        match fact:
            case Learnt(to, seat, identity) if to == view.viewer:
                name = card_name(identity, words)
                yield words.say("%(who)s 的身份是%(identity)s", who=words.seat(seat), identity=name)
            case Converted(seat, _, by) if seat == view.viewer:
                yield words.say("你变成了黄巾，是 %(who)s 拉你入伙的", who=words.seat(by))
            case Converted(seat, _, by) if by == view.viewer:
                yield words.say("%(who)s 被你拉入黄巾", who=words.seat(seat))
            case CampTold(seat, camp) if seat == view.viewer:
                yield words.say("你为%(camp)s而战", camp=words.camp(camp))
            case CampTold(seat, camp):
                yield words.say("%(who)s 为%(camp)s而战", who=words.seat(seat), camp=words.camp(camp))
    yield from _marks(view, words)


def _pointing(view: View, words: Words) -> Iterator[str]:
    """At whom the viewer's card points: a target, or the one whom it copies as long as the disguise lasts."""
    me = view.seat(view.viewer)
    if me.target is None:
        return
    who = words.seat(me.target)
    if not any(isinstance(happened.fact, Disguised) and happened.fact.seat == me.number for happened in view.facts):
        yield words.say("你的目标是 %(who)s", who=who)
    elif me.shown and me.shown.role != me.role:
        shown = card_name(me.shown, words)
        yield words.say("你冒充 %(who)s：别人看到你是%(identity)s", who=who, identity=shown)


def _marks(view: View, words: Words) -> Iterator[str]:
    """The marks of all who have any, for whoever may see marks."""
    if all(seat.marks is None for seat in view.seats):
        return
    marked = [words.seat(seat.number) + f" {seat.marks}" for seat in view.seats if seat.alive and seat.marks]
    if marked:
        yield words.say("黄巾标记：%(marks)s", marks=words.listed(marked))
    else:
        yield words.say("黄巾标记：还没有人有")


def skills(mode: Mode, view: View, words: Words, named: Callable[[int], p.Named]) -> Iterator[p.Skill]:
    """The skills and rules on the viewer's card, and how those are used that can be used now."""
    me = view.seat(view.viewer)
    for clause in mode.roles[me.role].clauses if me.role else ():
        found = next(((word, it) for word, it in mode.skills.items() if it.clause == clause), None)
        use = _use(mode, view, *found, named) if found and is_usable(mode, view, *found) else None
        yield p.Skill(words.title(clause), words.clause(clause), found is not None, use)


def _use(mode: Mode, view: View, word: str, skill: Skill, named: Callable[[int], p.Named]) -> p.Use:
    people = [seat for seat in view.state.in_order() if seat.alive and (skill.most > 1 or seat.number != view.viewer)]
    if not skill.most:
        people = []
    if _is_shield(mode, word):
        people = _shielded(mode, view) if len(_shielded(mode, view)) > 1 else []
    return p.Use(view.viewer, word, skill.least, skill.most, tuple(named(seat.number) for seat in people))


def is_usable(mode: Mode, view: View, word: str, skill: Skill) -> bool:
    """Whether the viewer may use the skill now, as far as the viewer can know."""
    me = view.seat(view.viewer)
    if not me.alive or me.role != skill.role or view.pending or view.state.ended:
        return False
    if skill.each_turn and view.state.turn != view.viewer:
        return False
    if _is_shield(mode, word) and not _shielded(mode, view):
        return False
    return not _is_used(mode, view, word, skill)


def _is_shield(mode: Mode, word: str) -> bool:
    return mode.shield is not None and word == mode.shield.skill


def _shielded(mode: Mode, view: View) -> list[Seat]:
    """The dying whom the viewer's skill can save: lords of the same colour, or who is taken for one."""
    shield, own = mode.shield, view.seat(view.viewer).identity
    if shield is None or own is None:
        return []
    dying = [seat for seat in view.state.in_order() if seat.is_dying and shield.averts(view.facts, seat.number)]
    return [one for one in dying if one.shown and one.shown.role in shield.roles and one.shown.colour == own.colour]


def _is_used(mode: Mode, view: View, word: str, skill: Skill) -> bool:
    """Whether the viewer has used it (in this turn, or at all), or a predecessor from whom it was inherited."""
    me = view.seat(view.viewer)
    for happened in reversed(view.facts):
        match happened.fact:
            case TurnBegan() if skill.each_turn:
                return False
            case Used(seat, used) if used == word:
                one = view.seat(seat)
                if seat == view.viewer or (not one.alive and one.identity == me.identity and me.public):
                    return True
    return False

"""Fills the pages on which the host changes a line: what can be put in its place, and what that would mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, cast

from companion.rules import inputs as i
from companion.rules.facts import TABLE, Asked
from companion.tables import Running
from companion.tables.mending import Rehearsal
from companion.web.access import Visitor, lang
from companion.web.screens import Frame
from companion.web.screens import mending as m
from companion.web.showing.present import teller
from companion.web.showing.telling import COUNTERS, Teller
from companion.words import Words

WAYS = ("change", "strike", "undo")
MOST_POINTS = 9


def line(asking: Visitor, frame: Frame, step: int) -> m.LineScreen:
    """What may be done with the line of a step."""
    told = teller(asking.evening, TABLE)
    entered = told.game.table.inputs[step - 1]
    last = len(told.game.standing)
    entry = told.entries()[step - 1]
    return m.LineScreen(frame, entry, _verb(entered), tuple(_choices(told, entered, step)), last - step + 1)


def rehearsal(asking: Visitor, frame: Frame, step: int, how: str, text: str) -> m.RehearsalScreen:
    """What it would mean. Raises IllegalInput where the line cannot be changed so."""
    evening, told = asking.evening, teller(asking.evening, TABLE)
    last = len(told.game.standing)
    shown = evening.rehearse_undo(step) if how == "undo" else evening.rehearse_change(step, text)
    return m.RehearsalScreen(
        frame=frame,
        how=cast(Literal["change", "strike", "undo"], how),
        step=step,
        last=last,
        seen=shown.seen,
        line=i.write(shown.changed) if shown.changed else "",
        was=tuple(map(told.words.entry, told.game.table.inputs[step - 1 : last if how == "undo" else step])),
        becomes=told.words.entry(shown.changed) if shown.changed else "",
        misfits=tuple(_misfits(told, shown)),
        turned=tuple(map(told.named, dict.fromkeys(shown.taken_back.turned))),
        done=told.steps(shown.taken_back.done),
        answers=tuple(told.words.entry(i.Answer(answer.seat, answer.choice)) for answer in shown.taken_back.answers),
        ended=shown.has_ended,
    )


def _misfits(told: Teller, shown: Rehearsal) -> Iterable[m.Misfit]:
    for misfit in shown.misfits:
        why = told.words.refusal(misfit.refusal.reason, misfit.refusal.params)
        yield m.Misfit(told.words.entry(misfit.entered), why, misfit.refusal.clause or "")


# What can be put in a line's place


def _verb(entered: i.Input) -> str:
    """The word with which the line begins, where it is put together of choices."""
    return "" if isinstance(entered, i.Answer | i.Use | i.End | i.Deal) else i.write(entered).split()[0]


def _choices(told: Teller, entered: i.Input, step: int) -> Iterable[m.Choices]:
    """What can be chosen, as the recorder's form names it (see `screens`). Nothing for a skill or the host's end."""
    plain = Words(lang(), told.mode, told.names.get)  # options of a list hold no markup
    people = [(str(seat), f"{name} {seat}") for seat, name in told.names.items()]
    match entered:
        case i.Answer(seat, choice):
            offered = _offered(told, step) or (choice,)
            answers = [(f"answer {seat} {one}", plain.choice(one)) for one in offered]
            yield m.Choices("input", plain.say("回答"), answers, i.write(entered))
            return
        case i.Deaths(blows):
            by = {blow.seat: str(blow.by or "-") for blow in blows}
            for seat, name in told.names.items():
                others = [one for one in people if one[0] != str(seat)]
                yield m.Choices(
                    f"by-{seat}", name, [("", plain.say("还在")), *others, ("-", plain.say("无凶手"))], by.get(seat, "")
                )
            return
        case i.Deal() | i.Use() | i.End():
            return
    yield m.Choices("who", plain.say("谁"), people, str(entered.seat))
    if isinstance(entered, i.Correct):
        counters = [(what, plain.counter(what)) for what in COUNTERS if what in _counted(told.game)]
        yield m.Choices("what", plain.say("哪一项"), counters, entered.what)
    if (number := _number(entered)) is not None:
        yield m.Choices("n", plain.say("多少"), _numbers(entered, number), number)
    if isinstance(entered, i.Save):
        yield from _rescuers(plain, entered, people, told.recording.rescuers)
    if (by_whom := _by(entered)) is not None:
        nobody = [("-", plain.say("无凶手／无来源"))]
        label = plain.say("凶手") if isinstance(entered, i.Death) else plain.say("来源")
        if isinstance(entered, i.Death) and entered.by is None:
            nobody.insert(0, ("", plain.say("按濒死时的来源")))
        yield m.Choices("by", label, [*people, *nobody], by_whom)


def _rescuers(plain: Words, entered: i.Save, people: Sequence[tuple[str, str]], most: int) -> Iterable[m.Choices]:
    """Those who saved somebody, in order: as many as can be named, and all that the line names."""
    for number in range(max(most, len(entered.by))):
        label = plain.say("还有谁救的") if number else plain.say("谁救的")
        chosen = str(entered.by[number]) if number < len(entered.by) else ""
        yield m.Choices(f"rescuer-{number + 1}", label, [("", plain.say("不记")), *people], chosen)


def _offered(told: Teller, step: int) -> Sequence[str]:
    """The answers that the question before the step allowed."""
    asked = [one.fact for one in told.view.facts if one.step < step and isinstance(one.fact, Asked)]
    return asked[-1].choices if asked else ()


def _counted(game: Running) -> set[str]:
    return {what for what in COUNTERS if getattr(game.view(TABLE).seat(1), what) is not None}


def _number(entered: i.Input) -> str | None:
    match entered:
        case i.Provinces(_, n, True) | i.Limit(_, n):
            return f"{n:+d}"
        case i.Damage(_, n) | i.Heal(_, n) | i.Lose(_, n) | i.Hp(_, n) | i.Save(_, n) | i.Provinces(_, n):
            return str(n)
        case i.Correct(_, _, value):
            return str(value)
    return None


def _numbers(entered: i.Input, number: str) -> list[tuple[str, str]]:
    if number[0] in "+-" and not isinstance(entered, i.Correct):
        found = {f"{n:+d}" for n in range(-3, 4) if n}
    else:
        found = {str(n) for n in range(0 if isinstance(entered, i.Correct | i.Provinces) else 1, MOST_POINTS + 1)}
    return [(one, one) for one in sorted(found | {number}, key=int)]


def _by(entered: i.Input) -> str | None:
    match entered:
        case i.Death(_, None):
            return ""
        case i.Death(_, by) | i.Damage(_, _, by) | i.Heal(_, _, by) | i.Dying(_, by) | i.Touch(_, by):
            return str(by or "-")
    return None

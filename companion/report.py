"""What came of a game of a record, as its viewer may know it: for programs (`as_json`) and for people (`as_text`).

Two games that differ only in what the viewer may not know give the same report, faults included: `faults` says no more
of them than follows from what the viewer was told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from companion.modes import Mode
from companion.rules.facts import HOST, TABLE, Asked, Dealt, DyingBegan, Happened, Learnt, Revealed, Used
from companion.rules.goals import DRAW, LOSE, WIN
from companion.rules.inputs import Deal, Dying, Input, Use
from companion.rules.record import Game, Played, Problem
from companion.rules.state import Seat, State
from companion.rules.views import Announcement, View, announcement, view_of
from companion.words import LANGS, Lang, Words


def view(played: Played, viewer: int) -> View | None:
    """The game as the viewer may know it; a seat that it lacks knows what the table knows. None without a table."""
    if played.table is None:
        return None
    lacks = viewer > len(played.table.state.seats)
    return view_of(played.table, TABLE if lacks else viewer)


def lacks_seat(played: Played, viewer: int) -> bool:
    """Whether identities were dealt, and none to this viewer, who is a seat."""
    return played.table is not None and 0 < len(played.table.state.seats) < viewer


def faults(played: Played, viewer: int, to: int | None = None) -> list[Problem]:
    """What the viewer is told of the game's problems; of its first `to` inputs only, where given."""
    problems = list(played.problems)
    if to is not None and to < len(played.game.lines):
        problems = [problem for problem in problems if problem.line < played.game.lines[to].number]
    table = played.table
    if viewer != HOST and not (table and table.state.ended):
        problems = list(_told(played.game, view(played, viewer), problems))
    if lacks_seat(played, viewer):
        problems.insert(0, Problem(played.game.line, 0, None, "viewer_lacks_seat"))
    return problems


def _told(game: Game, seen: View | None, problems: Sequence[Problem]) -> Iterator[Problem]:
    for problem in problems:
        if problem.reason == "derived_differs":
            if not _agrees(game, seen.facts if seen else (), problem.step):
                yield problem
        elif problem.step == 1:
            yield Problem(problem.line, problem.step, None, "hidden_deal")
        else:
            yield problem


def _agrees(game: Game, facts: Sequence[Happened], step: int) -> bool:
    """Whether everything that the viewer was told at this step stands after `>`, in order.

    A disguise counts as the reveal for which everybody takes it.
    """
    written = iter([_taken_for(part) for part in "|".join(game.lines[step - 1].derived).split("|")])
    told = (happened for happened in facts if happened.step == step and not _is_implied(happened))
    return all(_taken_for(str(happened)) in written for happened in told)


def _taken_for(fact: str) -> str:
    return " ".join(fact.split()).replace("Disguised", "Revealed")


def _is_implied(happened: Happened) -> bool:
    return isinstance(happened.fact, DyingBegan) and happened.fact.implied


# For programs


def as_json(game: Game, seen: View | None, problems: Sequence[Problem], words: Words) -> dict[str, object]:
    """The object of `companion replay --json`: the record's contract fixes its keys and their order."""
    state = seen.state if seen else State()
    pending = seen.pending if seen else None
    return {
        "mode": game.tags.get("Mode"),
        "ended": state.ended,
        "clause": state.verdict,
        "grades": {str(seat.number): seat.grade for seat in state.seats if seat.grade},
        "seats": [_seat(seat, game.names.get(seat.number)) for seat in state.seats],
        "pending": pending and {"seat": pending.seat, "ask": pending.ask, "choices": pending.choices},
        "announcements": [_announcement(told) for told in seen.announcements] if seen else [],
        "errors": [
            {
                "line": problem.line,
                "step": problem.step or None,
                "clause": problem.clause,
                "message": words.refusal(problem.reason, problem.params),
            }
            for problem in problems
        ],
    }


def _seat(seat: Seat, player: str | None) -> dict[str, object]:
    identity = seat.identity
    return {
        "seat": seat.number,
        "player": player,
        "role": identity and identity.role,
        "colour": identity and identity.colour,
        "camp": identity and identity.camp,
        "alive": seat.alive,
        "departed": seat.departed,
        "public": seat.public,
        "hp": seat.hp,
        "max_hp": seat.max_hp,
        "marks": seat.marks,
        "provinces": seat.provinces,
        "limit": seat.limit,
        "target": seat.target,
    }


def _announcement(told: Announcement) -> dict[str, object]:
    words: dict[str, object] = {
        "step": told.step,
        "seat": told.seat,
        "do": told.do,
        "n": told.n,
        "clause": told.clause,
    }
    if told.role:
        words["role"] = told.role
    if told.choices:
        words["choices"] = told.choices
    if told.skill:
        words["skill"] = told.skill
    if told.seats:
        words["seats"] = told.seats
    return words


# For people


def as_text(game: Game, seen: View | None, inputs: Sequence[Input], problems: Sequence[Problem], words: Words) -> str:
    """The game as a report: what was recorded and what followed, who has won and why, what is wrong."""
    lines = list(_heading(game, words))
    if seen and seen.seats:
        lines += ["", *_course(seen, inputs, words), "", *_outcome(seen, words)]
    if problems:
        lines += ["", words.say_many("有 %(num)s 处不对：", "有 %(num)s 处不对：", len(problems))]
        lines += [f"  {_fault(problem, words)}" for problem in problems]
    return "\n".join(lines) + "\n"


def _cited(clause: str | None, title: str = "") -> str:
    inside = " ".join(filter(None, (clause, title if title != clause else "")))
    return f" [{inside}]" if inside else ""


def _fault(problem: Problem, words: Words) -> str:
    told = words.refusal(problem.reason, problem.params) + _cited(problem.clause)
    if problem.step:
        return words.say("第 %(line)s 行（第 %(step)s 条）：%(told)s", line=problem.line, step=problem.step, told=told)
    return words.say("第 %(line)s 行：%(told)s", line=problem.line, told=told)


def _heading(game: Game, words: Words) -> Iterator[str]:
    mode = words.mode
    yield words.text(mode.name) if mode else game.tags.get("Mode", "?")[:40]
    if date := game.tags.get("Date"):
        yield words.say("日期：%(date)s", date=date)
    if mode and (options := _options(game, words)):
        yield words.say("选项：%(options)s", options=options)
    if game.names:
        names = words.listed(f"{seat} {name}" for seat, name in sorted(game.names.items()))
        yield words.say("座次：%(names)s", names=names)


def _options(game: Game, words: Words) -> str:
    chosen = game.tags.get("Options", "").replace(",", " ").split()
    return words.listed(words.option(name, value) for name, _, value in (item.partition("=") for item in chosen))


def _course(seen: View, inputs: Sequence[Input], words: Words) -> Iterator[str]:
    """Every input with what publicly, or for this viewer alone, followed."""
    facts = seen.facts
    at = 0
    for step, entered in enumerate(inputs, 1):
        first = at
        while at < len(facts) and facts[at].step == step:
            at += 1
        followed = facts[first:at]
        told = words.entry(entered)
        if isinstance(entered, Deal):
            told = words.say("%(title)s：%(items)s", title=told, items=_known(followed, seen, words))
        yield f"{step:>3}. {told}"
        for happened in followed:
            if line := _followed(happened, entered, words):
                yield f"     · {line}"


def _known(facts: Sequence[Happened], seen: View, words: Words) -> str:
    """The identities that were dealt, as far as the viewer came to know them at once."""
    known = {f.seat: words.identity(f.identity) for _, _, f in facts if isinstance(f, Dealt | Revealed | Learnt)}
    return words.listed(f"{words.seat(seat.number)} {known.get(seat.number, '?')}" for seat in seen.seats)


def _followed(happened: Happened, entered: Input, words: Words) -> str | None:
    fact = happened.fact
    if isinstance(fact, Asked):
        who, ask = words.seat(fact.seat), words.question(fact.ask)
        return words.say("问 %(who)s：%(ask)s", who=who, ask=ask) + _cited(happened.clause)
    if isinstance(fact, DyingBegan) and not fact.implied and not isinstance(entered, Dying):
        return words.say("%(who)s 濒死", who=words.seat(fact.seat))
    if isinstance(fact, Used) and isinstance(entered, Use) and set(fact.seats) == set(entered.seats):
        return None
    told = announcement(happened)
    return words.step(told) + _cited(told.clause, words.title(told.clause)) if told else None


def _outcome(seen: View, words: Words) -> Iterator[str]:
    state = seen.state
    if not state.ended:
        yield words.say("这一局还没有结束。")
        if pending := seen.pending:
            yield words.say(
                "等 %(who)s 回答：%(choices)s", who=words.seat(pending.seat), choices=words.choices(pending.choices)
            )
        for title, is_alive in ((words.say("在场"), True), (words.say("出局"), False)):
            yield from _group(title, [seat for seat in state.seats if seat.alive == is_alive], words)
        return
    yield words.verdict(state) + _cited(state.verdict)
    if state.verdict:
        yield words.clause(state.verdict)
    for grade in (WIN, DRAW, LOSE):
        yield from _group(words.grade(grade), [seat for seat in state.seats if seat.grade == grade], words)
    yield from _group(words.say("无成绩"), [seat for seat in state.seats if not seat.grade], words)


def _group(title: str, seats: Sequence[Seat], words: Words) -> Iterator[str]:
    if seats:
        yield words.say("%(title)s：%(items)s", title=title, items=words.listed(_who(seat, words) for seat in seats))


def _who(seat: Seat, words: Words) -> str:
    role = words.identity(seat.identity) if seat.identity else "?"
    return words.say("%(who)s（%(role)s）", who=words.seat(seat.number), role=role)


# The modes


def mode_json(mode: Mode) -> dict[str, object]:
    """A mode's players, identities (`count`: how often each is dealt, at least and at most) and clauses."""
    return {
        "id": mode.id,
        "names": _texts(mode.name),
        "players": mode.players,
        "options": mode.ruleset.options,
        "roles": [
            {
                "id": role.id,
                "names": _texts(role.name),
                "camp": role.camp,
                "count": dict(zip(("min", "max"), _range(mode, role.id), strict=True)),
            }
            for role in mode.roles.values()
        ],
        "clauses": [
            {"id": clause.id, "kinds": clause.kinds, "title": _texts(clause.title), "text": _texts(clause.text)}
            for clause in mode.clauses.values()
        ],
    }


def _texts(texts: Mapping[str, str]) -> dict[str, str]:
    return {lang: texts[lang.replace("-", "_").lower()] for lang in LANGS}


def _range(mode: Mode, role: str) -> tuple[int, int]:
    counts = [composition.roles.get(role, 0) for composition in mode.compositions]
    return min(counts), max(counts)


def modes_text(modes: Sequence[Mode], lang: Lang) -> str:
    """All modes for people; what all of them share stands once, at the end."""
    shared = set.intersection(*(set(mode.clauses) for mode in modes))
    lines: list[str] = []
    for mode in modes:
        lines += [*_mode(mode, shared, Words(lang, mode)), ""]
    words = Words(lang, modes[0])
    lines.append(words.say("所有模式共用的裁定"))
    lines += [_clause(clause, words) for clause in modes[0].clauses if clause in shared]
    return "\n".join(lines) + "\n"


def _mode(mode: Mode, shared: Collection[str], words: Words) -> Iterator[str]:
    yield words.say(
        "%(mode)s（%(id)s）：%(players)s 人",
        mode=words.text(mode.name),
        id=mode.id,
        players=words.players(mode.players),
    )
    yield words.text(mode.blurb)
    if options := mode.ruleset.options:
        yield words.say("选项：%(options)s", options=", ".join(options))
    for role in mode.roles.values():
        least, most = _range(mode, role.id)
        count = str(least) if least == most else f"{least}–{most}"
        yield f"  {words.role(role.id)} ({role.id}) · {words.camp(role.camp)} · {count}"
    yield from (_clause(clause, words) for clause in mode.clauses if clause not in shared)


def _clause(clause: str, words: Words) -> str:
    title = words.title(clause)
    return f"  {clause} {title if title != clause else ''}".rstrip() + f" — {words.clause(clause)}"

"""What was recorded wrongly is set right by the host: lines are taken back, changed, taken out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion import storage
from companion.rules.facts import TABLE
from companion.rules.inputs import Deal, IllegalInput, Input, Use, refuse, write
from companion.rules.table import play
from companion.rules.views import Announcement, told_to
from companion.tables.gathering import Gathering
from companion.tables.house import hashed
from companion.tables.log import Change
from companion.tables.rehearsal import (
    Misfit,
    TakenBack,
    carried_out,
    difference,
    expected_misfits,
    replay,
    taken_back,
)
from companion.tables.running import Running, digest_of, told_cards


@dataclass(frozen=True)
class Rehearsal:
    """What is shown before a line is changed; see `rehearsal` for what is not.

    `seen` is the log's last entry. `misfits` are the true ones once the game `has_ended`, else those that everybody can
    tell.
    """

    seen: int
    changed: Input | None
    misfits: tuple[Misfit, ...]
    taken_back: TakenBack
    has_ended: bool


@dataclass(frozen=True)
class Amends:
    """What the table makes good after a change or an undo: what was announced and is no longer so (`back`), and what
    would have been announced (`more`)."""

    id: str
    back: tuple[Announcement, ...]
    more: tuple[Announcement, ...]


class Mending(Gathering):
    """A table at which the host sets right what was recorded wrongly."""

    def undo(self, step: int, key: str, by: int | None, *, last: int | None = None) -> None:
        """Take back the records from number `step` to `last` (that one alone), if `last` still is the newest.

        The deal itself is not taken back.
        """
        with self._changing():
            game, last = self._running(), last or step
            key = hashed(f"{key} undo")
            if key in game.log.keys:
                return
            if game.held:
                refuse("draft_held")
            if not 1 < step <= last or last != len(game.standing):
                return
            shorter = play(game.mode.ruleset, game.table.inputs[: step - 1], game.row.options)
            pointer = min(game.row.pointer, len(told_cards(shorter, game.mode)))
            said = Change(step, game.row.pointer).write()
            line = storage.Line("undo", said, key, by, "", self._clock.now())
            game.log.note(self._store.append(game.row.id, game.log.last_seq + 1, line, pointer=pointer))
            game.table, game.row = shorter, replace(game.row, pointer=pointer)
            game.drifted = [number for number in game.drifted if number < step]

    def rehearse_undo(self, step: int) -> Rehearsal:
        """What taking back everything from number `step` on would put back."""
        with self.reading():
            game = self._running()
            self._check(game, step)
            return Rehearsal(game.log.last_seq, None, (), _taken_back(game, step), game.table.state.ended)

    def rehearse_change(self, step: int, text: str) -> Rehearsal:
        """What a change (see `change`) would put back, and which lines would no longer fit. Raises IllegalInput."""
        with self.reading():
            game = self._running()
            changed = self._changed(game, step, text)
            after = game.log.after(step)
            lines = [game.read(entry) for entry in after]
            before = _until(game, step, changed)
            if game.table.state.ended:
                _, misfits = replay(game.mode.ruleset, game.row.options, before, lines)
            else:
                play(game.mode.ruleset, before, game.row.options)
                steps = {entry.seq: number for number, entry in enumerate(game.standing, 1)}
                told = told_to(TABLE, game.table.facts)
                places = [(steps.get(entry.seq), line) for entry, line in zip(after, lines, strict=True)]
                misfits = expected_misfits(told, step, changed, places, counts_hp=game.table.has("hp"))
            ended = game.table.state.ended
            return Rehearsal(game.log.last_seq, changed, tuple(misfits), _taken_back(game, step), ended)

    def change(self, step: int, text: str, seen: int, key: str, by: int | None) -> None:
        """Give the line of `step` another text, or take it out where the text is empty; what follows is played again.

        Lines that no longer fit become comments. Nothing is done unless `seen` still is the log's last entry.
        """
        with self._changing():
            game = self._running()
            key = hashed(f"{key} change {step} {text}")
            if key in game.log.keys:
                return
            if game.held:
                refuse("draft_held")
            if seen != game.log.last_seq:
                refuse("log_moved")
            self._alter(game, step, self._changed(game, step, text), key, by)

    def _alter(self, game: Running, step: int, changed: Input | None, key: str, by: int | None) -> None:
        after, now = game.log.after(step), self._clock.now()
        before, rules = _until(game, step, changed), (game.mode.ruleset, game.row.options)
        table, misfits = replay(*rules, before, map(game.read, after))
        left_out = tuple(misfit.number for misfit in misfits)
        kept = [entry for number, entry in enumerate(after, 1) if number not in left_out]
        has_last = bool(kept) and kept[-1] == game.standing[-1]
        cards = told_cards(game.table, game.mode)
        pointer = carried_out(cards, game.row.pointer, told_cards(table, game.mode), has_last=has_last)
        lines = [storage.Line("input", entry.text, "", entry.by, "", entry.at) for entry in kept]
        if changed:
            lines.insert(0, storage.Line("input", write(changed), "", by, "", now))
        said = Change(step, game.row.pointer, left_out).write()
        entries = [
            storage.Line("change" if changed else "strike", said, key, by, "", now),
            *(
                replace(line, key=f"{key} {number}", digest=digest_of(table, number))
                for number, line in enumerate(lines, step)
            ),
        ]
        for entry in self._store.extend(game.row.id, game.log.last_seq + 1, entries, pointer=pointer):
            game.log.note(entry)
        game.table, game.row = table, replace(game.row, pointer=pointer)
        game.drifted = [number for number in game.drifted if number < step]

    def _check(self, game: Running, step: int) -> None:
        """Refuse a step whose line nobody can change."""
        if step == 1:
            refuse("deal_stays", "X8")
        if not 1 < step <= len(game.standing):
            refuse("no_line")

    def _changed(self, game: Running, step: int, text: str) -> Input | None:
        """The line that is to stand there. A skill is its owner's: it can be taken out, but nobody else enters one."""
        self._check(game, step)
        if not text:
            return None
        changed = game.mode.ruleset.read(text)
        if isinstance(changed, Deal):
            refuse("dealt_twice", "X8")
        if isinstance(changed, Use):
            refuse("skill_of_another")
        if changed == game.table.inputs[step - 1]:
            refuse("same_line")
        return changed

    def amends(self) -> Amends | None:
        """What is to be made good since the last change or undo; None where nothing is, or it is done."""
        with self.reading():
            game = self.game
            log = game.log if game else None
            if not game or not log or not log.change or not log.base or log.change.seq <= log.amended:
                return None
            inputs = [game.mode.ruleset.read(text) for text in log.base.lines]
            try:
                base = play(game.mode.ruleset, inputs, game.row.options)
            except IllegalInput:  # The rules have changed since.
                return None
            before = told_cards(base, game.mode)[: log.base.carried_out]
            now = told_cards(game.table, game.mode)[: game.row.pointer]
            back, more = difference(before, now), difference(now, before)
            return Amends(f"change-{log.change.seq}", back, more) if back or more else None

    def _running(self) -> Running:
        if self.game is None:
            refuse("not_dealt", "X8")
        if self.game.lost:
            refuse("rules_changed")
        return self.game


def _until(game: Running, step: int, changed: Input | None) -> list[Input]:
    """The lines up to that step, with another in its place or none."""
    return [*game.table.inputs[: step - 1], *([changed] if changed else [])]


def _taken_back(game: Running, step: int) -> TakenBack:
    done = told_cards(game.table, game.mode)[: game.row.pointer]
    return taken_back(told_to(TABLE, game.table.facts), done, step)

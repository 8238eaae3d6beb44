"""A game's log as people have set it right: the lines that stand, and what became of those that stand no more.

Entries of four kinds follow each other in the store. An `input` is a line that stands at the end. An `undo` takes
back all lines from the step that its text names. A `change` gives the line of one step another text
and a `strike` takes it out; both are followed by the inputs of everything from there on, as it stands now. Nothing is
ever removed from the store.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal, NamedTuple

from companion.storage import Entry

MISFIT: Literal["no longer fits"] = "no longer fits"


class Note(NamedTuple):
    """A comment of the record: a line that stands no more, and what became of it."""

    what: Literal["undone", "was", "no longer fits"]
    entry: Entry

    def __str__(self) -> str:
        return f"{self.what}: {self.entry.text}"


class Change(NamedTuple):
    """What the text of a `change`, `strike` or `undo` says.

    `step`: the line that was changed, or the first that was taken back. `carried_out`: how many announcements were done
    by then. `misfits`: which of the lines after it, counted from 1, no longer fit.
    """

    step: int
    carried_out: int
    misfits: tuple[int, ...] = ()

    @classmethod
    def read(cls, text: str) -> Change:
        step, carried_out, *misfits = map(int, text.split())
        return cls(step, carried_out, tuple(misfits))

    def write(self) -> str:
        return " ".join(map(str, (self.step, self.carried_out, *self.misfits)))


class Base(NamedTuple):
    """The game before it was changed: its lines, and how many announcements were done."""

    lines: tuple[str, ...]
    carried_out: int


@dataclass
class Log:
    """The log of one game. `standing[n]` is step n + 1; `comments` by the step that they follow (0: before all).

    `change` is the last change or undo as long as nothing else was recorded since; `base` is then the game to which the
    table has still to be brought from. Changes up to entry `amended` are made good at the table.
    """

    amended: int = 0
    standing: list[Entry] = field(default_factory=list)
    comments: dict[int, list[Note]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    last_seq: int = 0
    change: Entry | None = None
    base: Base | None = None

    def note(self, entry: Entry) -> None:
        """Follow the log by one entry."""
        self.last_seq = entry.seq
        self.keys.add(entry.key)
        if entry.kind in ("change", "strike"):
            self._alter(entry)
        elif entry.kind == "undo":
            self._take_back(entry)
        else:
            if self.change and not is_part(entry, self.change):
                self.change = self.base = None
            self.standing.append(entry)

    def after(self, step: int) -> list[Entry]:
        """The lines after a step that have to fit anew when it changes.

        Those that did not fit the last change are tried again with it, as long as nothing was recorded since: a change
        that is changed back brings them back.
        """
        return [it.entry if isinstance(it, Note) else it for it in self._from(step) if self._is_tried(it)][1:]

    @property
    def is_changed(self) -> bool:
        """Whether a line was changed or taken out, and nothing was recorded or taken back since."""
        return self.change is not None and self.change.kind != "undo"

    def comment(self, step: int, note: Note) -> None:
        self.comments.setdefault(step, []).append(note)

    def _from(self, step: int) -> Iterator[Entry | Note]:
        """The line of a step and everything after it, comments at their places."""
        for number, entry in enumerate(self.standing[step - 1 :], step):
            yield entry
            yield from self.comments.get(number, ())

    def _cut(self, step: int) -> list[Entry | Note]:
        cut = list(self._from(step))
        del self.standing[step - 1 :]
        self.comments = {number: notes for number, notes in self.comments.items() if number < step}
        return cut

    def _begin(self, carried_out: int) -> None:
        """Remember what the table has carried out, unless it still comes from an earlier change."""
        if self.change is None or self.change.seq <= self.amended:
            self.base = Base(tuple(line.text for line in self.standing), carried_out)

    def _take_back(self, entry: Entry) -> None:
        # Older tables say no more than the step, and nothing where it is the last one.
        said = [int(number) for number in entry.text.split()]
        step = said[0] if said else len(self.standing)
        self._begin(said[1] if len(said) > 1 else 0)
        for item in self._cut(step):
            self.comment(step - 1, item if isinstance(item, Note) else Note("undone", item))
        self.change = entry

    def _is_tried(self, item: Entry | Note) -> bool:
        return not isinstance(item, Note) or (item.what == MISFIT and self.is_changed)

    def _alter(self, entry: Entry) -> None:
        change = Change.read(entry.text)
        self._begin(change.carried_out)
        old, *rest = self._cut(change.step)
        assert isinstance(old, Entry)
        place, tried = change.step - 1, 0
        if entry.kind == "strike":
            self.comment(place, Note("undone", old))
        else:
            place += 1
        for item in rest:
            if isinstance(item, Note) and not self._is_tried(item):
                self.comment(place, item)
                continue
            tried += 1
            if tried in change.misfits:
                self.comment(place, Note(MISFIT, item.entry if isinstance(item, Note) else item))
            else:
                place += 1
        if entry.kind == "change":
            notes = self.comments.setdefault(change.step, [])
            notes.insert(sum(1 for _ in takewhile(lambda note: note.what == "was", notes)), Note("was", old))
        self.change = entry


def is_part(entry: Entry, change: Entry) -> bool:
    """Whether the input was entered again by the change."""
    return entry.key.startswith(f"{change.key} ")

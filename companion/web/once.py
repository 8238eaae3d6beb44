"""What is the same for all who look at a table is made once a version. Nothing of a single seat may be kept here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from jinja2.runtime import Macro
from markupsafe import Markup

from companion.tables import Evening
from companion.web.access import lang
from companion.web.screens.parts import Entry

Made = TypeVar("Made")

KEPT_PIECES = 32
KEPT_LOGS = 6

_lock = threading.RLock()
_made: WeakKeyDictionary[Evening, tuple[int, dict[Hashable, object]]] = WeakKeyDictionary()


def once_a_version(evening: Evening, kind: Hashable, make: Callable[[], Made]) -> Made:
    """What `make` makes of the evening's present public state. `kind` says what it is and for which kind of visitor.

    Called while the evening's lock is held; other evenings are not waited for.
    """
    with _lock:
        version, made = _made.get(evening, (-1, {}))
        if version != evening.row.version:
            made = {}
            _made[evening] = evening.row.version, made
    if kind not in made:
        made[kind] = make()
    return cast(Made, made[kind])


_lines: WeakKeyDictionary[Evening, dict[Hashable, dict[int, Entry]]] = WeakKeyDictionary()


def kept(evening: Evening, of: Hashable) -> dict[int, Entry]:
    """Lines of the log by their place in the store; `of` is everything else on which they depend."""
    with _lock:
        kinds = _lines.setdefault(evening, {})
        if of not in kinds and len(kinds) >= KEPT_LOGS:
            kinds.clear()
        return kinds.setdefault(of, {})


def remembered(macro: Macro, shown: Hashable) -> Markup:
    """What the macro makes of something that will be shown again, such as a line of the log."""
    return _remembered(macro.name, lang(), shown, _Worded(macro))


@dataclass(frozen=True)
class _Worded:
    """Carries the macro past the cache, for which its name says all."""

    macro: Macro = field(compare=False)


@lru_cache(maxsize=512)
def _remembered(_: str, __: str, shown: Hashable, worded: _Worded) -> Markup:
    return Markup(worded.macro(shown))


class Pieces:
    """Pieces of one server's pages, each rendered the first time that somebody needs it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, Markup] = {}

    def once(self, shared: str, caller: Callable[[], Markup]) -> Markup:
        """The piece of this name, which `caller` renders if it is not there (see `Frame.shared`)."""
        piece = self._kept.get(shared)
        if piece is None:
            piece = caller()
            with self._lock:
                self._kept[shared] = piece
                while len(self._kept) > KEPT_PIECES:
                    del self._kept[next(iter(self._kept))]
        return piece

"""What is the same for all who look at a table is made once a version. Nothing of a single seat may be kept here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from companion.tables import Evening

Made = TypeVar("Made")

_lock = threading.RLock()
_made: WeakKeyDictionary[Evening, tuple[int, dict[Hashable, object]]] = WeakKeyDictionary()


def once_a_version(evening: Evening, kind: Hashable, make: Callable[[], Made]) -> Made:
    """What `make` makes of the evening's present public state. `kind` says what it is and for which kind of visitor."""
    with _lock:
        version, made = _made.get(evening, (-1, {}))
        if version != evening.row.version:
            made = {}
            _made[evening] = evening.row.version, made
        if kind not in made:
            made[kind] = make()
        return cast(Made, made[kind])

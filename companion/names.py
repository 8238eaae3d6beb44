"""The names that people give themselves: made safe to show, and told apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 24
"""Characters of a name."""

_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Fillers, variation selectors, the empty Braille cell: nothing is seen of them, though they are letters or marks."""


def clean(name: str, longest: int | None = LONGEST) -> str:
    """The name with one width, single spaces, no invisible or direction-changing characters, and a bounded length.

    `longest`: characters that are kept; None: all.
    """
    folded = _UNSEEN.sub("", unicodedata.normalize("NFKC", name))
    visible = "".join(c if unicodedata.category(c)[0] != "C" else " " if c.isspace() else "" for c in folded)
    # What stood apart by something invisible may belong together now: one name has one spelling.
    # Pages mark with "~" where they differ from visitor to visitor: no name may hold one.
    return _bounded(unicodedata.normalize("NFKC", " ".join(visible.split())).replace("~", "〜"), longest)


def _bounded(name: str, longest: int | None) -> str:
    """At most so many characters, marks on top of letters not counted and not torn off; few marks a letter."""
    kept: list[str] = []
    letters = marks = 0
    for character in name:
        is_mark = unicodedata.category(character)[0] == "M"
        letters, marks = (letters, marks + 1) if is_mark else (letters + 1, 0)
        if longest is not None and letters > longest:
            break
        if marks <= 2:
            kept.append(character)
    return "".join(kept).strip()


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it where somebody has it already."""
    taken = {other.casefold() for other in others}
    number, chosen = 1, name
    while chosen.casefold() in taken:
        number += 1
        chosen = f"{name} ({number})"
    return chosen

"""What is kept of a game beside its log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Notes:
    """`paused`: nothing is recorded now. `amended`: up to which entry of the log the table has made good what was
    changed. `moderators`: hashes of the browsers that have been shown everything, and may not sit down in this game.

    `look`: when the look that all take together after the deal ends (ms since 1970; 0: it has not begun). `heroes`:
    whom people play, as they wrote it, by seat.

    `others` are fields that this program does not know.
    """

    paused: bool = False
    amended: int = 0
    moderators: tuple[str, ...] = ()
    look: int = 0
    heroes: Mapping[int, str] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, text: str) -> Notes:
        kept: dict[str, Any] = json.loads(text or "{}")
        own = {each.name: kept.pop(each.name) for each in fields(cls) if each.name in kept and each.name != "others"}
        heroes = {int(seat): name for seat, name in own.get("heroes", {}).items()}
        return cls(**own | {"moderators": tuple(own.get("moderators", ())), "heroes": heroes}, others=kept)

    def write(self) -> str:
        own = asdict(self)
        return json.dumps(own.pop("others") | own)

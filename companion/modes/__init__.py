"""The modes: for each what is printed (`.toml`) and what happens (`.py`), joined by the loader."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from companion.modes.loader import LANGUAGES, Behaviour, Mode, load
from companion.rules.inputs import refuse
from companion.rules.ruleset import Ruleset

MODES = ("classic", "court8", "court12", "ambition", "sixteen", "chuhan")
"""The ids of all modes, in the order in which they are offered."""


@cache
def find_mode(mode: str) -> Mode:
    """The mode with this id. Raises IllegalInput for an unknown one."""
    if mode not in MODES:
        refuse("unknown_mode", found=mode[:40], known=", ".join(MODES))
    module = import_module(f"companion.modes.{mode}")
    behaviour: Behaviour = module.BEHAVIOURS[mode]
    return load(mode, behaviour)


def find_ruleset(mode: str) -> Ruleset:
    """The rules of the mode with this id. Raises IllegalInput for an unknown one."""
    return find_mode(mode).ruleset


__all__ = ["LANGUAGES", "MODES", "Mode", "find_mode", "find_ruleset"]

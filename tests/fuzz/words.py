"""What fuzzed texts are made of: words that mean something, numbers, and anything else."""

from __future__ import annotations

from hypothesis import strategies as st

from companion.modes import MODES, find_mode
from companion.rules.inputs import INPUT_WORDS
from companion.rules.ruleset import OPTION_VALUES

VERBS = [*sorted(INPUT_WORDS), "by"]
ANSWERS = ["yes", "no", "-", "max_hp", "extra_turn", "drain", "basic", "random", "up", "down", "on", "cards"]
ROLES = sorted({role for mode in MODES for role in find_mode(mode).roles})
SKILLS = sorted({skill for mode in MODES for skill in find_mode(mode).skills})
KNOWN = [*VERBS, *ANSWERS, *ROLES, *SKILLS, *MODES, *OPTION_VALUES]
ODD = [
    "",
    "9" * 300,
    "\x00",
    "１",
    "²",
    "٢",
    "-0",
    "+-1",
    "1e9",
    "x" * 5000,
    "\ud7ff",
    "<b>",
    "\u202e",
    "lord:red>9",
    "?",
]

numbers = st.integers(-2, 13).map(str)
words = st.sampled_from(KNOWN) | numbers | st.sampled_from(ODD) | st.text(max_size=8)
seats = st.integers(1, 5).map(str)
sensible = st.one_of(
    st.builds("turn {}".format, seats),
    st.builds("death {} by {}".format, seats, seats),
    st.builds("touch {} by {}".format, seats, seats),
    st.builds("damage {} {} by {}".format, seats, seats, seats),
    st.builds("limit {} -1".format, seats),
    st.builds("leave {}".format, seats),
)
lines = sensible | st.lists(st.sampled_from(VERBS) | numbers | words, max_size=6).map(" ".join)
"""Something like an input of a record."""

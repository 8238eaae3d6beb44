"""The words that stand on paper beside a mode's own: three languages, like the mode's texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Lang = Literal["zh_hans", "zh_hant", "en"]
LANGS: tuple[Lang, ...] = ("zh_hans", "zh_hant", "en")

LABELS: Mapping[str, tuple[str, str, str]] = {
    "goal": ("目标", "目標", "Goal"),
    "code": ("编号", "編號", "Code"),
    "colour_red": ("红", "紅", "Red"),
    "colour_blue": ("蓝", "藍", "Blue"),
    "colour_green": ("绿", "綠", "Green"),
}
"""By key: zh_hans, zh_hant, en."""


def label(key: str, lang: Lang, **params: object) -> str:
    """The words with their parameters."""
    return LABELS[key][LANGS.index(lang)].format(**params)

"""Why something could not be printed, in words."""

from __future__ import annotations

import logging

from companion.prints import BadOrder
from printables import faults
from printables.labels import LANGS, Lang

_WORDS: dict[str, tuple[str, str, str]] = {
    "mode": ("没有这种东西可以印。", "沒有這種東西可以印。", "There is no such thing to print."),
    "players": (
        "这个模式没有这样的人数或配置。人数留空就是所有人数通用。",
        "這個模式沒有這樣的人數或配置。人數留空就是所有人數通用。",
        "This mode has no game with so many players or this variant. Leave the number empty for a deck that suits all.",
    ),
    "size": (
        "牌的宽和高请写 30 到 300 毫米。",
        "牌的寬和高請寫 30 到 300 公釐。",
        "Card width and height are 30 to 300 mm.",
    ),
    "number": (
        "数字不对：出血 0–10，页边 0–100，背面偏移 -20 到 20，单位毫米。",
        "數字不對：出血 0–10，頁邊 0–100，背面偏移 -20 到 20，單位公釐。",
        "That number will not do: bleed 0–10, margin 0–100, offset of backs -20 to 20, in mm.",
    ),
    "names": ("请写下名字，一行一个。", "請寫下名字，一行一個。", "Write the names, one a line."),
    "busy": (
        "前面排着好几份，请等一会儿再做。",
        "前面排著好幾份，請等一會兒再做。",
        "Several others are being made. Wait a moment, then try again.",
    ),
    "trackers": (
        "这个模式没有要记的东西。",
        "這個模式沒有要記的東西。",
        "Nothing has to be tracked in this mode.",
    ),
}


def order_fault(fault: str, lang: Lang) -> str:
    """Why an order is refused."""
    return _WORDS[fault][LANGS.index(lang)]


def print_fault(error: Exception, lang: Lang) -> str:
    """Why a job failed; nothing for a fault of the program."""
    if isinstance(error, BadOrder):
        return order_fault(error.fault, lang)
    words = faults.told(error, lang)
    if words is None:
        logging.getLogger("companion").error("%s while printing", type(error).__name__)
    return words or ""

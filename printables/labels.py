"""The words that stand on paper beside a mode's own: three languages, like the mode's texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Lang = Literal["zh_hans", "zh_hant", "en"]
LANGS: tuple[Lang, ...] = ("zh_hans", "zh_hant", "en")

LABELS: Mapping[str, tuple[str, str, str]] = {
    "brand": ("身份局", "身份局", "Identity Night"),
    # Cards
    "goal": ("目标", "目標", "Goal"),
    "colour_red": ("红", "紅", "Red"),
    "colour_blue": ("蓝", "藍", "Blue"),
    "colour_green": ("绿", "綠", "Green"),
    # Reference sheet
    "identities": ("身份", "身份", "Identities"),
    "composition": ("配置", "配置", "Composition"),
    "players": ("{n} 人", "{n} 人", "{n} players"),
    "option_double": ("双内奸", "雙內奸", "two renegades"),
    "option_luan": ("加乱", "加亂", "one more Disruptor"),
    "option_duo": ("加夺", "加奪", "one more Usurper"),
    "shared": ("共同的规则", "共同的規則", "Rules that several share"),
    "views": ("谁知道什么", "誰知道什麼", "Who knows what"),
    "notes": ("说明", "說明", "Notes"),
    "order": ("结算次序", "結算次序", "Order of triggers"),
    "order_Begun": ("开局", "開局", "At the start"),
    "order_TurnBegan": ("回合开始", "回合開始", "When a turn begins"),
    "order_DyingBegan": ("有人濒死", "有人瀕死", "When somebody is dying"),
    "order_Revealed": ("亮明身份时", "亮明身份時", "When somebody is revealed"),
    "order_Died": ("有人阵亡", "有人陣亡", "When somebody dies"),
    "order_Became": ("变为叛徒", "變為叛徒", "When somebody turns"),
    "order_Converted": ("变为黄巾", "變為黃巾", "When somebody is converted"),
    "order_LimitChanged": ("州数上限改变", "州數上限改變", "When a limit changes"),
    "verdict": ("判定胜负", "判定勝負", "the verdict"),
    "endings": ("胜负，依次判定", "勝負，依次判定", "Who wins: the first that holds"),
    "clockwise": ("顺时针出牌", "順時針出牌", "Play is clockwise"),
    "counter_clockwise": ("逆时针出牌", "逆時針出牌", "Play is counter-clockwise"),
    # Poster
    "poster_title": ("扫码入座", "掃 QR Code 入座", "Scan to join"),
    "poster_wifi": ("一、连上 Wi-Fi", "一、連上 Wi-Fi", "1. Join the Wi-Fi"),
    "poster_join": ("二、扫码，写下名字", "二、掃 QR Code，寫下名字", "2. Scan, write your name"),
    "poster_only": ("扫码，写下名字", "掃 QR Code，寫下名字", "Scan, write your name"),
    "poster_peek": (
        "按住看牌，松开就盖上。手机锁屏不会丢座位，再扫一次就回来。",
        "按住看牌，鬆開就蓋上。手機鎖定不會丟座位，再掃一次就回來。",
        "Hold to see your card; release to cover it. A locked phone keeps its seat: scan again to come back.",
    ),
    "network": ("网络", "網路", "Network"),
    "password": ("密码", "密碼", "Password"),
    # Strips, trackers, marks
    "strip": ("座次", "座次", "Order of play"),
    "provinces": ("州", "州", "Provinces"),
    "limit": ("上限", "上限", "Limit"),
    "name": ("名字", "名字", "Name"),
    "marks": ("黄巾标记", "黃巾標記", "Yellow Turban marks"),
    "marks_note": (
        "每次伤害或治疗得一个，第三个变为黄巾。只给黄巾看。",
        "每次傷害或治療得一個，第三個變為黃巾。只給黃巾看。",
        "One for each time you damage or heal somebody; the third converts. For Yellow Turbans' eyes only.",
    ),
    # Calibration
    "calibration": ("校准页", "校準頁", "Calibration"),
    "calibration_scale": (
        "量一量：这条尺应当正好长 150 毫米，方框边长正好 50 毫米。不对就在打印时选“实际大小”。",
        "量一量：這條尺應當正好長 150 公釐，方框邊長正好 50 公釐。不對就在列印時選「實際大小」。",
        "Measure: this ruler is exactly 150 mm long, the square 50 mm wide. If not, print at actual size.",
    ),
    "calibration_back": (
        "双面打印这两页，看着这一面对光照：另一面的十字落在哪里，X、Y 就是背面要向右、向下移多少毫米"
        "（命令里写 --offset X,Y）。",
        "雙面列印這兩頁，看著這一面對光照：另一面的十字落在哪裡，X、Y 就是背面要向右、向下移多少公釐"
        "（指令裡寫 --offset X,Y）。",
        "Print both pages on one sheet and hold this side to the light: where the cross of the other side falls,"
        " X and Y are how many mm backs move right and down (in a command: --offset X,Y).",
    ),
    "calibration_for": (
        "适用于：{paper}，{way}，{flip}。换了其中一样，请另印一张。",
        "適用於：{paper}，{way}，{flip}。換了其中一樣，請另印一張。",
        "Holds for {paper}, {way}, {flip}. Where one of these changes, print another.",
    ),
    "way_upright": ("竖放", "直放", "upright"),
    "way_landscape": ("横放", "橫放", "landscape"),
    "flip_long": ("双面，沿长边翻", "雙面，沿長邊翻", "two-sided, flipped on the long edge"),
    "flip_short": ("双面，沿短边翻", "雙面，沿短邊翻", "two-sided, flipped on the short edge"),
    "front": ("正面", "正面", "Front"),
    "back": ("背面", "背面", "Back"),
    # What goes wrong
    "error_card": (
        "{card}：这段文字用最小的字号也放不下：{text}",
        "{card}：這段文字用最小的字級也放不下：{text}",
        "{card}: this text does not fit, even in the smallest type: {text}",
    ),
    "error_text": (
        "这段文字用最小的字号也放不下：{text}",
        "這段文字用最小的字級也放不下：{text}",
        "This text does not fit, even in the smallest type: {text}",
    ),
    "error_character": (
        "字体里没有 {sign} 这个字。它在这里：{text}",
        "字型裡沒有 {sign} 這個字。它在這裡：{text}",
        "The font has no character {sign}. It stands in: {text}",
    ),
    "error_paper": (
        "纸上一张牌也放不下：牌 {card} 毫米，{paper} 纸 {sheet} 毫米，页边 {margin} 毫米，出血 {bleed} 毫米。"
        "请换大的纸，或者减小牌、页边和出血。",
        "紙上一張牌也放不下：牌 {card} 公釐，{paper} 紙 {sheet} 公釐，頁邊 {margin} 公釐，出血 {bleed} 公釐。"
        "請換大的紙，或者減小牌、頁邊和出血。",
        "Not even one card fits on the paper: card {card} mm, {paper} {sheet} mm, margin {margin} mm, bleed {bleed} mm."
        " Take larger paper, or less card, margin or bleed.",
    ),
    "error_fold": (
        "正反并排，纸上一张牌也放不下：牌 {card} 毫米，要两倍的宽，{paper} 纸 {sheet} 毫米，"
        "页边 {margin} 毫米，出血 {bleed} 毫米。请分开印背面，换大的纸，或者减小牌、页边和出血。",
        "正反並排，紙上一張牌也放不下：牌 {card} 公釐，要兩倍的寬，{paper} 紙 {sheet} 公釐，"
        "頁邊 {margin} 公釐，出血 {bleed} 公釐。請分開印背面，換大的紙，或者減小牌、頁邊和出血。",
        "Not even one card with its back beside it fits on the paper: card {card} mm, twice the width, {paper} {sheet}"
        " mm, margin {margin} mm, bleed {bleed} mm. Print backs apart, take larger paper, or less card, margin, bleed.",
    ),
}
"""By key: zh_hans, zh_hant, en."""


def label(key: str, lang: Lang, **params: object) -> str:
    """The words with their parameters."""
    return LABELS[key][LANGS.index(lang)].format(**params)

"""What could keep an evening from starting, looked for beforehand: `companion doctor`.

`examine` asks the machine. Each other function judges one thing by what it is handed, and says what to do about it.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion import __version__, lan, listening, storage
from companion.words import Words

Mark = Literal["good", "bad", "hint"]
SIGNS: dict[Mark, str] = {"good": "✓", "bad": "!", "hint": "·"}
PLAIN_SIGNS: dict[Mark, str] = {"good": "+", "bad": "!", "hint": "-"}
"""For consoles that cannot write the others."""

NEARLY_FULL = 100 * 1024 * 1024
"""Bytes left on the disk below which it is said; an evening takes less than one of these hundred."""

_MB, _GB = 1024**2, 1024**3
_SBIN = "/usr/sbin:/sbin"
_OUT_OF_REACH: Collection[lan.Kind] = ("virtual", "vpn")
_OWN: Collection[lan.Kind] = ("loopback", "link_local")


@dataclass(frozen=True)
class Finding:
    """One line for people, and what to `do`. Only "bad" ones keep phones out or lose records."""

    mark: Mark
    text: str
    do: str = ""


def examine(words: Words, port: int, database: Path) -> list[Finding]:
    """All that can be found out without anybody's help."""
    found = lan.addresses()
    tools = [name for name in ("ufw", "firewall-cmd") if shutil.which(name) or shutil.which(name, path=_SBIN)]
    return [
        Finding(
            "good", words.say("版本 %(own)s，Python %(python)s", own=__version__, python=platform.python_version())
        ),
        *network(words, found, port),
        listener(words, port, [one.ip for one in found]),
        data(words, database, storage.examine(database)),
        fonts(words),
        firewall(words, platform.system(), tools, port),
    ]


def lines(words: Words, findings: Iterable[Finding], signs: dict[Mark, str]) -> list[str]:
    """The findings as lines for a console, and in the last one what they come to."""
    told = []
    bad = 0
    for finding in findings:
        told.append(f"{signs[finding.mark]} {finding.text}")
        told += [f"  {finding.do}"] if finding.do else []
        bad += finding.mark == "bad"
    if bad:
        told.append(words.say_many("有 %(num)s 处要处理，见标“!”的行。", "有 %(num)s 处要处理，见标“!”的行。", bad))
    else:
        told.append(words.say("没有发现问题。"))
    return told


def network(words: Words, found: Sequence[lan.Address], port: int) -> list[Finding]:
    """Where phones reach this machine; `found` as `lan.addresses` gives it, best first."""
    best = found[0]
    if best.kind in _OWN:
        return [
            Finding(
                "bad",
                words.say("这台电脑没有连上任何网络，手机进不来。"),
                words.say("连上 Wi-Fi；没有 Wi-Fi 就打开一部手机的热点，电脑和其他手机都连它。"),
            )
        ]
    if best.kind in _OUT_OF_REACH:
        return [
            Finding(
                "bad",
                words.say("只有 VPN 或虚拟网卡的地址（%(addresses)s），手机连不到。", addresses=_listed(words, found)),
                words.say("连上 Wi-Fi 或手机热点；已经连上了，就先关掉 VPN。"),
            )
        ]
    told = [
        Finding(
            "good",
            words.say(
                "手机用的地址：%(url)s（%(interface)s）", url=f"http://{best.ip}:{port}", interface=best.interface
            ),
        )
    ]
    others = [one for one in found[1:] if one.kind not in _OWN]
    if others:
        text = words.say("还有别的地址：%(addresses)s。", addresses=_listed(words, others))
        told.append(Finding("hint", text, words.say("手机打不开时，在牌桌页上换一个试试。")))
    if any(one.kind == "vpn" for one in others):
        told.append(Finding("hint", words.say("VPN 或代理开着。手机打不开时，先把它关掉。")))
    return told


def _listed(words: Words, found: Iterable[lan.Address]) -> str:
    return words.listed(f"{one.ip} {one.interface}" for one in found if one.kind not in _OWN)


def listener(words: Words, port: int, ips: Iterable[str]) -> Finding:
    """Whether the port is free; taken by the companion itself is as good."""
    try:
        listening.listen(listening.EVERYWHERE, port).close()
    except listening.PortTaken:
        return taken(words, port, ips)
    except listening.PortForbidden:
        return forbidden(words, port)
    return Finding("good", words.say("端口 %(port)s 空着", port=port))


def taken(words: Words, port: int, ips: Iterable[str]) -> Finding:
    """Who has the port, as far as that is told by asking at these addresses."""
    here = ("127.0.0.1", *(ip for ip in ips if ip != "127.0.0.1"))
    if version := listening.running(here, port):
        text = words.say("身份局（%(version)s）已经在端口 %(port)s 上运行。", version=version, port=port)
        return Finding(
            "good", text, words.say("不用再启动，直接在浏览器里打开：%(url)s", url=f"http://127.0.0.1:{port}")
        )
    return Finding(
        "bad",
        words.say("端口 %(port)s 被别的程序占用。", port=port),
        words.say("关掉那个程序，或者换一个端口：companion serve --port %(other)s", other=_another(port)),
    )


def forbidden(words: Words, port: int) -> Finding:
    """The system keeps the port for itself."""
    return Finding(
        "bad",
        words.say("系统不让用端口 %(port)s。", port=port),
        words.say("换一个端口：companion serve --port %(other)s", other=_another(port)),
    )


def _another(port: int) -> int:
    return port + 1 if 1024 <= port < 65535 else 8765


def data(words: Words, database: Path, health: storage.Health) -> Finding:
    """Whether tables can be kept in this file."""
    elsewhere = words.say("或者用 --data 另选一个文件夹。")
    told: dict[str, tuple[str, str]] = {
        "readonly": (words.say("%(path)s 不能写入。", path=database), words.say("检查这个文件夹的权限，")),
        "full": (words.say("%(path)s 所在的磁盘满了。", path=database), words.say("腾出一些空间，")),
        "busy": (words.say("%(path)s 正被别的程序占用。", path=database), words.say("关掉那个程序，")),
        "too_new": (words.say("%(path)s 是更新版的程序写的。", path=database), words.say("升级程序，")),
        "no_wal": (
            words.say("%(path)s 像是在网络盘上，那里保存记录不可靠。", path=database),
            words.say("把数据放到这台电脑自己的硬盘上："),
        ),
    }
    if health.fault:
        broken = words.say("%(path)s 打不开或已损坏。", path=database), words.say("检查磁盘，")
        text, do = told.get(health.fault, broken)
        return Finding("bad", text, do + elsewhere)
    if health.free is not None and health.free < NEARLY_FULL:
        text = words.say("%(path)s 所在的磁盘快满了，只剩 %(free)s。", path=database, free=_size(health.free))
        return Finding("bad", text, words.say("腾出一些空间，") + elsewhere)
    return Finding("good", words.say("记录保存在：%(path)s", path=database))


def _size(free: int) -> str:
    return f"{free / _GB:.1f} GB" if free >= _GB else f"{free // _MB} MB"


def fonts(words: Words) -> Finding:
    """Whether paper can be printed."""
    from printables.fonts import fonts as load

    try:
        load()
    except (ImportError, OSError, ValueError):
        return Finding(
            "bad",
            words.say("缺少印刷用的字体，印不了身份牌和海报。"),
            words.say("重新安装：pip install --force-reinstall pylopdf-fonts-zh-cn"),
        )
    return Finding("good", words.say("印刷用的字体都在"))


def firewall(words: Words, system: str, tools: Collection[str], port: int) -> Finding:
    """What may have to be allowed. Its rules cannot be read without the administrator, so this is no more than a hint.

    `system` as `platform.system` names it; `tools`: which of ufw and firewall-cmd are there.
    """
    ways = {
        "Windows": words.say(
            "Windows 问是否允许 Python 时，勾选“专用网络”再点允许；错过了，就在“允许应用通过防火墙”里勾上。"
        )
        + words.say("这个 Wi-Fi 也要设为“专用网络”。"),
        "Darwin": words.say(
            "macOS 问是否允许 Python 接受传入连接时，点允许；错过了，就在系统设置的“防火墙 → 选项”里改。"
        ),
    }
    commands = [f"sudo ufw allow {port}/tcp"] * ("ufw" in tools)
    commands += [f"sudo firewall-cmd --add-port={port}/tcp"] * ("firewall-cmd" in tools)
    if commands:
        linux = words.say("这台电脑装有防火墙。它开着的话，放行这个端口：%(command)s", command=" / ".join(commands))
    else:
        linux = words.say("没有找到 ufw 或 firewalld。装了别的防火墙，就放行 TCP 端口 %(port)s。", port=port)
    return Finding("hint", words.say("手机都打不开时，看看防火墙。"), ways.get(system, linux))

"""Which of the laptop's addresses a phone at the table can most likely reach.

`rank` is pure and judges by names and numbers alone; `addresses` asks the operating system and never sends a packet.
"""

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from typing import Literal

import psutil

Kind = Literal["wifi", "ethernet", "lan", "hotspot", "other", "public", "virtual", "vpn", "link_local", "loopback"]


@dataclass(frozen=True, slots=True)
class Address:
    """An IPv4 address of this machine; `kind` is the reason for its place in the order."""

    ip: str
    interface: str
    kind: Kind


_LOOPBACK = IPv4Network("127.0.0.0/8")
_LINK_LOCAL = IPv4Network("169.254.0.0/16")
_PRIVATE = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
# Tailscale and carriers' NAT; fake addresses of proxies with a tunnel (Clash, sing-box).
_TUNNELLED = tuple(map(IPv4Network, ("100.64.0.0/10", "198.18.0.0/15")))

# Interface names of Linux and macOS, and the names that Windows shows in English and Chinese. The first match wins.
_NAMES: tuple[tuple[Kind, str], ...] = (
    ("loopback", r"^lo\d*$|loopback"),
    (
        "vpn",
        r"^(tun|tap|wg|utun|ppp|ipsec|zt|feth|nord|proton|tailscale|meta$|mihomo|clash|cfw|sing|xray|v2ray)"
        r"|[-_]tun$|vpn|wireguard|wintun|tap-|tailscale|zerotier|hamachi|anyconnect|fortinet|globalprotect",
    ),
    (
        "virtual",
        r"^(docker|br-|br\d|bridge|veth|virbr|vbox|vmnet|vmenet|vnet|lxc|lxd|incus|podman|cni|flannel|cali|kube)"
        r"|^(awdl|llw|anpi|gif|stf)\d|virtualbox|vmware|hyper-v|\bwsl\b|parallels|bluetooth|蓝牙|藍牙|藍芽",
    ),
    ("hotspot", r"^ap\d|^(local area connection|本地连接|區域連線)\*"),
    ("wifi", r"^(wl|wifi|wi-fi|ath\d|无线|無線)|wireless"),
    ("ethernet", r"^(eth|en[opsx]\w|em\d|ethernet|以太网|乙太網路|local area connection|本地连接|區域連線)"),
    ("lan", r"^(en\d|bond|team|lan)"),
)

# Whether the default route goes through an address decides inside one class, never between two.
_CLASS: dict[Kind, int] = {
    "wifi": 0,
    "ethernet": 0,
    "lan": 0,
    "hotspot": 1,
    "other": 1,
    "public": 2,
    "virtual": 3,
    "vpn": 4,
    "link_local": 5,
    "loopback": 6,
}
_WITHIN: tuple[Kind, ...] = ("wifi", "lan", "ethernet", "hotspot", "other")


def rank(candidates: Iterable[tuple[str, str]], route: str | None = None) -> list[Address]:
    """Order (interface name, IPv4 address) pairs, best first.

    `route` is the address that the default route leaves from, where known. Private addresses of Wi-Fi and cable come
    first, the one with the default route ahead; then unknown names, public addresses, bridges of virtual machines
    and containers, VPNs, link-local, loopback.
    """
    found = [Address(ip, name, _kind(name, IPv4Address(ip), ip == route)) for name, ip in candidates]
    return sorted(found, key=lambda address: _order(address, route))


def addresses() -> list[Address]:
    """The machine's IPv4 addresses on interfaces that are up, best first. Never empty: loopback at least."""
    states = psutil.net_if_stats()
    found = [
        (name, entry.address)
        for name, entries in psutil.net_if_addrs().items()
        if name in states and states[name].isup
        for entry in entries
        if entry.family == socket.AF_INET
    ]
    return rank(found or [("lo", "127.0.0.1")], default_route())


def default_route() -> str | None:
    """The address that packets to the wide world would leave from; None when offline.

    Connecting a UDP socket only picks a route. The address is one reserved for documentation.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("203.0.113.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _kind(name: str, ip: IPv4Address, has_route: bool) -> Kind:
    named = _named(name)
    if ip in _LOOPBACK:
        return "loopback"
    if ip in _LINK_LOCAL:
        return "link_local"
    if named == "vpn" or any(ip in network for network in _TUNNELLED):
        return "vpn"
    if named == "virtual":
        # A bridge with the default route is the machine's own connection (a KVM host, a Hyper-V external switch).
        return "lan" if has_route else "virtual"
    return named if any(ip in network for network in _PRIVATE) else "public"


def _named(name: str) -> Kind:
    return next((kind for kind, pattern in _NAMES if re.search(pattern, name, re.IGNORECASE)), "other")


def _order(address: Address, route: str | None) -> tuple[int, bool, int, IPv4Address]:
    within = _WITHIN.index(address.kind) if address.kind in _WITHIN else 0
    return _CLASS[address.kind], address.ip != route, within, IPv4Address(address.ip)

"""The address that the QR code holds: judged by interface names of three systems, never by a network that is there."""

import socket
from types import SimpleNamespace

import psutil
import pytest

from companion import lan

WINDOWS = [
    ("Loopback Pseudo-Interface 1", "127.0.0.1"),
    ("VirtualBox Host-Only Network", "192.168.56.1"),
    ("VMware Network Adapter VMnet8", "192.168.113.1"),
    ("vEthernet (WSL (Hyper-V firewall))", "172.29.16.1"),
    ("vEthernet (Default Switch)", "172.18.64.1"),
    ("蓝牙网络连接", "169.254.11.12"),
    ("OpenVPN TAP-Windows6", "10.8.0.6"),
    ("Meta", "198.18.0.1"),
    ("本地连接* 2", "192.168.137.1"),
    ("以太网", "169.254.77.1"),
    ("WLAN", "192.168.1.23"),
]
MACOS = [
    ("lo0", "127.0.0.1"),
    ("awdl0", "169.254.5.5"),
    ("utun4", "10.10.0.2"),
    ("utun5", "100.101.102.103"),
    ("bridge100", "192.168.64.1"),
    ("vmenet0", "192.168.65.1"),
    ("en0", "192.168.31.7"),
]
LINUX = [
    ("lo", "127.0.0.1"),
    ("docker0", "172.17.0.1"),
    ("br-3f2a91c0de11", "172.18.0.1"),
    ("veth12ab", "169.254.1.1"),
    ("virbr0", "192.168.122.1"),
    ("wg0", "10.66.66.2"),
    ("tailscale0", "100.80.1.2"),
    ("zt7nnig26", "10.147.17.5"),
    ("wlp3s0", "10.0.0.42"),
]


@pytest.mark.parametrize(
    ("candidates", "best"),
    [(WINDOWS, "192.168.1.23"), (MACOS, "192.168.31.7"), (LINUX, "10.0.0.42")],
    ids=["windows", "macos", "linux"],
)
@pytest.mark.parametrize("tunnel_has_the_route", [False, True])
def test_wifi_wins_over_vpn_containers_and_virtual_machines(
    candidates: list[tuple[str, str]], best: str, tunnel_has_the_route: bool
) -> None:
    route = next(ip for name, ip in candidates if lan.rank([(name, ip)])[0].kind == "vpn")
    ranked = lan.rank(candidates, route if tunnel_has_the_route else best)
    assert ranked[0].ip == best
    assert ranked[-1].kind == "loopback"
    assert len(ranked) == len(candidates)


@pytest.mark.parametrize(
    ("name", "ip", "kind"),
    [
        ("wlan0", "192.168.0.2", "wifi"),
        ("Wi-Fi 2", "192.168.0.2", "wifi"),
        ("WLAN", "192.168.0.2", "wifi"),
        ("无线网络连接", "192.168.0.2", "wifi"),
        ("Wireless Network Connection", "192.168.0.2", "wifi"),
        ("eth0", "172.20.10.4", "ethernet"),
        ("enp0s31f6", "10.1.2.3", "ethernet"),
        ("Ethernet 3", "10.1.2.3", "ethernet"),
        ("以太网 2", "10.1.2.3", "ethernet"),
        ("乙太網路", "10.1.2.3", "ethernet"),
        ("本地连接", "10.1.2.3", "ethernet"),
        ("en7", "10.1.2.3", "lan"),
        ("ap1", "192.168.2.1", "hotspot"),
        ("Local Area Connection* 10", "192.168.137.1", "hotspot"),
        ("Café", "192.168.0.2", "other"),
        ("eth0", "8.8.4.4", "public"),
        ("Docker", "192.168.0.2", "virtual"),
        ("vboxnet0", "192.168.56.1", "virtual"),
        ("vEthernet (WSL)", "172.29.16.1", "virtual"),
        ("VMware Network Adapter VMnet1", "192.168.5.1", "virtual"),
        ("lxdbr0", "10.9.8.1", "virtual"),
        ("tun0", "10.8.0.2", "vpn"),
        ("ppp0", "10.8.0.2", "vpn"),
        ("Tailscale", "100.64.0.9", "vpn"),
        ("Ethernet 5", "100.127.0.9", "vpn"),
        ("以太网 4", "198.18.0.1", "vpn"),
        ("NordLynx", "10.5.0.2", "vpn"),
        ("ZeroTier One [8056c2e21c000001]", "10.147.17.5", "vpn"),
        ("Wi-Fi", "169.254.9.9", "link_local"),
        ("lo", "127.0.1.1", "loopback"),
        ("Loopback Pseudo-Interface 1", "127.0.0.1", "loopback"),
    ],
)
def test_each_address_says_why_it_stands_where_it_does(name: str, ip: str, kind: lan.Kind) -> None:
    assert lan.rank([(name, ip)]) == [lan.Address(ip, name, kind)]


@pytest.mark.parametrize(
    ("candidates", "route", "order"),
    [
        pytest.param(
            [("enp5s0", "192.168.1.9"), ("wlan0", "192.168.1.8")],
            None,
            ["192.168.1.8", "192.168.1.9"],
            id="wifi before cable when nothing else is known",
        ),
        pytest.param(
            [("enp5s0", "192.168.1.9"), ("wlan0", "10.0.0.8")],
            "192.168.1.9",
            ["192.168.1.9", "10.0.0.8"],
            id="the default route decides between wifi and cable",
        ),
        pytest.param(
            [("Corp", "10.9.0.4"), ("Wi-Fi", "192.168.1.8")],
            "10.9.0.4",
            ["192.168.1.8", "10.9.0.4"],
            id="an unknown name with the route may be a tunnel",
        ),
        pytest.param(
            [("virbr0", "192.168.122.1"), ("br0", "192.168.1.2")],
            "192.168.1.2",
            ["192.168.1.2", "192.168.122.1"],
            id="a bridge with the route is the machine's own connection",
        ),
        pytest.param(
            [("eth0", "203.0.113.5"), ("docker0", "172.17.0.1"), ("wlan0", "169.254.3.3"), ("tun0", "10.8.0.2")],
            "203.0.113.5",
            ["203.0.113.5", "172.17.0.1", "10.8.0.2", "169.254.3.3"],
            id="public before virtual before vpn before link-local",
        ),
        pytest.param([("eth0", "10.0.0.10"), ("eth0", "10.0.0.9")], None, ["10.0.0.9", "10.0.0.10"], id="by number"),
        pytest.param([], None, [], id="nothing"),
    ],
)
def test_order(candidates: list[tuple[str, str]], route: str | None, order: list[str]) -> None:
    assert [address.ip for address in lan.rank(candidates, route)] == order
    assert [address.ip for address in lan.rank(reversed(candidates), route)] == order


def test_interfaces_that_are_down_and_other_families_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry(ip: str, family: int = socket.AF_INET) -> SimpleNamespace:
        return SimpleNamespace(address=ip, family=family)

    entries = {
        "wlan0": [entry("fe80::1", socket.AF_INET6), entry("192.168.1.8")],
        "eth0": [entry("192.168.1.9")],
        "gone": [entry("192.168.1.7")],
    }
    states = {"wlan0": SimpleNamespace(isup=True), "eth0": SimpleNamespace(isup=False)}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: entries)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: states)
    assert lan.addresses() == [lan.Address("192.168.1.8", "wlan0", "wifi")]


def test_a_machine_without_a_network_still_has_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "net_if_addrs", dict)
    assert lan.addresses() == [lan.Address("127.0.0.1", "lo", "loopback")]


def test_offline_there_is_no_route_and_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(socket, "socket", lambda *_: _Socket(unreachable))
    assert lan.default_route() is None


def test_this_machine_has_an_address() -> None:
    assert lan.addresses()


class _Socket:
    def __init__(self, connect: object) -> None:
        self.connect = connect

    def __enter__(self) -> "_Socket":
        return self

    def __exit__(self, *_: object) -> None:
        return None

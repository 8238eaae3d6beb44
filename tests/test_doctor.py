"""`companion doctor`: each thing that keeps phones out or loses records is named, with what to do."""

from __future__ import annotations

import ast
import re
import socket
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion import __version__, cli, doctor, lan, listening, storage
from companion.doctor import Finding
from companion.storage import Health
from companion.words import LANGS, Lang, Words
from tests.running import Server, free_port
from tests.test_cli import command, companion

ROOT = Path(__file__).parents[1]
EN = Words("en")
WIFI = lan.Address("192.168.1.23", "wlan0", "wifi")
VPN = lan.Address("10.8.0.6", "tun0", "vpn")
DOCKER = lan.Address("172.17.0.1", "docker0", "virtual")
NO_ROUTER = lan.Address("169.254.9.9", "wlan0", "link_local")
LOOPBACK = lan.Address("127.0.0.1", "lo", "loopback")
DATABASE = Path("evenings") / storage.FILE_NAME


@pytest.fixture
def in_wifi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "addresses", lambda: [WIFI, LOOPBACK])


@pytest.fixture
def stranger() -> Iterator[int]:
    """The port of another program."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


# The network


def test_a_laptop_in_a_wifi_is_fine() -> None:
    (found,) = doctor.network(EN, [WIFI, LOOPBACK], 8765)
    assert found == Finding("good", "Address for phones: http://192.168.1.23:8765 (wlan0)")


@pytest.mark.parametrize("found", [[LOOPBACK], [NO_ROUTER, LOOPBACK]], ids=["nothing", "no answer from the router"])
def test_a_laptop_without_a_network_is_told_to_join_one(found: list[lan.Address]) -> None:
    (told,) = doctor.network(EN, found, 8765)
    assert told.mark == "bad" and "in no network" in told.text and "hotspot" in told.do


@pytest.mark.parametrize("found", [[DOCKER, VPN, LOOPBACK], [VPN], [DOCKER, LOOPBACK]])
def test_vpn_and_docker_alone_are_no_way_in(found: list[lan.Address]) -> None:
    (told,) = doctor.network(EN, found, 8765)
    assert told.mark == "bad" and "turn the VPN off" in told.do
    assert all((one.ip in told.text) == (one is not LOOPBACK) for one in found)


def test_a_vpn_beside_the_wifi_is_a_hint() -> None:
    best, others, vpn = doctor.network(EN, [WIFI, DOCKER, VPN, LOOPBACK], 8765)
    assert [best.mark, others.mark, vpn.mark] == ["good", "hint", "hint"]
    assert "172.17.0.1 docker0, 10.8.0.6 tun0" in others.text and "127.0.0.1" not in others.text
    assert "turn it off" in vpn.text
    assert len(doctor.network(EN, [WIFI, DOCKER, LOOPBACK], 8765)) == 2


# The port


def test_a_free_port_is_fine() -> None:
    assert doctor.listener(EN, free_port(), []).mark == "good"


def test_another_programs_port_is_named_with_the_way_out(stranger: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "running", lambda *_: None)
    told = doctor.listener(EN, stranger, [])
    assert told.mark == "bad" and f"port {stranger}" in told.text
    assert told.do.endswith(f"companion serve --port {stranger + 1}")


def test_our_own_port_is_no_fault(stranger: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def running(hosts: Sequence[str], port: int) -> str:
        asked.extend(hosts)
        return "9.9"

    monkeypatch.setattr(listening, "running", running)
    told = doctor.listener(EN, stranger, ["192.168.1.23", "127.0.0.1"])
    assert told.mark == "good" and "(9.9) already runs" in told.text
    assert told.do.endswith(f"http://127.0.0.1:{stranger}")
    assert asked == ["127.0.0.1", "192.168.1.23"]


@pytest.mark.parametrize(("port", "other"), [(80, 8765), (8765, 8766), (65535, 8765)])
def test_the_other_port_is_one_that_may_be_used(port: int, other: int) -> None:
    assert doctor.forbidden(EN, port).do.endswith(f"--port {other}")


# Records


@pytest.mark.parametrize(
    ("fault", "text", "do"),
    [
        ("readonly", "cannot be written", "who may write"),
        ("full", "is full", "room"),
        ("no_wal", "network drive", "own disk"),
        ("too_new", "newer version", "Update"),
        ("broken", "damaged", "Check the disk"),
        ("busy", "held by another program", "Close that program"),
    ],
)
def test_a_place_that_keeps_nothing_is_told_by_its_kind(fault: storage.Fault, text: str, do: str) -> None:
    told = doctor.data(EN, DATABASE, Health(fault, 10**12))
    assert told.mark == "bad" and text in told.text and do in told.do
    assert str(DATABASE) in told.text and "--data" in told.do


@pytest.mark.parametrize(("free", "mark"), [(99 * 2**20, "bad"), (100 * 2**20, "good"), (None, "good")])
def test_a_nearly_full_disk_is_told_before_it_is_full(free: int | None, mark: str) -> None:
    told = doctor.data(EN, DATABASE, Health(None, free))
    assert told.mark == mark
    assert ("99 MB left" in told.text) == (mark == "bad")


# Fonts, firewall, Python


def test_missing_fonts_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.fonts(EN).mark == "good"
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)
    told = doctor.fonts(EN)
    assert told.mark == "bad" and "pip install" in told.do


@pytest.mark.parametrize(
    ("system", "tools", "hint"),
    [
        ("Windows", [], "“Private networks”"),
        ("Darwin", [], "System Settings"),
        ("Linux", ["ufw"], "sudo ufw allow 8765/tcp"),
        ("Linux", ["firewall-cmd"], "sudo firewall-cmd --add-port=8765/tcp"),
        ("Linux", ["ufw", "firewall-cmd"], "8765/tcp / sudo firewall-cmd"),
        ("Linux", [], "TCP port 8765"),
        ("FreeBSD", [], "TCP port 8765"),
    ],
)
def test_the_firewalls_hint_is_that_of_the_system(system: str, tools: list[str], hint: str) -> None:
    told = doctor.firewall(EN, system, tools, 8765)
    assert told.mark == "hint" and hint in told.do


def test_an_old_python_is_told_in_the_users_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13, "final", 0))
    for locale, told in (("zh_CN", "现在是 3.10"), ("zh_TW", "現在是 3.10"), ("en_GB", "this is 3.10")):
        monkeypatch.setenv("LC_ALL", locale)
        result = companion("doctor")
        assert result.exit_code == 1 and told in result.output and "3.11" in result.output


def test_the_oldest_python_is_one_fact() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == f">={cli.LEAST_PYTHON[0]}.{cli.LEAST_PYTHON[1]}"
    for name in ("__init__.py", "cli.py", "cli_print.py"):
        ast.parse((ROOT / "companion" / name).read_text("utf-8"), feature_version=(3, 8))


# The command


def test_a_machine_on_which_all_is_well(tmp_path: Path, in_wifi: None) -> None:
    result = companion("doctor", "--data", str(tmp_path / "new"), "--port", str(free_port()))
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == f"✓ Version {__version__}, Python {sys.version.split()[0]}"
    assert [line[0] for line in lines] == ["✓"] * 5 + ["·", " ", "N"]
    assert lines[-1] == "Nothing is wrong."
    assert not (tmp_path / "new").exists()


def test_what_is_wrong_is_counted_and_ends_with_1(
    tmp_path: Path, stranger: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "addresses", lambda: [LOOPBACK])
    monkeypatch.setattr(listening, "_PATIENCE", 0.05)
    result = companion("doctor", "--data", str(tmp_path), "--port", str(stranger))
    assert result.exit_code == 1
    assert len([line for line in result.output.splitlines() if line.startswith("! ")]) == 2
    assert result.output.splitlines()[-1] == "2 things have to be dealt with: see the lines marked “!”."


@pytest.mark.parametrize("lang", LANGS)
def test_every_line_is_in_one_language(
    lang: Lang, tmp_path: Path, stranger: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "addresses", lambda: [VPN, LOOPBACK])
    monkeypatch.setattr(listening, "_PATIENCE", 0.05)
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)
    output = companion("doctor", "--data", str(tmp_path), "--port", str(stranger), lang=lang).output
    assert output.count("!") >= 3
    assert bool(re.search(r"[\u4e00-\u9fff]", output)) == (lang != "en")


def test_a_console_without_the_signs_gets_plain_ones(tmp_path: Path) -> None:
    result = command("doctor", "--lang", "zh-Hans", "--data", str(tmp_path), PYTHONIOENCODING="gbk")
    lines = result.stdout.decode("gbk").splitlines()
    assert lines[0].startswith("+ 版本") and {line[0] for line in lines[:-1]} <= set("+-! ")


def test_with_a_server_running_nothing_is_wrong(tmp_path: Path, in_wifi: None) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        result = companion("doctor", "--data", str(tmp_path), "--port", str(server.port))
    finally:
        server.stop()
    assert result.exit_code == 0, result.output
    assert f"({__version__}) already runs on port {server.port}" in result.output

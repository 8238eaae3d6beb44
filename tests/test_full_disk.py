"""The real server on a disk that is full, and where it may not write."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.storage import FILE_NAME
from tests.disks import fill, make_room, small_disk
from tests.phones import NAMES, Phone, begun
from tests.running import PATIENCE, Server, command, free_port
from tests.test_killed import check

FULL = "电脑的磁盘满了"
CANNOT_START = {
    "full": {"zh-Hans": "磁盘满了", "zh-Hant": "磁碟滿了", "en": "is full"},
    "readonly": {"zh-Hans": "不能写入", "zh-Hant": "不能寫入", "en": "cannot be written to"},
}


def record(phone: Phone, line: str) -> int:
    """Record once. What was kept counts as sent; what was not is sent again under the same key the next time."""
    status, _, _ = phone.ask("POST", "/record", {"input": line, "key": len(phone.sent), "again": 1, "back": "seat"})
    if status == 303:
        phone.sent.append(line)
    return status


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def told(data: Path, language: str, before: Callable[[], None] | None = None) -> str:
    """What `companion serve` says that cannot start with this folder."""
    serve = [command(), "serve", "--no-browser", "--data", str(data), "--port", str(free_port()), "--lang", language]
    ended = subprocess.run(serve, capture_output=True, timeout=PATIENCE, preexec_fn=before)
    assert ended.returncode == 1 and not ended.stdout
    return ended.stderr.decode()


def test_a_full_disk_is_told_to_all_and_they_go_on_once_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "data") as disk:
        server = Server(disk)
        try:
            server.start()
            phones = begun(server)
            fill(disk)
            statuses = [record(phone, f"turn {seat}") for _ in range(20) for seat, phone in enumerate(phones, 1)]
            assert set(statuses) <= {303, 507} and statuses[-1] == 507
            assert all(FULL in phone.ask("GET", "/seat")[2] for phone in phones)
            make_room(disk)
            wait_until(lambda: not any(FULL in phone.ask("GET", "/seat")[2] for phone in phones))
            assert [record(phone, "turn 1") for phone in phones] == [303] * len(NAMES)
        finally:
            server.kill()
        assert "Traceback" not in server.said()
        check(disk / FILE_NAME, phones)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    with small_disk(tmp_path / "data") as disk:
        fill(disk)
        for language, words in CANNOT_START["full"].items():
            assert words in told(disk, language)
        make_room(disk)
        server = Server(disk)
        server.start()
        server.stop()


def obey_file_modes() -> None:
    """In a child that is going to be another program: no file mode is passed over, though it is root's."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


@pytest.mark.skipif(sys.platform != "linux", reason="how root is made to obey file modes is Linux's own")
def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o555)
    try:
        for language, words in CANNOT_START["readonly"].items():
            said = told(data, language, obey_file_modes)
            assert words in said and str(data) in said
        assert list(data.iterdir()) == []
    finally:
        data.chmod(0o755)

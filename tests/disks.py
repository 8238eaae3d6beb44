"""A disk so small that it fills up: a file system of its own in memory. Only root can have one, and not everywhere."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FILLER = "filler"


@contextmanager
def small_disk(folder: Path, megabytes: int = 2) -> Iterator[Path]:
    """An empty disk of this size at `folder`. Skips the test where there can be none."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no small disk can be mounted here (as root on Linux one can)")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> None:
    """Leave no byte free."""
    with (disk / FILLER).open("ab", buffering=0) as file:
        for size in (1 << 16, 1 << 9, 1):
            try:
                while True:
                    file.write(os.urandom(size))
            except OSError:
                continue


def make_room(disk: Path) -> None:
    """Free what `fill` took."""
    (disk / FILLER).unlink()

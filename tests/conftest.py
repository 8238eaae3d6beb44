"""What all tests share: how many examples Hypothesis tries, and golden files that are compared or written anew."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# A shell lets what it starts in the background ignore Ctrl+C, and so would every server that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("here", max_examples=50, deadline=None)
settings.register_profile("ci", parent=settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

Golden = Callable[[Path, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write the golden files anew instead of comparing them")


def pytest_xdist_auto_num_workers() -> int:
    """One more than the machine has processors: tests in a browser wait more than they compute."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with a file, byte for byte; with `--rewrite` it is written there."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--rewrite"):
            path.write_text(text, "utf-8", newline="\n")
        assert path.exists(), f"{path.name} is not there yet: pytest --rewrite writes it"
        assert text == path.read_text("utf-8"), f"{path.name} reads otherwise; if that is right: pytest --rewrite"

    return compare

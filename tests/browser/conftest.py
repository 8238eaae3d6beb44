"""A real browser and the real default server. A missing browser skips, and says why; with `CI=true` it fails."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.people import People
from tests.running import Server

BROWSERS = ("chromium-headless-shell", "chromium")
SWITCHES = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def found_browser() -> str:
    """The system's browser; skips the test without one, and fails it in CI."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    return missing(" or ".join(BROWSERS))


def missing(browser: str) -> NoReturn:
    """Skips the test that needs the browser, and fails it in CI."""
    said = f"no browser on PATH: install {browser}"
    if os.environ.get("CI") == "true":
        pytest.fail(said)
    pytest.skip(said)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = playwright.chromium.launch(executable_path=found_browser(), args=list(SWITCHES))
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for tests that leave it running."""
    started = Server(tmp_path_factory.mktemp("data"))
    started.start()
    yield started
    started.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that the test may kill."""
    started = Server(tmp_path)
    started.start()
    yield started
    started.stop()


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[People]:
    """Those who come to one evening, each with a browser of their own. None of them may meet trouble."""
    come = People(browser, server.url)
    yield come
    troubles = come.leave()
    assert not troubles

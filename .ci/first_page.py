"""Starts the companion as a person would and reads its first page in each language: `first_page.py COMMAND…`.

The command has to print the address that it serves, as `companion serve` does. Its data go to a folder that is removed.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from urllib.error import URLError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

ADDRESS = re.compile(r"http://[\w.]+:(\d+)")
PATIENCE = 180  # seconds for the whole command, installation included
LANGUAGES = ("zh-Hans", "zh-Hant", "en")


@contextmanager
def started(command: list[str]) -> Iterator[IO[str]]:
    """The output of a running command, which is interrupted at the end together with what it started."""
    with tempfile.TemporaryDirectory() as data:
        process = subprocess.Popen(
            command,
            env={**os.environ, "XDG_DATA_HOME": data, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
        signal.alarm(PATIENCE)
        try:
            assert process.stdout is not None
            yield process.stdout
        finally:
            signal.alarm(0)
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=20)


def address(output: IO[str]) -> str:
    """The address on this machine at the port that the command says it serves."""
    said = []
    for line in output:
        said.append(line)
        if found := ADDRESS.search(line):
            return f"http://127.0.0.1:{found[1]}/"
    raise SystemExit("ended without saying an address:\n" + "".join(said))


def page(url: str, language: str) -> str:
    """The page at `url`, once the server answers there."""
    for _ in range(100):
        try:
            with urlopen(Request(url, headers={"Accept-Language": language}), timeout=10) as answer:
                return str(answer.read().decode())
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.05)
    raise SystemExit(f"{url} refuses connections")


def main() -> None:
    begun = time.perf_counter()
    with started(sys.argv[1:]) as output:
        home = address(output)
        pages = {language: page(home, language) for language in LANGUAGES}
        print(
            f"first page {time.perf_counter() - begun:.2f} s after the command, in {len(set(pages.values()))} languages"
        )
        for language, text in pages.items():
            if not re.search(f'<html[^>]* lang="{language}"', text):
                raise SystemExit(f"the page for {language} is in another language")
        for link in re.findall(r'(?:src|href)="([^"]+\.(?:js|css)[^"]*)"', pages["en"]):
            with urlopen(urljoin(home, link), timeout=10) as answer:
                print(f"{link}: {len(answer.read())} bytes")


if __name__ == "__main__":
    main()

"""What was found, beside what is wanted."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

import psutil

MB = 1024 * 1024


@dataclass(frozen=True)
class Figure:
    """One line of the table; less is better."""

    what: str
    found: float
    target: float
    unit: str

    def __str__(self) -> str:
        verdict = "ok" if self.found <= self.target else "MISSED"
        return f"{self.what:<62} {self.found:>8.4g} {'<= ' + format(self.target, 'g'):>8} {self.unit:<8} {verdict}"


def memory(process: int) -> float:
    """The server's share of the machine's memory in MB: PSS where the system tells it, else RSS."""
    told = psutil.Process(process).memory_full_info()
    return float(getattr(told, "pss", told.rss)) / MB


def report(measured: Iterable[Figure]) -> NoReturn:
    """Print each figure as it is found; the exit status says whether all are within their targets."""
    has_missed = False
    for figure in measured:
        print(figure, flush=True)
        has_missed |= figure.found > figure.target
    sys.exit(has_missed)

"""What was found, beside what is wanted."""

from __future__ import annotations

from dataclasses import dataclass

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

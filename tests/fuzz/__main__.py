"""Goes on trying, guided by coverage: `python -m tests.fuzz records|forms [options of libFuzzer]`, until Ctrl+C.

For instance `-max_total_time=600`. Needs atheris, which is no dependency of the tests.
"""

from __future__ import annotations

import sys
from importlib import import_module

TARGETS = ("records", "forms")
MISSING = """atheris is not installed. It is for CPython on Linux, and on macOS with LLVM's clang:

    python -m pip install atheris

(with the tests' own Python, in an environment where `pip install -e '.[test]'` was run)."""


def main() -> None:
    if sys.argv[1:2] not in [[target] for target in TARGETS]:
        sys.exit(__doc__)
    try:
        atheris = import_module("atheris")
    except ImportError:
        sys.exit(MISSING)
    with atheris.instrument_imports(include=["companion"]):
        fuzz = import_module(f"tests.fuzz.test_{sys.argv[1]}").fuzz
    atheris.Setup([sys.argv[0], *sys.argv[2:]], fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

"""Compares an installed companion with the source tree that it was built from: `installed.py SOURCE_TREE`.

Run it with the environment's own interpreter and `-I`, so that nothing is imported from the source tree.
"""

import importlib
import sys
from pathlib import Path


def folder_of(package: str) -> Path:
    """Where an installed package lies; refuses one that lies outside of the running environment."""
    origin = importlib.import_module(package).__file__
    assert origin is not None
    folder = Path(origin).parent
    if not folder.is_relative_to(sys.prefix):
        raise SystemExit(f"{package} comes from {folder}, not from the environment {sys.prefix}")
    return folder


def lacking(source: Path, installed: Path) -> list[str]:
    """The source files that are not installed, or installed with other content."""
    return [
        str(path)
        for path in sorted(source.rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and not _same(path, installed / path.relative_to(source))
    ]


def _same(path: Path, twin: Path) -> bool:
    return twin.is_file() and twin.read_bytes() == path.read_bytes()


def main() -> None:
    tree = Path(sys.argv[1])
    companion, printables = folder_of("companion"), folder_of("printables")
    twins = {"companion": companion, "printables": printables, "templates": companion / "_templates"}
    lost = [file for name, installed in twins.items() for file in lacking(tree / name, installed)]
    if lost:
        raise SystemExit("not installed, or not as in the source tree:\n" + "\n".join(lost))
    print("installed as in the source tree")


if __name__ == "__main__":
    main()

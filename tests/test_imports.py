"""Imports run one way, and the rules know nothing of files, clocks, chance or the web.

Read with `ast`, so that a late import inside a function counts as well.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CORE = {
    "companion.dealing",
    "companion.lan",
    "companion.listening",
    "companion.live",
    "companion.modes",
    "companion.names",
    "companion.paths",
    "companion.prints",
    "companion.rules",
    "companion.storage",
    "companion.tables",
    "companion.wordings",
    "companion.words",
    "printables",
}
# What each part may import of the project. A new part of the package has to take its place here.
MAY_IMPORT: dict[str, set[str]] = {
    "companion.rules": set(),
    "companion.lan": set(),
    "companion.listening": set(),
    "companion.names": set(),
    "companion.paths": set(),
    "companion.modes": {"companion.rules"},
    "companion.live": {"companion.rules", "companion.modes"},
    "companion.storage": {"companion.rules", "companion.modes", "companion.paths"},
    "companion.dealing": {"companion.rules", "companion.modes"},
    "companion.tables": {
        "companion.dealing",
        "companion.rules",
        "companion.modes",
        "companion.names",
        "companion.storage",
        "companion.live",
    },
    "companion.wordings": {"companion.rules"},
    "companion.words": {"companion.rules", "companion.modes", "companion.paths", "companion.wordings"},
    "companion.report": {"companion.rules", "companion.modes", "companion.words"},
    "companion.prints": {"companion.rules", "companion.modes", "printables"},
    "companion.doctor": {
        "companion.lan",
        "companion.listening",
        "companion.storage",
        "companion.words",
        "printables",
    },
    "companion.web": CORE,
    "companion.cli": CORE | {"companion.cli_print", "companion.doctor", "companion.report", "companion.web"},
    "companion.cli_print": CORE | {"companion.doctor"},
    "printables": {"companion.modes"},
}

PURE = {
    "__future__",
    "abc",
    "bisect",
    "collections",
    "collections.abc",
    "contextlib",
    "copy",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "heapq",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "string",
    "textwrap",
    "types",
    "typing",
    "unicodedata",
}

# Where the outside world may be met at all: top-level names of other packages, and who may import them.
ONLY_IN: dict[str, set[str]] = {
    "flask": {"companion.web"},
    "flask_babel": {"companion.web"},
    "flask_htmx": {"companion.web"},
    "werkzeug": {"companion.web"},
    "jinja2": {"companion.web"},
    "waitress": {"companion.web", "companion.cli"},
    "click": {"companion.cli", "companion.cli_print"},
    "platformdirs": {"companion.cli", "companion.paths", "companion.storage"},
    "sqlite3": {"companion.storage"},
    "psutil": {"companion.lan"},
    "qrcode": {"printables"},
    "PIL": {"printables"},
    "reportlab": {"printables"},
    "pylopdf_fonts_zh_cn": {"printables"},
}


def modules() -> list[tuple[str, Path]]:
    """Every module of the source tree by its dotted name."""
    found = []
    for package in ("companion", "printables"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


PARTS = {".".join(name.split(".")[:2]) for name, _ in modules() if name.startswith("companion.")} | {"printables"}


def imports(name: str, path: Path) -> Iterator[str]:
    """The dotted names that a module imports; a relative import is resolved, `from a import b` gives `a.b`."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def part_of(name: str) -> str | None:
    """The row of MAY_IMPORT that a dotted name belongs to; None for `companion` itself, its names, and strangers."""
    own = name.split(".")
    part = ".".join(own[: 2 if own[0] == "companion" else 1])
    return part if part in PARTS else None


def test_every_part_has_its_place() -> None:
    assert MAY_IMPORT.keys() >= PARTS


@pytest.mark.parametrize(("name", "path"), modules(), ids=[name for name, _ in modules()])
def test_imports_run_one_way(name: str, path: Path) -> None:
    part = part_of(name)
    for imported in imports(name, path):
        target = part_of(imported)
        if part is None:
            assert target is None, f"{name} imports {imported}: the package itself imports nothing"
        elif target is not None:
            assert target in MAY_IMPORT[part] | {part}, f"{name} may not import {imported}"


@pytest.mark.parametrize(("name", "path"), modules(), ids=[name for name, _ in modules()])
def test_the_outside_world_is_met_at_the_rim(name: str, path: Path) -> None:
    for imported in imports(name, path):
        keepers = ONLY_IN.get(imported.split(".")[0])
        assert keepers is None or part_of(name) in keepers, f"{name} may not import {imported}"


@pytest.mark.parametrize(
    ("name", "path"), [(name, path) for name, path in modules() if part_of(name) == "companion.rules"]
)
def test_the_rules_are_pure(name: str, path: Path) -> None:
    for imported in imports(name, path):
        known = imported in PURE or imported.rpartition(".")[0] in PURE or part_of(imported) == "companion.rules"
        assert known, f"{name} imports {imported}: the rules know no files, clocks, chance or web"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input", "eval", "exec", "__import__"}, f"{name}:{node.lineno}"


def test_chance_stays_outside_of_modes() -> None:
    banned = {"random", "secrets", "time", "datetime", "os", "socket"}
    for name, path in modules():
        if part_of(name) == "companion.modes":
            assert not {imported.split(".")[0] for imported in imports(name, path)} & banned, name


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os.path", ["os.path"]),
        ("from companion.web import app", ["companion.web.app"]),
        ("from . import state", ["companion.rules.state"]),
        ("from .state import Seat", ["companion.rules.state.Seat"]),
        ("from ..modes import court", ["companion.modes.court"]),
        ("def late():\n    import random", ["random"]),
    ],
)
def test_the_reader_of_imports_sees_each_form(tmp_path: Path, source: str, expected: list[str]) -> None:
    path = tmp_path / "table.py"
    path.write_text(source, encoding="utf-8")
    assert list(imports("companion.rules.table", path)) == expected

"""What a stranger downloads: complete, of known origin, and set up by the lines that the README gives."""

import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from companion import paths

ROOT = Path(__file__).parents[1]
VENDOR = ROOT / "companion" / "static" / "vendor"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_vendored_files_are_what_they_say() -> None:
    listed = re.findall(r"^(\S+\.\w+) .* ([0-9a-f]{64})$", (VENDOR / "README.txt").read_text(encoding="utf-8"), re.M)
    assert dict(listed) == {
        path.name: sha256(path.read_bytes()).hexdigest() for path in VENDOR.iterdir() if path.suffix != ".txt"
    }
    assert (VENDOR / "htmx-LICENSE.txt").read_text(encoding="utf-8").startswith("Zero-Clause BSD")


def test_templates_are_found_in_the_source_tree_and_in_an_installed_package(tmp_path: Path) -> None:
    assert paths.templates_folder() == ROOT / "templates"
    assert paths.templates_folder(tmp_path) == tmp_path.parent / "templates"
    (tmp_path / "_templates").mkdir()
    assert paths.templates_folder(tmp_path) == tmp_path / "_templates"


def test_the_wheel_takes_code_and_templates_along() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel == {"packages": ["companion", "printables"], "force-include": {"templates": "companion/_templates"}}
    assert (ROOT / "companion" / "py.typed").is_file()


def test_the_source_archive_takes_everything_along_that_the_readme_speaks_of() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    linked = set(re.findall(r"\]\((\w[\w./]*)\)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert linked >= {"LICENSE", "SECURITY.md"}
    assert {f"/{name.partition('/')[0]}" for name in linked} <= set(included)
    assert all((ROOT / name[1:]).exists() for name in included)


def test_the_command_is_there() -> None:
    module, _, function = PROJECT["project"]["scripts"]["companion"].partition(":")
    assert callable(getattr(import_module(module), function))


def test_help_needs_no_web_server() -> None:
    """`companion replay` of a thousand games should not wait for Flask."""
    late = "import sys, companion.cli; print(*{'flask', 'waitress', 'psutil', 'qrcode', 'PIL'} & sys.modules.keys())"
    loaded = subprocess.run([sys.executable, "-c", late], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []


def test_the_readme_gives_one_line_to_start_and_one_line_to_test() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    for end in ("companion serve", "pytest -n logical"):
        assert len([line for line in lines if line.startswith("python3 -m venv ") and line.endswith(end)]) == 1
        assert f'readme_command "{end}"' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")

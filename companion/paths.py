"""Where the companion's own files lie: beside the package in the source tree, inside it once installed."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def templates_folder(package: Path = PACKAGE) -> Path:
    """The folder of page templates: `_templates` in the installed package, else `templates` beside the package."""
    installed = package / "_templates"
    return installed if installed.is_dir() else package.parent / "templates"

"""The key of this computer's printed cards: one file beside the database, made once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import mkstemp

from companion.storage.database import in_our_words

KEY_FILE = "deck.key"


def deck_key(folder: Path, new: Callable[[], str]) -> str:
    """The key in this folder; where there is none yet, `new` makes it and it is kept. Raises StoreUnavailable."""
    path = folder / KEY_FILE
    with in_our_words(path):
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _keep(path, new() + "\n")
        return path.read_text("ascii").strip()


def _keep(path: Path, text: str) -> None:
    """The whole text or no file: half a key would make other codes. Whoever is first wins. For its owner alone."""
    handle, name = mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(name, path)
        except FileExistsError:
            pass
        except OSError:  # a disk that knows no links, such as a memory stick
            Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)

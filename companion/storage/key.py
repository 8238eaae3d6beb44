"""The key of this computer's printed cards: one file beside the database, made once."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

KEY_FILE = "deck.key"


def deck_key(folder: Path, new: Callable[[], str]) -> str:
    """The key in this folder; where there is none yet, `new` makes it and it is kept. Raises OSError."""
    path = folder / KEY_FILE
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(new() + "\n")
    return path.read_text("ascii").strip()

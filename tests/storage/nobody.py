"""Opens a store as a user whom file modes stop, and prints why it could not.

python -m tests.storage.nobody DATABASE
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from companion.storage import SqliteStore, StoreUnavailable, database


def become_nobody() -> None:
    """File modes do not stop root. What the program is read from may be root's alone, so that is read first."""
    with tempfile.TemporaryDirectory() as folder:
        SqliteStore(Path(folder) / "first.sqlite3").close()
    steps = database.migrations()
    database.migrations = lambda: steps
    if os.geteuid() == 0:
        os.setuid(65534)


if __name__ == "__main__":
    become_nobody()
    try:
        SqliteStore(sys.argv[1])
    except StoreUnavailable as error:
        print(error.reason)

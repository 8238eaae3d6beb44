"""A server that is going to be killed: appends to the first game and prints what was acknowledged.

python -m tests.storage.writer DATABASE NAME
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from companion.storage import Line, SeqTaken, SqliteStore


def main(path: Path, name: str) -> None:
    store = SqliteStore(path)
    game = store.games(1)[0].id
    for number in count():
        key = f"{name}{number}"
        while True:
            seq = len(store.read(game)) + 1
            try:
                store.append(game, seq, Line("input", f"turn {number}", key, None, "", number))
            except SeqTaken:
                continue
            break
        print(key, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

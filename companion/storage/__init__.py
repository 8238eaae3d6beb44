"""What an evening leaves on disk: tables, people, games, their logs and held drafts.

``contract`` is the promise (rows, errors, the ``Store`` protocol), ``sqlite`` keeps it in one file. Storage
deals in text and numbers: it knows no rules, no modes and no HTTP, and never reads the texts it is given.
"""

from companion.storage.contract import (
    CardTaken,
    Claim,
    CodeTaken,
    DatabaseTooNew,
    Draft,
    DraftDropped,
    DraftHeld,
    DraftState,
    Entry,
    Event,
    Game,
    Line,
    NotFound,
    Person,
    Reason,
    SeqTaken,
    Store,
    StoreError,
    StoreUnavailable,
    Table,
    TokenTaken,
)
from companion.storage.database import FILE_NAME, default_path
from companion.storage.health import Fault, Health, examine
from companion.storage.sqlite import SqliteStore

__all__ = [
    "FILE_NAME",
    "CardTaken",
    "Claim",
    "CodeTaken",
    "DatabaseTooNew",
    "Draft",
    "DraftDropped",
    "DraftHeld",
    "DraftState",
    "Entry",
    "Event",
    "Fault",
    "Game",
    "Health",
    "Line",
    "NotFound",
    "Person",
    "Reason",
    "SeqTaken",
    "SqliteStore",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "Table",
    "TokenTaken",
    "default_path",
    "examine",
]

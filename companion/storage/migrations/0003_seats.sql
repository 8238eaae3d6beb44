-- Seats lost and found: which phones ask for whose seat, which phones had a seat before, and what became of seats, for
-- everybody to read. Texts are the application's.

-- One claim a phone. Numbers are never used again: an approval of an old one approves nothing.
CREATE TABLE claims (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    person     INTEGER NOT NULL REFERENCES people (id),
    token_hash TEXT    NOT NULL UNIQUE,
    symbol     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    at         INTEGER NOT NULL
);

CREATE TABLE signed_out (
    token_hash TEXT    PRIMARY KEY,
    person     INTEGER NOT NULL REFERENCES people (id)
);

CREATE TABLE events (
    id       INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    text     TEXT    NOT NULL,
    at       INTEGER NOT NULL
);

CREATE INDEX events_by_table ON events (table_id);

-- An evening: the table, its people in the ring, its games, and each game's log of inputs.
-- Times are milliseconds since 1970 (UTC). Texts are the application's; nothing here reads them.

CREATE TABLE tables (
    id        INTEGER PRIMARY KEY,
    code      TEXT    NOT NULL UNIQUE,
    host_hash TEXT    NOT NULL,
    mode      TEXT    NOT NULL,
    options   TEXT    NOT NULL,
    settings  TEXT    NOT NULL,
    created   INTEGER NOT NULL,
    version   INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE people (
    id         INTEGER PRIMARY KEY,
    table_id   INTEGER NOT NULL REFERENCES tables (id),
    key        TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    token_hash TEXT    NOT NULL,
    place      INTEGER NOT NULL,
    removed    INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    joined     INTEGER NOT NULL,
    UNIQUE (table_id, key)
);

CREATE UNIQUE INDEX people_by_token ON people (token_hash) WHERE token_hash <> '';

CREATE TABLE games (
    id            INTEGER PRIMARY KEY,
    table_id      INTEGER NOT NULL REFERENCES tables (id),
    number        INTEGER NOT NULL CHECK (number >= 1),
    key           TEXT    NOT NULL,
    mode          TEXT    NOT NULL,
    options       TEXT    NOT NULL,
    rules_version TEXT    NOT NULL,
    pointer       INTEGER NOT NULL DEFAULT 0 CHECK (pointer >= 0),
    notes         TEXT    NOT NULL DEFAULT '',
    started       INTEGER NOT NULL,
    UNIQUE (table_id, number),
    UNIQUE (table_id, key)
);

CREATE TABLE seats (
    game   INTEGER NOT NULL REFERENCES games (id),
    seat   INTEGER NOT NULL CHECK (seat >= 1),
    person INTEGER NOT NULL REFERENCES people (id),
    PRIMARY KEY (game, seat),
    UNIQUE (game, person)
) WITHOUT ROWID;

CREATE TABLE log (
    game      INTEGER NOT NULL REFERENCES games (id),
    seq       INTEGER NOT NULL CHECK (seq >= 1),
    kind      TEXT    NOT NULL,
    text      TEXT    NOT NULL,
    key       TEXT    NOT NULL,
    by_person INTEGER REFERENCES people (id),
    digest    TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (game, seq),
    UNIQUE (game, key)
) WITHOUT ROWID;

-- INSERT OR REPLACE deletes without a delete trigger, so an insert may only take the next number and a new key.
CREATE TRIGGER log_grows_at_its_end BEFORE INSERT ON log
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM log WHERE game = NEW.game)
    OR EXISTS (SELECT 1 FROM log WHERE game = NEW.game AND key = NEW.key)
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_is_not_deleted BEFORE DELETE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

-- Dropped and committed drafts stay, so that a request that is sent again finds what became of it.
CREATE TABLE drafts (
    game      INTEGER NOT NULL REFERENCES games (id),
    key       TEXT    NOT NULL,
    text      TEXT    NOT NULL,
    by_person INTEGER REFERENCES people (id),
    at        INTEGER NOT NULL,
    due       INTEGER NOT NULL,
    state     TEXT    NOT NULL CHECK (state IN ('held', 'dropped', 'committed')),
    PRIMARY KEY (game, key)
) WITHOUT ROWID;

CREATE UNIQUE INDEX one_draft_held ON drafts (game) WHERE state = 'held';

-- The codes of printed cards that people have entered for their table's next game: as secret as a deal. When, and in
-- which order, is not kept.

CREATE TABLE cards (
    person INTEGER PRIMARY KEY REFERENCES people (id),
    code   TEXT    NOT NULL
);

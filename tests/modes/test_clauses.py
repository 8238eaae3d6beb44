"""Every clause that the app carries out: it is code or has its stated place, it fires, and it does not fire nearby.

The cases are data in `tests/clauses`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.modes import MODES, Mode, find_mode
from companion.modes.loader import Clause
from companion.rules.inputs import IllegalInput
from companion.rules.record import derived_text
from companion.rules.table import Table
from companion.rules.views import view_of
from tests.rules.games import caused, lines, played

TESTS = Path(__file__).parents[1]
TABLES = TESTS / "clauses"
KINDS = ("fires", "near_miss")
KEYS = {"why", "mode", "options", "play"}
EXPECTED = {"gives", "whole", "refused", "grades", "sees", "hit_points", "extra_turns", "alive"}

Case = dict[str, Any]


def cases_of(table: str) -> dict[str, dict[str, list[Case]]]:
    return tomllib.loads((TABLES / f"{table}.toml").read_text("utf-8"))


def is_ruling(clause: str) -> bool:
    """Whether it is one of the rulings X1 to X18, which hold in every mode."""
    return clause[0] == "X" and clause[1:].isdigit()


def acts(clause: Clause) -> bool:
    return bool({"engine", "table"} & set(clause.kinds))


def all_cases() -> Iterator[Any]:
    for table in (*MODES, "rulings"):
        for clause, kinds in cases_of(table).items():
            if clause == "elsewhere":
                continue
            for kind, cases in kinds.items():
                for number, case in enumerate(cases, 1):
                    yield pytest.param(clause, kind, {"mode": table, **case}, id=f"{table} {clause} {kind} {number}")


@pytest.mark.parametrize(("clause", "kind", "case"), list(all_cases()))
def test_case(clause: str, kind: str, case: Case) -> None:
    assert kind in KINDS
    assert not case.keys() - KEYS - EXPECTED
    assert kind == "near_miss" or case.keys() & EXPECTED, "a case that expects nothing"
    *before, last = lines(case["play"])
    mode, options = case["mode"], case.get("options", "")
    if "refused" in case:
        if before:
            played(mode, "\n".join(before), options)
        with pytest.raises(IllegalInput) as refusal:
            played(mode, case["play"], options)
        assert (refusal.value.reason, refusal.value.clause) == (case["refused"], clause)
        assert refusal.value.step in (0, len(before) + 1)
        return
    check(clause, kind, case, played(mode, "\n".join([*before, last]), options))


def check(clause: str, kind: str, case: Case, table: Table) -> None:
    """That the last input led to what the case says."""
    step, state = len(table.inputs), table.state
    if "alive" in case:
        seats = tuple(seat._replace(alive=seat.number in case["alive"]) for seat in state.seats)
        first = next((e.clause for e in table.ruleset.endings if e.when(state._replace(seats=seats))), None)
        assert (first == clause) == (kind == "fires")
        return
    if "gives" in case or (kind == "near_miss" and not case.keys() & EXPECTED):
        assert caused(table, clause, step) == case.get("gives", [])
    if "whole" in case:
        assert derived_text(table.facts, step) == " ".join(case["whole"].split())
    if "grades" in case:
        assert " ".join(str(seat.grade) for seat in state.seats) == case["grades"]
    for viewer, known in case.get("sees", {}).items():
        assert " ".join(str(s.identity or "?") for s in view_of(table, int(viewer)).seats) == known, viewer
    for number, counted in case.get("hit_points", {}).items():
        assert f"{state.seat(int(number)).hp}/{state.seat(int(number)).max_hp}" == counted
    if "extra_turns" in case:
        assert list(state.extra_turns) == case["extra_turns"]


@pytest.mark.parametrize("mode", MODES)
def test_every_clause_of_a_mode_has_cases_and_every_case_a_clause(mode: str) -> None:
    table, clauses = cases_of(mode), find_mode(mode).clauses
    assert not table.keys() - clauses.keys(), "cases of clauses that do not exist"
    needed = {clause.id for clause in clauses.values() if acts(clause) and not is_ruling(clause.id)}
    assert table.keys() >= needed, f"without cases: {sorted(needed - table.keys())}"
    assert all(kinds.keys() == set(KINDS) and all(kinds.values()) for kinds in table.values())


def test_every_ruling_has_cases_or_a_place_where_it_is_tested() -> None:
    table = cases_of("rulings")
    elsewhere: dict[str, Any] = table.pop("elsewhere")
    rulings = {clause for clause in find_mode(MODES[0]).clauses if is_ruling(clause)}
    assert table.keys() | elsewhere.keys() == rulings
    assert not table.keys() & elsewhere.keys()
    assert all(kinds.keys() == set(KINDS) for kinds in table.values())
    for clause, place in elsewhere.items():
        assert clause in (TESTS.parent / place).read_text("utf-8"), f"{place} does not speak of {clause}"


@pytest.mark.parametrize("mode", MODES)
def test_every_clause_is_code_or_has_its_stated_place(mode: str) -> None:
    found = find_mode(mode)
    code = {"rule": found.ruleset.rules.keys(), "ending": {ending.clause for ending in found.ruleset.endings}}
    for clause in found.clauses.values():
        if is_ruling(clause.id):
            continue
        assert clause.where, f"{clause.id} is nowhere"
        assert clause.where not in code or clause.id in code[clause.where], clause.id
        assert acts(clause) or clause.where == "print", f"{clause.id} is printed only, yet carried out"


@pytest.mark.parametrize("mode", MODES)
def test_no_fact_carries_a_clause_of_nowhere(mode: str) -> None:
    found = find_mode(mode)
    assert {rule.clause for rule in found.ruleset.rules.values()} <= found.clauses.keys()
    assert all(name == rule.clause for name, rule in found.ruleset.rules.items())


def test_the_direction_of_play_is_the_modes() -> None:
    """X1: clockwise in Ambition, counter-clockwise in all others."""
    assert {mode for mode in MODES if find_mode(mode).clockwise} == {"ambition"} & set(MODES)


@pytest.mark.parametrize("mode", MODES)
def test_a_ruling_is_called_one_in_every_language(mode: str) -> None:
    for clause in find_mode(mode).clauses.values():
        said = [word in clause.text[lang] for lang, word in (("zh_hans", "裁定"), ("zh_hant", "裁定"), ("en", "uling"))]
        assert len(set(said)) == 1, f"{clause.id} is a ruling in some languages only"


def order_text(mode: Mode) -> str:
    """The order of a mode, as one reads it aloud."""
    said = [f"{mode.name['zh_hans']} {mode.id}", ""]
    for moment, tiers in mode.ruleset.order.items():
        said.append(f"{moment.__name__}:")
        said += [
            f"  {place}. {' = '.join(_named(mode, clause) for clause in tier)}" for place, tier in enumerate(tiers, 1)
        ]
        said.append("")
    said.append("verdict, the first that holds:")
    said += [f"  {_named(mode, ending.clause)}" for ending in mode.ruleset.endings]
    return "\n".join(said) + "\n"


def _named(mode: Mode, clause: str) -> str:
    return f"{clause} {mode.clauses[clause].title['zh_hans']}" if clause in mode.clauses else clause


@pytest.mark.parametrize("mode", MODES)
def test_the_order_reads_as_it_did(mode: str, golden: Callable[[Path, str], None]) -> None:
    golden(Path(__file__).parent / "orders" / f"{mode}.txt", order_text(find_mode(mode)))

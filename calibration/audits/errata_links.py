"""Errata at the place of a contradiction: what was found is looked up, nothing is found here."""

from collections.abc import Sequence
from dataclasses import replace

from calibration.audits.contradiction import Contradiction, Place
from calibration.printed_tables.errata import Correction, Erratum, Mark


def link(found: Contradiction, errata: Sequence[Erratum]) -> Contradiction:
    """A contradiction with the errata that stand closest to its places.

    A mark of the very cell is closer than one of its row or column, and that than one of the
    whole table; of errata at several distances only the closest are named.
    """
    closeness = {erratum.id: _closeness(erratum, found.places) for erratum in errata}
    most = max(closeness.values(), default=0)
    named = tuple(name for name, each in closeness.items() if each == most > 0)
    return replace(found, errata=named)


def _closeness(erratum: Erratum, places: Sequence[Place]) -> int:
    """3 for a cell or condition, 2 for a row or column, 1 for a table, 0 for nothing."""
    every = [_of_mark(mark, place) for mark in erratum.marks for place in places]
    every += [_of_correction(fix, place) for fix in erratum.corrections for place in places]
    return max(every, default=0)


def _of_mark(mark: Mark, place: Place) -> int:
    if mark.table != _short(place) or place.condition is not None:
        # A mark of a whole table stands for its conditions as well.
        whole = mark.table == _short(place) and not mark.rows and not mark.columns
        return 1 if whole else 0
    if not mark.rows and not mark.columns:
        return 3 if place.row is None and place.column is None else 0
    if mark.rows and place.row is not None and place.row not in mark.rows:
        return 0
    if mark.columns and place.column is not None and place.column not in mark.columns:
        return 0
    exact_row = place.row is not None and place.row in mark.rows
    exact_column = place.column is not None and place.column in mark.columns
    if place.row is not None and place.column is not None:
        return 1 + exact_row + exact_column
    if place.row is None and place.column is None:
        return 1
    return 3 if exact_row or exact_column else 2


def _of_correction(fix: Correction, place: Place) -> int:
    if fix.table != _short(place):
        return 0
    if fix.condition is not None or place.condition is not None:
        return 3 if fix.condition == place.condition else 0
    if fix.row is None and fix.column is None:
        return 0
    if fix.row is not None and fix.row != place.row:
        return 0
    if fix.column is not None and fix.column != place.column:
        return 0
    return 3 if (fix.row, fix.column) == (place.row, place.column) else 2


def _short(place: Place) -> str:
    return place.table.partition("/")[2]

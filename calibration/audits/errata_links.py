"""Errata at the place of a contradiction: what was found is looked up, nothing is found here."""

from collections.abc import Sequence
from dataclasses import replace

from calibration.audits.contradiction import Contradiction, Place
from calibration.printed_tables.errata import Erratum


def link(found: Contradiction, errata: Sequence[Erratum]) -> Contradiction:
    """A contradiction with the errata that stand closest to its places.

    A mark of the very cell is closer than one of its row or column, and that than one of the
    whole table; of errata at several distances only the closest are named.
    """
    closeness = {
        erratum.id: max((_closeness(erratum, place) for place in found.places), default=0)
        for erratum in errata
    }
    most = max(closeness.values(), default=0)
    named = tuple(name for name, each in closeness.items() if each == most > 0)
    return replace(found, errata=named)


def _closeness(erratum: Erratum, place: Place) -> int:
    """3 for a cell or condition, 2 for a row or column, 1 for a table, 0 for nothing."""
    short = place.table.partition("/")[2]
    every = [_of(m.rows, m.columns, place) for m in erratum.marks if m.table == short]
    for fix in erratum.corrections:
        if fix.table == short and (fix.condition or place.condition):
            every.append(3 if fix.condition == place.condition else 0)
        elif fix.table == short and (fix.row or fix.column):
            rows, columns = (tuple(filter(None, [each])) for each in (fix.row, fix.column))
            whole = (not rows or place.row) and (not columns or place.column)
            every.append(_of(rows, columns, place) if whole else 0)
    return max(every, default=0)


def _of(rows: Sequence[str], columns: Sequence[str], place: Place) -> int:
    if not rows and not columns:  # a mark of a whole table stands for its conditions as well
        return 1 if place.condition is not None else 0 if place.row or place.column else 3
    if place.condition is not None:
        return 0
    given = [(own, named) for own, named in ((place.row, rows), (place.column, columns)) if own]
    if any(named and own not in named for own, named in given):
        return 0
    exact = sum(own in named for own, named in given)
    return 1 + exact if len(given) != 1 else 2 + exact

"""Printed numbers as evidence: a cell of a measured table, in the unit the paper prints."""

from __future__ import annotations

from advisor.findings.records import Evidence
from calibration.agreements.published import published
from calibration.printed_tables.table import load_table


def printed(table: str, row: str, column: str, metric: str, unit: str = "") -> Evidence:
    """A cell as evidence, with the reference to its row.

    A printed range is given by its middle, a limit by its finite end.

    Parameters
    ----------
    table, row, column : str
        Place of the cell.
    metric : str
        What it measures.
    unit : str
        Unit to show it in; the printed one if not given.

    Raises
    ------
    calibration.printed_tables.table.TableError
        If there is no such cell.
    ValueError
        If no number stands there.

    Examples
    --------
    >>> printed("notes31/table_4_2", "raid5", "response_time", "time with RAID 5").value
    1569.0
    """
    found = published(table, row, column, unit or None)
    return Evidence(metric, found.value, found.unit or "1", "measured", load_table(table).cite(row))


def change(table: str, row: str, other: str, column: str) -> float:
    """Relative difference of one column from a row to another. [1]

    Examples
    --------
    >>> round(change("notes31/table_4_1", "one_drive", "four_drives", "response_time"), 3)
    -0.043
    """
    before, after = (published(table, each, column).value for each in (row, other))
    return after / before - 1.0

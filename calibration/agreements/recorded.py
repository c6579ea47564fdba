"""What the models of a measured system say of its published numbers, as it was recorded.

It is computed by the project's scripts and held to that by its tests; who installs the package
reads the record.
"""

import json
from functools import cache
from pathlib import Path

from calibration.agreements.comparison import Comparison
from calibration.agreements.published import Published
from calibration.estimation.interval import Range
from calibration.printed_tables.table import TABLES


def place(name: str) -> Path:
    """The record of a system."""
    return TABLES / name / "agreement.json"


@cache
def recorded(name: str) -> tuple[Comparison, ...]:
    """The comparisons of a system."""
    rows = json.loads(place(name).read_text(encoding="utf-8"))
    return tuple(
        Comparison(
            **{
                **row, "published": Published(**row["published"]),
                "predicted": Range(**row["predicted"]), "fitted_on": tuple(row["fitted_on"]),
                "by_model": tuple((model, value) for model, value in row["by_model"]),
                "baselines": tuple((base, value) for base, value in row["baselines"]),
            }
        )
        for row in rows
    )  # fmt: skip

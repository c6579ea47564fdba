"""The fitting core on the Statistical Reference Datasets of NIST, nonlinear regression.

Certified values and residual sums of squares are those of NIST/ITL; each data file is held to its
own certificate first. Parameters are searched on a linear scale from both published starts.
"""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from calibration.estimation.fit import REAL, fit
from calibration.printed_tables.run import Measurement
from tests.tables import asked, rows

FOLDER = Path(__file__).parent / "nist"


def lanczos(b, x):
    return b[0] * np.exp(-b[1] * x) + b[2] * np.exp(-b[3] * x) + b[4] * np.exp(-b[5] * x)


def gauss(b, x):
    return (
        b[0] * np.exp(-b[1] * x)
        + b[2] * np.exp(-(((x - b[3]) / b[4]) ** 2))
        + b[5] * np.exp(-(((x - b[6]) / b[7]) ** 2))
    )


def cubic_ratio(b, x):
    above = b[0] + b[1] * x + b[2] * x**2 + b[3] * x**3
    return above / (1.0 + b[4] * x + b[5] * x**2 + b[6] * x**3)


MODELS = {name: asked(text, globals()) for name, text in rows(__file__, "models")}


def problem(name):
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    y, x = np.array(data["data"], dtype=float).T
    return data, x, y


def residual_sum(name, b, x, y):
    return float(((y - MODELS[name](np.array(b, dtype=float), x)) ** 2).sum())


def fitted(name, start, **options):
    data, x, y = problem(name)
    with np.errstate(all="ignore"):  # a search may pass by overflow
        return data, fit(
            lambda b: MODELS[name](np.array(b), x), [Measurement(float(v), 1.0) for v in y],
            [float(v) for v in data[start]], [REAL] * len(data[start]), **options,
        )  # fmt: skip


def test_every_file_has_a_model():
    assert sorted(MODELS) == sorted(path.stem for path in FOLDER.glob("*.toml"))
    assert len(MODELS) >= 10


@pytest.mark.parametrize("name", MODELS)
def test_the_data_have_the_certified_residual_sum(name):
    data, x, y = problem(name)
    # That of Lanczos1 is 1e-25, below what doubles can add up.
    assert residual_sum(name, data["certified"], x, y) == pytest.approx(
        data["residual_sum_of_squares"], rel=1e-9, abs=1e-20
    )


@pytest.mark.parametrize("start", ["start_1", "start_2"])
@pytest.mark.parametrize("name", MODELS)
def test_six_digits_from_both_starts(name, start):
    data, found = fitted(name, start)
    assert found.values == pytest.approx(data["certified"], rel=5e-7)
    if name == "lanczos1":
        return
    # NIST's noise is that of the residuals.
    scale = (found.chi_square / found.degrees_of_freedom) ** 0.5
    errors = [error * scale for error in found.standard_errors]
    assert errors == pytest.approx(data["standard_deviation"], rel=1e-4)


def test_a_search_that_ends_early_settles_where_the_gradient_vanishes():
    data, found = fitted("lanczos2", "start_2", tolerance=1e-4)
    away = np.abs(np.array(found.values) - data["certified"]) / data["standard_deviation"]
    assert away.max() < 1e-5

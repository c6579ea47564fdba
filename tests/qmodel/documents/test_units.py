"""Quantities with units, against factors written down here in exact fractions."""

from fractions import Fraction
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel import InvalidInput
from qmodel.documents.units import DIMENSIONS, NAMES, expected, quantity, show_quantity
from tests.tables import rows

TIMES = {"ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "µs": Fraction(1, 10**6),
         "ms": Fraction(1, 1000), "s": 1, "seconds": 1, "min": 60, "minutes": 60, "h": 3600,
         "hours": 3600, "d": 86400, "week": 604800, "month": Fraction(87660 * 360, 12)}  # fmt: skip
PER = {"s": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "d": 86400}
BINARY = {"B": 1, "bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
MEMORY = BINARY | {"KB": 2**10, "kB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}
STORAGE = BINARY | {"KB": 10**3, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
BITS = {"bit": 1, "b": 1, "Kb": 10**3, "kb": 10**3, "Mb": 10**6, "Gb": 10**9, "Mbit": 10**6}
BPS = {"bps": 1, "Kbps": 10**3, "kbps": 10**3, "Mbps": 10**6, "Gbps": 10**9}

FACTORS = {
    "time": TIMES,
    "rate": {f"{head}{unit}": Fraction(1, size) for unit, size in PER.items()
             for head in ("/", "1/", "per ")},
    "memory": MEMORY,
    "storage": STORAGE,
    "data rate": {f"{unit}/{per}": Fraction(size, parts)
                  for unit, size in STORAGE.items() for per, parts in PER.items()}
    | {f"{unit}/s": Fraction(size, 8) for unit, size in BITS.items()}
    | {unit: Fraction(size, 8) for unit, size in BPS.items()},
    "bit rate": {f"{unit}/s": size for unit, size in BITS.items()}
    | {f"{unit}/s": 8 * size for unit, size in STORAGE.items()}
    | BPS,
    "frequency": {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9},
    "rotation": {"RPM": Fraction(1, 60), "rpm": Fraction(1, 60)},
    "fraction": {"%": Fraction(1, 100), "": 1},
}  # fmt: skip

CASES = [(d, u) for d, units in FACTORS.items() for u in units]
_numbers = st.floats(min_value=-1e15, max_value=1e15) | st.integers(-(10**6), 10**6)


def refusal(text, dimension):
    with pytest.raises(InvalidInput) as caught:
        quantity(text, dimension)
    return str(caught.value)


def test_every_dimension_is_tested():
    assert set(FACTORS) == set(DIMENSIONS)


@pytest.mark.parametrize("dimension", FACTORS)
def test_every_unit_has_its_factor(dimension):
    for unit, factor in FACTORS[dimension].items():
        for number in ("1", "0.1", "57", "1e3"):
            text = f"{number} {unit}"
            assert quantity(text, dimension) == float(Fraction(number) * factor), text


@given(case=st.sampled_from(CASES), number=_numbers, space=st.sampled_from(["", " ", "  "]))
def test_the_nearest_float_to_what_the_text_says(case, number, space):
    dimension, unit = case
    if unit.startswith(("1/", "per")):
        space = space or " "
    text = f" {number!r}{space}{unit} "
    assert quantity(text, dimension) == float(Fraction(repr(number)) * FACTORS[dimension][unit])


@pytest.mark.parametrize(("text", "dimension", "value"), rows(__file__, "what_people_write"))
def test_what_people_write(text, dimension, value):
    assert quantity(text, dimension) == value


@pytest.mark.parametrize(("text", "dimension", "problem"), [
    *rows(__file__, "refused"),
    (0.5, "rate", 'unit missing; write e.g. "0.5 /s" or "0.5 /min"'),
    (float("nan"), "fraction", 'must be finite, got "nan"'),
    (True, "time", 'expected a time such as "60 ms", got boolean'),
    (None, "time", 'expected a time such as "60 ms", got null'),
    ({}, "time", 'expected a time such as "60 ms", got table'),
])  # fmt: skip
def test_what_is_refused(text, dimension, problem):
    assert refusal(text, dimension).startswith(problem)


@given(
    text=st.text(max_size=30)
    | st.from_regex(r"[0-9.e+-]{1,8} ?[A-Za-z/%µ 1*()]{0,8}", fullmatch=True)
)
def test_no_text_does_anything_else(text):
    for dimension in DIMENSIONS:
        try:
            answer = quantity(text, dimension)
        except InvalidInput as error:
            answer = str(error)
        if isinstance(answer, str):
            assert "; " in answer or ", got " in answer
        else:
            assert isfinite(answer)


@given(text=st.sampled_from(NAMES), suffix=st.sampled_from(["s", "x", "**2", "*m", "^2"]))
def test_nothing_is_added_or_evaluated(text, suffix):
    if text + suffix not in NAMES:
        for dimension in DIMENSIONS:
            refusal(f"1 {text}{suffix}", dimension)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_suggested_unit_and_example_is_right(dimension):
    wanted = DIMENSIONS[dimension]
    for unit in (*wanted.units, *(unit for unit, _ in wanted.shown)):
        assert quantity(f"1 {unit}", dimension) > 0
    assert quantity(f"3 {wanted.base.removeprefix('1')}", dimension) == 3
    for unit, size in wanted.shown:
        assert quantity(f"1 {unit}", dimension) == pytest.approx(size, rel=1e-15)
    assert all(quantity(example, dimension) > 0 for example in wanted.examples)
    assert wanted.examples[0] in expected(dimension)


@pytest.mark.parametrize(("value", "dimension", "shown"), rows(__file__, "quantities_for_people"))
def test_quantities_for_people(value, dimension, shown):
    assert show_quantity(value, dimension) == shown


@given(dimension=st.sampled_from(list(DIMENSIONS)), value=st.floats(1e-9, 1e15))
def test_what_is_shown_reads_back(dimension, value):
    assert quantity(show_quantity(value, dimension), dimension) == pytest.approx(value, rel=5.1e-6)

"""Bad input to every public function: an error of the library, never NaN, never a hang."""

import math

import pytest

import qmodel as qm
from qmodel import single_station as ss
from qmodel.analysis.symbolic import symbolic  # noqa: F401, named in the table
from qmodel.errors import QmodelError
from tests.tables import asked, rows

NETWORK = qm.Network(
    [qm.QueueingStation("cpu"), qm.QueueingStation("disk", 2)],
    [qm.ClosedClass("users", 3, 1.0)],
    [[0.1, 0.2]],
)
SOLUTION = qm.solve(NETWORK)
LAYERED = qm.Layered(
    [qm.Users("u", 2, 1.0, {"get": 1})], [qm.Service("web", [qm.Entry("get", 0.1)])]
)
JUNK = [
    *(None, math.nan, math.inf, -math.inf, -1, 10**400, "", b"x"),
    *([], [math.nan], [["a"]], {}, {"a": 1}, True, object(), 1 + 2j),
]

#: What takes a value of any kind, and what it may not answer.
CALLS = {name: asked(text, globals()) for name, text in rows(__file__, "calls")}


@pytest.mark.parametrize("name", CALLS)
def test_junk_is_refused_in_one_line(name):
    for junk in JUNK:
        with pytest.raises(QmodelError) as caught:
            pytest.fail(f"{junk!r} is answered by {CALLS[name](junk)!r}")
        assert not isinstance(caught.value, qm.InternalError), junk
        assert "\n" not in str(caught.value), junk


STATIONS = [ss.MM1(1.0, 0.5), ss.MMm(1.0, 0.5, 2), ss.MMmK(1.0, 0.5, 2, 4), ss.MG1(1.0, 0.5, 2.0)]
FUNCTIONS = [
    pytest.param(getattr(station, name), id=f"{type(station).__name__}.{name}")
    for station in STATIONS
    for name in (
        *("probability", "waiting_time_cdf", "residence_time_cdf"),
        *("waiting_time_percentile", "percentile"),
    )
    if hasattr(station, name)  # M/G/1 has no distribution of times
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_stations_answer_with_a_number_or_an_error(function):
    for junk in (*JUNK, 2.5, 1e308):
        try:
            found = function(junk)
        except QmodelError:
            continue
        assert 0.0 <= found < math.inf, junk


@pytest.mark.parametrize("station", STATIONS[:2], ids=lambda station: type(station).__name__)
@pytest.mark.parametrize("t", [1e3, 1e5, 1e15, 1e100, 1e307])
def test_nobody_stays_for_ever(station, t):
    assert station.residence_time_cdf(t) == 1.0


def test_a_curve_to_a_population_beyond_counting_is_refused_like_solve():
    tied = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
        [qm.ClosedClass("users", 3, 1.0)],
        [[0.1, 0.1]],
    )
    with pytest.raises(qm.NotApplicable):
        qm.curve(tied, [1, 10**12], method="exact")

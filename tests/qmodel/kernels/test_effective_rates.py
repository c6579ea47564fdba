"""What open classes leave of a station, against its definition in 60 digits."""

import pytest
from mpmath import mp, mpf

from qmodel.kernels.effective_rates import effective_rates
from tests.tables import asked, rows


@mp.workdps(60)
def effective_by_definition(rates, load, n, terms=3000):
    """F(n), summed over the number of open customers."""
    term = mpf(1)
    for j in range(1, n + 1):
        term /= rates(j)
    total = term
    for i in range(1, terms):
        term *= mpf(load) * (n + i) / i / rates(n + i)
        total += term
        if i > 400 and term < total * 1e-60:
            break
    return total


@pytest.mark.parametrize(("station", "load"), rows(__file__, "effective_rates"))
def test_effective_rates_by_definition(station, load):
    station = asked(station, globals())
    if isinstance(station, int):
        last, rates = float(station), lambda n: min(n, station)
    else:
        last, rates = station[-1], lambda n: station[min(n, len(station)) - 1]
    found = effective_rates(station, load, last - load, population=8)
    weights = [effective_by_definition(rates, load, n) for n in range(9)]
    for n in range(1, 9):
        expected = float(weights[n - 1] / weights[n])
        assert found[min(n, len(found)) - 1] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("servers", [1, 2, 17, 300])
@pytest.mark.parametrize("share", [0.0, 1e-6, 0.5, 0.999])
def test_effective_rates_of_servers_and_of_the_same_rates_agree(servers, share):
    load = share * servers
    rates = tuple(float(n) for n in range(1, servers + 1))
    several = effective_rates(servers, load, servers - load, 2 * servers)
    dependent = effective_rates(rates, load, servers - load, 2 * servers)
    assert several == pytest.approx(dependent, rel=1e-13)
    assert len(several) == servers


def test_effective_rates_of_a_station_that_is_slow_for_long():
    # Weights grow by a factor of 1,000 for each of 300 customers, beyond any float.
    rates = (*[0.001] * 300, 2.0)
    found = effective_rates(rates, load=1.0, spare=1.0, population=3)
    weights = [effective_by_definition(lambda n: rates[min(n, 301) - 1], 1.0, n) for n in range(4)]
    for n in range(1, 4):
        assert found[n - 1] == pytest.approx(float(weights[n - 1] / weights[n]), rel=1e-12)


def test_effective_rates_end_where_the_population_does():
    everything = effective_rates(4, load=3.0, spare=1.0, population=100)
    assert effective_rates(4, load=3.0, spare=1.0, population=2) == everything[:2]

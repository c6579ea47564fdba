"""Closed forms with sympy: throughput and times as functions of the demands; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import sympy
from sympy.polys.rings import ring

from qmodel.errors import InvalidInput, NotApplicable
from qmodel.model.closed_network import service_rates
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network, expect_network
from qmodel.model.stations import DelayStation, Station
from qmodel.solvers.open_load import lasting_capacity

#: Terms of a polynomial, and customers, beyond which a closed form says nothing to anyone.
MOST_TERMS = 2000
MOST_CUSTOMERS = 200
#: Servers of an open station beyond which it does not either.
MOST_SERVERS = 100
#: Larger polynomials are left as they are: only special rates give them a common factor.
WORTH_CANCELLING = 60


_CUSTOMERS = sympy.Symbol("N", positive=True)


@dataclass(frozen=True, slots=True)
class SymbolicSolution:
    """Throughput and residence times as sympy expressions, and what follows from them.

    Parameters
    ----------
    network : Network
        What was solved: one class. Its numbers say which demands are 0 and thereby left out, and
        are what `value` puts in.
    demands : tuple of sympy expressions
        ``D_<station>`` for each station, or 0.
    think_time, arrival_rate : sympy expression
        ``Z`` of a closed class, or 0; ``lambda`` of an open one, or 0.
    throughput : sympy expression
        X. [1/s]
    residence_times : tuple of sympy expressions
        R' at each station. [s]
    """

    network: Network
    demands: tuple[Any, ...]
    think_time: Any
    arrival_rate: Any
    throughput: Any
    residence_times: tuple[Any, ...]

    @property
    def response_time(self) -> Any:
        """Response time R, think time excluded. [s]"""
        return sympy.Add(*self.residence_times)

    @property
    def queue_lengths(self) -> tuple[Any, ...]:
        """Customers at each station, X R'. [customers]"""
        return tuple(self.throughput * time for time in self.residence_times)

    @property
    def utilizations(self) -> tuple[Any, ...]:
        """Fraction of one server in use, X D / m; X D at a delay station. [1]"""
        return tuple(
            self.throughput * d / (1 if isinstance(s, DelayStation) else _exact(s.max_rate))
            for s, d in zip(self.network.stations, self.demands, strict=True)
        )

    def derivative(self, expression: Any, by: str) -> Any:
        """How an expression changes with the demand at a station, or ``by="think_time"``.

        Raises
        ------
        InvalidInput
            If there is no such station, or the expression has other symbols.
        """
        known = {*self.demands, self.think_time, self.arrival_rate, _CUSTOMERS}
        if other := sympy.sympify(expression).free_symbols - known:
            raise InvalidInput(f"{min(map(str, other))!r} is no symbol of this solution")
        names = (*self.network.station_names, "think_time", "arrival_rate")
        if by not in names:
            raise InvalidInput(f"no {by!r} to differentiate by; there is {', '.join(names)}")
        symbol = (*self.demands, self.think_time, self.arrival_rate)[names.index(by)]
        return sympy.together(sympy.diff(expression, symbol)) if symbol != 0 else sympy.S.Zero

    def value(self, expression: Any) -> float:
        """The number that an expression is with the demands of ``network``, to the last digit.

        Raises
        ------
        InvalidInput
            If the expression has other symbols.
        """
        numbers = {d: _exact(x) for d, x in zip(self.demands, self.network.demand[0], strict=True)}
        (customers,) = self.network.classes
        if isinstance(customers, ClosedClass):
            numbers[self.think_time] = _exact(customers.think_time)
            numbers[_CUSTOMERS] = sympy.Integer(customers.population)
        else:
            numbers[self.arrival_rate] = _exact(customers.arrival_rate)
        number = sympy.sympify(expression).xreplace(
            {symbol: number for symbol, number in numbers.items() if symbol != 0}
        )
        if number.free_symbols:
            unknown = ", ".join(sorted(map(str, number.free_symbols)))
            raise InvalidInput(f"no number for {unknown}; give one")
        return float(number)

    def latex(self) -> str:
        """Throughput and response time in LaTeX, two lines of an ``aligned`` environment."""
        (customers,) = self.network.classes
        closed = isinstance(customers, ClosedClass)
        of = f"({customers.population})" if isinstance(customers, ClosedClass) else ""
        response = sympy.together(self.response_time) if closed else self.response_time
        return f"X{of} &= {sympy.latex(self.throughput)} \\\\\nR{of} &= {sympy.latex(response)}"


def symbolic(network: Network) -> SymbolicSolution:
    """Solve a network of one class in symbols.

    Parameters
    ----------
    network : Network
        One class, closed or open; stations of all kinds. A demand that is 0 stays 0, and so does
        the think time; all others become symbols, whatever their values. With
        population 0 all times are 0, as in `solve`.

    Raises
    ------
    NotApplicable
        If there are several classes, the network has no product form, or the population is so
        large that the polynomials have more than 2,000 terms.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation
    >>> from qmodel.analysis.symbolic import symbolic
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", population=2)], [0.2, 0.1])
    >>> found = symbolic(network)
    >>> found.throughput
    (D_cpu + D_disk)/(D_cpu**2 + D_cpu*D_disk + D_disk**2)
    >>> found.value(found.throughput)
    4.285714285714286
    """
    expect_network(network)
    if len(network.classes) != 1:
        raise NotApplicable(f"closed forms take one class, there are {len(network.classes)}")
    if (broken := network.product_form_violation()) is not None:
        raise NotApplicable(f"closed forms take product form: {broken}")
    (customers,), (row,) = network.classes, network.demand
    demands = tuple(
        sympy.Symbol(f"D_{name}", positive=True) if d else sympy.S.Zero
        for name, d in zip(network.station_names, row, strict=True)
    )
    if isinstance(customers, OpenClass):
        rate = sympy.Symbol("lambda", positive=True)
        times = tuple(
            d * _open_stretch(s, rate * d) for s, d in zip(network.stations, demands, strict=True)
        )
        return SymbolicSolution(network, demands, sympy.S.Zero, rate, rate, times)
    think = sympy.Symbol("Z", nonnegative=True) if customers.think_time else sympy.S.Zero
    throughput, times = _closed(network.stations, demands, think, customers.population)
    return SymbolicSolution(network, demands, think, sympy.S.Zero, throughput, times)


def _closed(
    stations: Sequence[Station], demands: Sequence[Any], think: Any, population: int
) -> tuple[Any, tuple[Any, ...]]:
    """Throughput and residence times from G(N - 1), G(N) and its derivatives [1, 2]."""
    zero = sympy.S.Zero
    if population == 0:
        return zero, (zero,) * len(demands)
    if all(isinstance(s, DelayStation) or d == 0 for s, d in zip(stations, demands, strict=True)):
        # There is no queueing; G(N) is a power of the sum, which is better not multiplied out.
        return population / sympy.Add(think, *demands), tuple(demands)
    symbols = [symbol for symbol in (*demands, think) if symbol != 0]
    terms = comb(population + len(symbols) - 1, population)
    if terms > MOST_TERMS or population > MOST_CUSTOMERS:
        raise NotApplicable(
            f"the closed form has {terms:.3g} terms for {population} customers, it takes "
            f"{MOST_TERMS} and {MOST_CUSTOMERS}; solve() gives numbers"
        )
    polynomials, *generators = ring(symbols, sympy.QQ)
    places = [(s, d) for s, d in zip(stations, demands, strict=True) if d != 0]
    kinds = [*(s for s, _ in places), *([DelayStation("terminals")] if think != 0 else [])]
    constants = [polynomials.one] + [polynomials.zero] * population
    for kind, generator in zip(kinds, generators, strict=True):
        weights = [polynomials.one]
        for rate in _rates(kind, population):
            exact = _exact(rate)
            weights.append(weights[-1] * generator * polynomials.domain(exact.q, exact.p))
        constants = [
            sum((weights[i] * constants[n - i] for i in range(n + 1)), polynomials.zero)
            for n in range(population + 1)
        ]
    below, here = constants[population - 1], constants[population]
    slopes = {
        d: generator * here.diff(generator)
        for (_, d), generator in zip(places, generators, strict=False)
    }
    times = tuple(_ratio(slopes[d], below) if d != 0 else zero for d in demands)
    return _ratio(below, here), times


def _ratio(above: Any, below: Any) -> Any:
    """The quotient of two polynomials, with whole coefficients and what is common cancelled."""
    if len(above) + len(below) <= WORTH_CANCELLING:
        above, below = above.cancel(below)
    a, first = above.primitive()
    b, second = below.primitive()
    factor = a / b
    return sympy.Rational(factor.numerator, factor.denominator) * first.as_expr() / second.as_expr()


def _open_stretch(station: Station, load: Any) -> Any:
    """Residence time over demand, F'(load) / F(load), F the sum of the weights of the states."""
    if isinstance(station, DelayStation) or load == 0:
        return sympy.S.One
    different = len(getattr(station, "rates", ())) or int(lasting_capacity(station))
    if different > MOST_SERVERS:
        raise NotApplicable(
            f"station {station.name!r} has {different} servers or rates, it takes {MOST_SERVERS}"
        )
    rates = [_exact(rate) for rate in _rates(station, different)]
    x = sympy.Symbol("x")
    weight, total = sympy.S.One, sympy.S.Zero
    for rate in rates[:-1]:
        total += weight
        weight *= x / rate
    # Past the last rate a geometric series: (1 - x / last) F is a polynomial.
    series = sympy.together(total + weight / (1 - x / rates[-1]))
    return sympy.factor(sympy.diff(series, x) / series).subs(x, load)


def _rates(station: Station, population: int) -> list[float]:
    """Rates with 1, 2 ... ``population`` customers there."""
    if isinstance(station, DelayStation):
        return [float(n) for n in range(1, population + 1)]
    rates = service_rates(station, population)
    return [rates[min(n, len(rates)) - 1] for n in range(1, population + 1)]


def _exact(number: float) -> Any:
    """The number as a fraction: as it is written where that is short, 1.7 for 17/10."""
    return sympy.Rational(repr(float(number)))

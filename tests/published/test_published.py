"""Every published example, by every exact method that applies, at printed precision."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import pytest

import qmodel as qm
from tests.published import single_station
from tests.published.measure import measure
from tests.published.reader import KINDS, Printed, load, names
from tests.truth import rational
from tests.truth.measures import populations
from tests.truth.methods import exact_methods

EXAMPLES = names()


def by_solver(printed: Printed, method: str) -> float:
    s = _solution(printed.network, method)
    return float(
        measure(printed, s.throughputs, s.residence_times, s.queue_lengths, s.utilizations)
    )


def by_oracle(printed: Printed) -> float:
    t = _truth(printed.network)
    return float(measure(printed, t.throughput, t.residence_time, t.queue_length, t.utilization))


def by_bounds(printed: Printed) -> float:
    quantity, name = printed.what.split(",")[0].split(" ", 1)
    values = getattr(qm.bounds(printed.network, printed.bounds), f"{quantity}s")
    return float(values[printed.network.class_names.index(name)])


@cache
def _solution(network: qm.Network, method: str) -> qm.Solution:
    return qm.solve(network, method)


@cache
def _truth(network: qm.Network):
    if sum(populations(network)) <= 30:
        return rational.solve(network, Fraction)
    with mpmath.workdps(50):  # fractions grow long, and this long is enough
        return rational.solve(network, mpmath.mpf)


def test_forty_worked_examples_are_cited_to_the_page():
    sources = [load(name).source for name in EXAMPLES]
    sources += [single_station.load(name).source for name in single_station.names()]
    cited = [s for s in sources if s["kind"] == "worked example" and s["page"] != "unknown"]
    assert len(cited) >= 44
    assert all(f"p. {source['page']}" in source["locator"] for source in cited)


@pytest.mark.parametrize("name", EXAMPLES)
def test_source_is_complete(name):
    example = load(name)
    assert set(example.source) >= {"work", "locator", "page", "via", "kind"}
    assert example.source["kind"] in KINDS
    assert all(text.strip() for text in example.source.values())
    assert example.printed
    known = {printed.what for printed in example.printed}
    assert set(example.doubts) <= known, "a doubt about a number that is not printed"
    assert all(why.strip() for why in example.doubts.values())


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_truth_has_the_printed_numbers(name):
    """The data before the code: rational arithmetic agrees, and doubts are justified."""
    example = load(name)
    wrong = [
        f"{p.what}: printed {p.text}, truth {by_oracle(p):.8g}"
        for p in example.printed
        if not p.bounds and not p.method
        if p.agrees(by_oracle(p)) == (p.what in example.doubts)
    ]
    assert not wrong


def test_the_truth_is_within_the_printed_bounds():
    bounds = [(name, p) for name in EXAMPLES for p in load(name).printed if p.bounds]
    assert bounds
    for name, p in bounds:
        side, _, quantity = p.what.partition("_")
        truth = by_oracle(replace(p, what=quantity))
        if side == "lower":
            assert truth >= p.value - p.half_unit, (name, p.what)
        else:
            assert truth <= p.value + p.half_unit, (name, p.what)


@pytest.mark.parametrize("name", EXAMPLES)
def test_solvers_have_the_printed_numbers(name):
    example = load(name)
    wrong = []
    for p in example.printed:
        if p.bounds:
            value = by_bounds(p)
            if not p.agrees(value):
                wrong.append(f"{p.what}: printed {p.text}, {p.bounds} bound {value:.8g}")
            continue
        methods = [m.name for m in exact_methods(p.network)]
        assert methods, f"no exact method for {p.what}"
        wrong += [
            f"{p.what} by {method}: printed {p.text}, computed {by_solver(p, method):.8g}"
            for method in ([p.method] if p.method else methods)
            if p.agrees(by_solver(p, method)) == (p.what in example.doubts)
        ]
    assert not wrong

"""The generated recursion is the textbook's, to the last bit."""

import random

import pytest

from qmodel.kernels.mean_value_analysis import TERMS, mean_values


def plain_mean_value_analysis(population, delay, demands):
    """The recursion as printed in the books; what is generated must agree to the last bit."""
    queue = [0.0] * len(demands)
    for n in range(1, population + 1):
        residence = [d * (1.0 + q) for d, q in zip(demands, queue, strict=True)]
        total = delay
        for r in residence:
            total += r
        throughput = n / total
        queue = [throughput * r for r in residence]
    return (throughput, *residence)


@pytest.mark.parametrize("stations", [1, 2, 5, TERMS, TERMS + 1, 300])
def test_the_generated_recursion_is_the_plain_one_to_the_last_bit(stations):
    rng = random.Random(stations)
    for population in (1, 2, 3, 50):
        demands = [rng.uniform(0.001, 1.0) for _ in range(stations)]
        delay = rng.choice([0.0, 3.0])
        expected = plain_mean_value_analysis(population, delay, demands)
        assert mean_values([population], delay, demands) == {population: expected}


def test_one_pass_gives_all_populations():
    demands = [0.4, 0.1, 0.3]
    some = [1, 2, 17, 18, 60]
    expected = {n: plain_mean_value_analysis(n, 2.0, demands) for n in some}
    assert mean_values(some, 2.0, demands) == expected
    assert mean_values([4], 2.0, []) == {4: (2.0,)}

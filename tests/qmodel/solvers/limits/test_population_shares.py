"""The convolution of normalizing constants by segments, and the crowd that a caller meets."""

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp

from qmodel.solvers.layered import shared
from qmodel.solvers.limits.population_shares import convolved


def binomials(customers, ratio, size, rows=1):
    n, left = np.arange(size), customers - np.arange(rows)[:, None]
    logs = gammaln(left + 1) - gammaln(n + 1) - gammaln(np.maximum(left - n, 0) + 1)
    return np.where(n <= left, logs + n * np.log(ratio), -np.inf)


@pytest.mark.parametrize("size", [3, 16, 33, 300])
@pytest.mark.parametrize("rows", [(1, 1), (5, 1), (5, 5)])
@pytest.mark.parametrize("ratios", [(0.1, 0.2), (1e-8, 1e7)])
def test_segments_are_summed_as_all_terms_are(size, rows, ratios):
    one, other = (binomials(size - 1, r, size, k) for r, k in zip(ratios, rows, strict=True))
    found = convolved([one, other], size)
    for row in range(max(rows)):
        a, b = one[min(row, len(one) - 1)], other[min(row, len(other) - 1)]
        each = [logsumexp(a[: n + 1] + b[n::-1]) for n in range(size)]
        assert found[row] == pytest.approx(each, rel=1e-12, abs=1e-12)


def test_whoever_is_next_to_never_seen_is_not_followed(monkeypatch):
    others = shared.Other(600, 0.01, 5.0, inside=True), shared.Other(300, 0.02, 4.0)
    logs, chance = shared.shared(0.01, 600, np.arange(1.0, 9.0), others)
    monkeypatch.setattr(shared, "SOME", 10**6)
    every, whole = shared.shared(0.01, 600, np.arange(1.0, 9.0), others)
    assert chance.shape[1] < whole.shape[1] == 901
    assert logs == pytest.approx(every, rel=1e-12)
    assert chance == pytest.approx(whole[:, : chance.shape[1]], abs=1e-14)

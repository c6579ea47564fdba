"""Marginal probabilities at the population that an arrival sees, one customer less of its class.

The load is that of the populations with one customer less where a method solves them, Linearizer
and AQL; in Bard-Schweitzer the arrival's own share is left out of it. See `marginal`.

Accuracy of ``linearizer`` on ``multi-servers``: R median 0.14 %, worst 4.0 %.
Accuracy of ``bard-schweitzer`` on ``multi-servers``: R median 2.6 %, worst 16 %.
"""

from __future__ import annotations

from qmodel.solvers.amva.multiserver import marginal
from qmodel.solvers.amva.multiserver.law import Law

LAW = Law("conway", marginal.at, arrival=True, any_rates=True)

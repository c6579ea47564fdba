"""Marginal probabilities at the population itself, for arrivals too; see `marginal`.

Accuracy of ``linearizer/reiser`` on ``multi-servers``: R median 0.2 %, worst 5.2 %.
Accuracy of ``bard-schweitzer/reiser`` on ``multi-servers``: R median 1.9 %, worst 16 %.
"""

from __future__ import annotations

from qmodel.solvers.amva.multiserver import marginal
from qmodel.solvers.amva.multiserver.law import Law

LAW = Law("reiser", marginal.at, any_rates=True)

"""Multi-server and load-dependent stations in approximate mean value analysis, one law a file."""

from __future__ import annotations

from qmodel.solvers.amva.multiserver import conway, reiser, rolia_sevcik, seidmann, suri
from qmodel.solvers.amva.multiserver.law import Law

#: By name; None splits the demands instead.
LAWS: dict[str, Law | None] = {
    conway.LAW.name: conway.LAW,
    reiser.LAW.name: reiser.LAW,
    suri.LAW.name: suri.LAW,
    rolia_sevcik.LAW.name: rolia_sevcik.LAW,
    seidmann.NAME: None,
}
#: What the evidence of benchmarks/accuracy chose.
DEFAULT_LAW: Law = conway.LAW
DEFAULT = DEFAULT_LAW.name

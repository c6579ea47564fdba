"""Multi-server and load-dependent stations in approximate mean value analysis, one law a file."""

from qmodel.solvers.amva.multiserver import conway, law
from qmodel.solvers.amva.multiserver.law import Law

#: By name; None splits the demands instead (`closed_model`).
LAWS: dict[str, Law | None] = {conway.LAW.name: conway.LAW, law.LAW.name: law.LAW, "seidmann": None}
#: What the evidence of benchmarks/accuracy chose.
DEFAULT_LAW: Law = conway.LAW
DEFAULT = DEFAULT_LAW.name

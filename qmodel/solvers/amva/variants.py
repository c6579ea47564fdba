"""Approximate methods with other laws for stations of several servers than the default.

For comparison: ``method="linearizer/rolia"``. `methods_for` and ``auto`` leave them out. The laws
are those of `amva.multiserver`: Rolia and Sevcik (1995), Seidmann et al. (1987).
"""

from qmodel.solvers.amva import aql, bard_schweitzer, linearizer
from qmodel.solvers.amva.closed_model import method
from qmodel.solvers.amva.multiserver import DEFAULT, LAWS
from qmodel.solvers.method import Method

VARIANTS: tuple[Method, ...] = tuple(
    method(module.NAME, module.solve, law)
    for module in (linearizer, aql, bard_schweitzer)
    for law in LAWS
    if law != DEFAULT
)

"""The methods that a test asks of a network: all exact ones that apply and end soon."""

import qmodel as qm
from qmodel.solvers import METHODS
from qmodel.solvers.method import Method
from tests.truth.measures import populations

#: With more customers than this, only methods are asked that do not pass by every population of
#: several classes one after the other in arrays.
MANY_CUSTOMERS = 2_000
FOR_MANY_CUSTOMERS = ("mva", "convolution", "open")


def exact_methods(network: qm.Network) -> list[Method]:
    """Every exact method that applies, the slow ones left out where there are many customers."""
    found = [m for m in METHODS if m.exact and m.why_not(network) is None]
    if sum(populations(network)) > MANY_CUSTOMERS:
        found = [m for m in found if m.name in FOR_MANY_CUSTOMERS]
    return found

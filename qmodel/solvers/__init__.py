"""The methods of solution, a room for each kind, and the choice among them."""

from qmodel.solvers.solve import METHODS, methods_for, solve

__all__ = ["METHODS", "methods_for", "solve"]

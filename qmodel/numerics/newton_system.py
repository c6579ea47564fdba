"""Linear systems of Newton's method in approximate mean value analysis; see THEORY.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from qmodel.numerics.arrays import Array

#: Up to so many unknowns, elimination over all problems at once is quicker than one by one.
FEW = 6
#: From so many unknowns, and with so many times fewer classes, it goes by way of the classes.
MANY, FEWER = 60, 4
#: Relative error of a solution by way of the classes from which on it is not trusted.
CLOSE = 1e-6


@dataclass(frozen=True, eq=False)
class System:
    """Systems of U unknowns and B problems."""

    #: Of the matrix without the classes, shape (U, B).
    diagonal: Array
    #: For the column of a load the row of its queue, and what stands there.
    beside: Mapping[int, tuple[int, Array]]
    #: The u and v of each class, shape (C, U, B).
    columns: Array
    rows: Array

    def solve(self, right: Array) -> Array:
        """The unknowns, (U, B)."""
        classes, size, _ = self.columns.shape
        if size >= MANY and size >= FEWER * classes:
            unknowns = self._by_classes(right)
            wrong = np.abs(self._times(unknowns) - right).max()
            if wrong <= CLOSE * np.abs(right).max():
                return unknowns
        matrix = np.einsum("ckb,clb->klb", self.columns, self.rows)
        each = np.arange(size)
        matrix[each, each] += self.diagonal
        for column, (row, value) in self.beside.items():
            matrix[row, column] += value
        return _eliminated(matrix, right)

    def _by_classes(self, right: Array) -> Array:
        alone = self._apart(right[None])[0]
        joined = self._apart(self.columns)
        inner = np.einsum("ckb,dkb->cdb", self.rows, joined)
        each = np.arange(len(inner))
        inner[each, each] += 1.0
        amount = _eliminated(inner, np.einsum("ckb,kb->cb", self.rows, alone))
        return np.asarray(alone - np.einsum("cb,ckb->kb", amount, joined))

    def _apart(self, right: Array) -> Array:
        """What solves B alone, (..., U, B)."""
        unknowns: Array = right / self.diagonal
        for column, (row, value) in self.beside.items():
            unknowns[:, row] -= value * unknowns[:, column] / self.diagonal[row]
        return unknowns

    def _times(self, unknowns: Array) -> Array:
        """The matrix times the unknowns."""
        of_class = np.einsum("ckb,kb->cb", self.rows, unknowns)
        right: Array = self.diagonal * unknowns + np.einsum("cb,ckb->kb", of_class, self.columns)
        for column, (row, value) in self.beside.items():
            right[row] += value * unknowns[column]
        return right


def _eliminated(matrix: Array, right: Array) -> Array:
    """The solutions of B systems of U equations, (U, U, B) and (U, B)."""
    size, count = right.shape
    if size > FEW or count < 64:
        solutions = np.linalg.solve(matrix.transpose(2, 0, 1), right.T[:, :, None])
        return np.asarray(solutions[:, :, 0].T, np.float64)
    rows: list[list[Any]] = [[matrix[i, j] for j in range(size)] for i in range(size)]
    ends: list[Any] = [right[i] for i in range(size)]
    for i in range(size):
        for lower in range(i + 1, size):
            factor = rows[lower][i] / rows[i][i]
            for j in range(i + 1, size):
                rows[lower][j] = rows[lower][j] - factor * rows[i][j]
            ends[lower] = ends[lower] - factor * ends[i]
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, size):
            ends[i] = ends[i] - rows[i][j] * ends[j]
        ends[i] = ends[i] / rows[i][i]
    return np.array(ends)

"""Exact solution of product-form networks: mean value analysis, convolution, RECAL.

One class is solved by `qmodel.kernels`; several over the lattice of their populations
(`population_lattice`, normalizing constants in `lattice_convolution`); open classes take part of
the capacity (`mixed`).
"""

"""Numerical methods that know no network.

Phase-type distributions, continuous-time Markov chains (stationary, absorbing, nonlinear),
uniformization, Laplace transforms and their inversion, power series, Newton systems.
"""

"""Numerical methods that know no network: distributions, Markov chains, transforms, systems."""

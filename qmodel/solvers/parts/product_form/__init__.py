"""Exact for product form: lattices of populations, series, weights, and limits of size."""

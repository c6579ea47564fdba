"""What the algorithms are built of: lattices, curves, series, limits. None solves a network."""

"""A small closed network as one Markov chain of its whole state."""

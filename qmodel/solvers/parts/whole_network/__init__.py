"""A whole closed network as one Markov chain: its places, the ways between them, its size."""

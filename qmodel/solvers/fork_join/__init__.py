"""Fork-join stations as Markov chains, exact and reduced."""

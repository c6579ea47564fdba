"""Markov chains of a station or a part of a network, and how their probabilities are found."""

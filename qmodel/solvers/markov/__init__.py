"""Continuous-time Markov chains of single stations and of limited regions."""

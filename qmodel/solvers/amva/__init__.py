"""Approximate mean value analysis: Bard-Schweitzer, Linearizer, AQL and their extensions."""

"""Least squares and what it is done with: observations, demands from monitors, intervals."""

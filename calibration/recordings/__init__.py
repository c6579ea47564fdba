"""A user's own measurements: a table of runs, or what monitors and load generators recorded.

Readers make series of samples, joining puts them on one clock, windows finds periods of steady
load, and importing makes the table of runs that audits and calibrations take.
"""

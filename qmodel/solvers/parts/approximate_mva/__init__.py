"""Approximate mean value analysis: the equations of many populations at once, and server laws."""

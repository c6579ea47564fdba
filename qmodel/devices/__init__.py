"""Devices: from a data sheet to a service demand, one device a file.

Every function is pure, takes and returns base units (s, 1/s, bytes, bytes/s) and raises
`qmodel.InvalidInput` for what no device can be.
"""

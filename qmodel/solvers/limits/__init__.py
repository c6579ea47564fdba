"""Limits on the number of customers inside, and buffers that are full."""

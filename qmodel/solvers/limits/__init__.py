"""Limits on the number of customers inside, and buffers that are full.

One class by a flow-equivalent server, several by aggregating the classes (`admission_waits` says
how each of them waits), a full buffer between two stations exactly.
"""

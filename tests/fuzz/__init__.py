"""Fuzzing: every loader and the whole command, on files and arguments that nobody meant to write.

targets   what is run, and what it starts from
changes   how a file is spoilt
forked    one run in a process of its own, with its time and memory
verdict   what a run may not do
"""

"""Layered models: services whose threads wait for the threads of others.

`records` says what they are, `calls` how often each is called; `solve` is the door of the method of
layers, `callers` the view of one caller on what others use as well. `call_tree` spells a model out
for the simulation.
"""

"""Mutation tests: which small change of the source goes unnoticed by the tests.

A mutation tool (cosmic-ray, in an environment of its own) changes one operator, comparison or
number at a time in a copy of the project and runs the tests that are named for the module. Where
a module has more mutants than are tried, those tried are drawn with a stated seed. `modules.toml`
says of each module which tests judge it and how many mutants were tried and killed, `reasons.toml`
why each survivor may survive; the record itself lists those that have no reason. Both name modules
by their paths, which `scripts/rename.py` moves with the code.
"""

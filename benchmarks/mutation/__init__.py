"""Mutation tests: which small change of the source goes unnoticed by the tests.

A mutation tool (cosmic-ray, in an environment of its own) changes one operator, comparison or
number at a time in a copy of the project and runs the tests that are named for the module. Where
a module has more mutants than are tried, those tried are drawn with a stated seed. What survives
is listed in REPORT.md, each with the reason why it may, from `reasons.toml`.
"""

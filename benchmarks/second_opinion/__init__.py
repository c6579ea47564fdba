"""Other people's solvers on the certified networks that they can do, and their simulations.

LINE and Ciw (from their packages, in environments of their own) and GNU Octave's queueing package,
where it is installed. Solvers are asked about closed networks of delay stations and single servers
only: with several servers they lose digits silently, from about 80 customers on all of them. Ciw
simulates what has no exact answer. The answers are recorded in `tests/second_opinions/`, with
versions, so that the tests hold qmodel against them where none of these is installed.
"""

"""Other people's solvers on the certified networks that they can do.

LINE (from its package, in an environment of its own) and GNU Octave's queueing package, where they
are installed. Asked are closed networks of delay stations and single servers only: with several
servers both lose digits silently, from about 80 customers on all of them. Their answers are
recorded in `tests/second_opinions/`, with version and date, so that the tests hold qmodel against
them where neither is installed.
"""

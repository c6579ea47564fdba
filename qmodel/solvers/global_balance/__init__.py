"""A small closed network as one Markov chain of its whole state: global balance.

The chain is that of `network_ctmc`, of the states of its stations (`solvers.markov`), with the
random routing that visit ratios imply.
"""

"""Fork-join stations as Markov chains: one class by speeds, several by a pair of branches.

`branch_pair_ctmc` follows two branches and closes the rest by `synchronization`;
`truncation_correction` compares it with the exact chain of few visits. `solvers.marie` uses them.
"""

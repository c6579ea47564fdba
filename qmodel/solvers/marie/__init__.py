"""Marie's method: each station beyond product form in isolation, by conditional throughputs.

What breaks product form is a subnetwork (`subnetworks`; a fork-join station in
`fork_join_subnetwork`): a Markov chain fed at rates that depend on the numbers there. `fixed_point`
finds rates at which all agree, with the weights of `marginal_weights`.
"""

"""Layered models: services whose threads wait for the threads of others.

What they are is with the other models (`qmodel.model.layered_records`, `layered_model`). `solve`
is the door of the method of layers, `rounds` the method over `nodes`, with its `state`; `shared`
is the view of one caller on what others use as well, `processors` what priorities leave,
`durations` how long entries take and how much that varies, `solution` the answer. `replicas` and
`call_tree` spell a model out, for the solver and for the simulation.
"""

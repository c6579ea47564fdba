"""Layered models: services whose threads wait for the threads of others.

What they are is with the other models (`qmodel.model.layered_records`, `layered_model`). `solve`
is the door of the method of layers over `nodes`, `shared` the view of one caller on what others use
as well, `holding` how much the time varies for which threads are held, `solution` the answer.
`call_tree` spells a model out for the simulation.
"""

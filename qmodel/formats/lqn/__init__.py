"""Files of the layered queueing network solvers: LQNX and the older text, both ways; results.

`records` is what stands in either file, `read_xml` and `read_text` make it from one, `model` makes
a layered model of it, with the graphs of activities as nested steps (`graph`); `written` is the way
back, `write_xml` and `write_text` spell it. `results` reads what a solver wrote.
"""

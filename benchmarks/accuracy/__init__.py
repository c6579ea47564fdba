"""How far each approximate method is from the truth, over recorded families of networks.

``python -m benchmarks.accuracy`` (or ``make accuracy``) solves every family by every method it
compares and writes

* ``TABLE.md``: median, 95th percentile and worst error of each method on each family;
* ``table.json``: the same as data, with the errors of the first few networks; a test computes some
  of these and those of every method's worst network again; what a docstring says of accuracy is
  held to it;
* ``qmodel/solvers/accuracy.json``: the lines that ``qmodel.solve`` quotes as expected error.

``python -m benchmarks.accuracy NAME ...`` does so for some families and keeps the others' rows.

To add a family
---------------
A file in ``families/`` with a `Family` in it, and one line in ``families/__init__.py``:

    FAMILY = Family(
        name="fcfs-scv",                     # kebab case, quoted in docstrings
        about="closed, FCFS stations with service of SCV 0.5 to 8",
        seed=4,
        networks=networks,                   # seed -> networks, in an order that never changes
        count=200,                           # how many of them
        reference=reference,                 # network -> Truth (values, and noise if simulated)
        truth="Markov chain",                # what the reference is, for the table
        methods=by_name("fcfs", "aql"),      # name -> (network -> values)
        sample=4,                            # first networks whose errors are recorded
        keep=True,                           # record references that take long (references/)
        slow=(11,),                          # networks whose solution takes seconds
    )

Values are lists of floats by measure, ``{"R": response times, "X": throughputs ...}``; a method
and the reference give lists of one length. The error of a network is the largest relative error
of a list; entries where the truth is 0 are left out, and ``Truth.scale`` may name another
denominator (queue lengths: the population). A method that refuses a network (any `QmodelError`)
is counted, not judged. A family that takes long declares ``keep=True``, so that its references
are computed once; ``--fresh`` computes them again.

What a docstring says of accuracy stands on a line (or two) of this form, anywhere in `qmodel`:

    Accuracy of ``linearizer`` on ``single-servers``: R median 0.10 %, worst 2.3 %.

A test holds it to the table, at the printed precision.
"""

"""Answers of LINE, one JSON line a network; runs where line-solver is installed.

``python line.py CASES``: a file of lines  name;populations;think times;demands by class.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")


def main():
    from line_solver.api.pfqn.mva import pfqn_mva

    for line in Path(sys.argv[1]).read_text().splitlines():
        name, *texts = line.split(";")
        n, z, d = (np.array(json.loads(text.replace(";", ","))) for text in texts)
        demand = np.atleast_2d(d).T
        try:
            found = pfqn_mva(demand, n.astype(float), z)
            throughput, queue = np.ravel(found[0]), np.asarray(found[2])
            answer = {"throughput": throughput.tolist(), "queue_length": np.ravel(queue.T).tolist()}
        except Exception as error:  # noqa: BLE001 - each peer has its own
            answer = {"problem": f"{type(error).__name__}: {error}"}
        print(json.dumps({"network": name, **answer}), flush=True)


main()

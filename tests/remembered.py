"""What takes a command long is answered once, where the same is asked again."""

import os
import pickle
from hashlib import sha256
from importlib import import_module

#: Functions whose answers follow from what they are asked, and nothing else.
COSTLY = (
    ("advisor.engine", "review"), ("advisor.budgets.budget", "budgets"),
    ("advisor.forecasting.forecast", "growth"), ("advisor.machines.review", "review_machines"),
    ("advisor.scheduling.schedule", "schedule"), ("advisor.sizing.search", "size"),
    ("calibration.fitting.calibrate", "calibrate"), ("qmodel", "simulate"),
)  # fmt: skip
_SEEN = {}


def remember(patched, *, folder=None, anew=False):
    """Let costly functions, as commands import them, remember what they have answered.

    Workers of one run remember together in a folder. What is asked anew is kept for the others.
    """
    for module, name in COSTLY:
        home = import_module(module)
        patched.setattr(home, name, remembered(getattr(home, name), folder, anew=anew))


def shared(tmp_path_factory):
    """The folder of all workers of a run; None where there is one process."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else None


def remembered(function, folder, *, anew):
    try:
        name = pickle.dumps(function)
    except (AttributeError, pickle.PicklingError):  # what a test has put there
        return function

    def answer(*words, **options):
        asked = [each for each in words if not callable(each)]  # not who is told how far it is
        asked += [each for each in options.items() if each[0] != "progress"]
        try:
            key = sha256(name + pickle.dumps(asked)).hexdigest()
        except (AttributeError, TypeError, pickle.PicklingError):  # as of a pool of processes
            return function(*words, **options)
        kept = folder and folder / f"{key}.pickle"
        if kept and kept.exists() and not anew:
            _SEEN.setdefault(key, pickle.loads(kept.read_bytes()))
        if anew or key not in _SEEN:
            _SEEN[key] = function(*words, **options)
            if kept:
                part = kept.with_suffix("." + os.environ["PYTEST_XDIST_WORKER"])
                part.write_bytes(pickle.dumps(_SEEN[key]))
                part.replace(kept)
        return _SEEN[key]

    return answer

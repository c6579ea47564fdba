"""What takes a command long is answered once in a process, where the same is asked again."""

import pickle
from importlib import import_module

#: Functions whose answers follow from what they are asked, and nothing else.
COSTLY = (
    ("advisor.engine", "review"), ("advisor.budgets.budget", "budgets"),
    ("advisor.scheduling.schedule", "schedule"), ("calibration.fitting.calibrate", "calibrate"),
    ("qmodel", "simulate"),
)  # fmt: skip
_SEEN = {}


def remember(patched):
    """Let costly functions, as commands import them, remember what they have answered."""
    for module, name in COSTLY:
        home = import_module(module)
        patched.setattr(home, name, remembered(getattr(home, name)))


def remembered(function):
    def answer(*words, **options):
        asked = [each for each in words if not callable(each)]  # not who is told how far it is
        asked += [each for each in options.items() if each[0] != "progress"]
        try:
            key = function, pickle.dumps(asked)
        except (AttributeError, TypeError, pickle.PicklingError):  # as of a pool of processes
            return function(*words, **options)
        if key not in _SEEN:
            _SEEN[key] = function(*words, **options)
        return _SEEN[key]

    return answer

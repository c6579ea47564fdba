"""For all tests: linear algebra in one thread.

Chains of a few hundred states gain nothing by more, and the workers of pytest-xdist would take one
another's processors. Set before anything imports numpy; commands run by tests inherit it.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

"""Types of arrays in annotations."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]
Complex = NDArray[np.complex128]
Index = NDArray[np.intp]

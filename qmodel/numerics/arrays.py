"""Types of arrays in annotations; to name them NumPy need not be there."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]
    Complex = NDArray[np.complex128]
    Flags = NDArray[np.bool_]
    Index = NDArray[np.intp]
    Whole = NDArray[np.int64]
else:
    Array = Complex = Flags = Index = Whole = Any

"""Arrays in NumPy's own files, .npy and .npz."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from quizengine.errors import InputError

Loaded = NDArray[Any]


def load_npy(path: str) -> Loaded | dict[str, Any]:
    """The array of a .npy file, or by name those of a .npz file, single numbers as such; never a pickle.
    Raises InputError."""
    try:
        with Path(path).open("rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if not isinstance(loaded, np.lib.npyio.NpzFile):
                return np.asarray(loaded)
            return {name: array if np.ndim(array) else array.item() for name, array in loaded.items()}
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'not a NumPy file'}", code="no-file") from None
    except (ValueError, EOFError, AttributeError, BadZipFile) as error:
        raise InputError(f"{path} is not a file of plain numbers: {error}") from None

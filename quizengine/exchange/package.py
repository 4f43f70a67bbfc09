"""Packages: the files of an export as one zip, byte for byte the same whenever they are the same, and the
identifiers by which they name each other."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from hashlib import sha256

MANIFEST = "imsmanifest.xml"
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # that a zip can tell
_UNIX, _READABLE = 3, 0o644 << 16


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The files by their paths, the manifest first."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for path in sorted(files, key=lambda path: (path != MANIFEST, path)):
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.create_system, entry.external_attr = _UNIX, _READABLE
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, files[path])
    return out.getvalue()


def identifier(*words: object) -> str:
    """A name for what these words tell, which no other words give; an NCName.

    >>> identifier("quiz", "en")
    'ie6d68ef100819e4b829146d0bba7e8c9'
    """
    return "i" + sha256("\n".join(map(str, words)).encode()).hexdigest()[:32]

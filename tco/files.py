"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO

from tco.errors import OutputError


def write_atomically(path: Path, content: bytes) -> None:
    """Write beside the target and rename. Raises OutputError; the old file stays whole and no part is left."""
    with beside(path) as file:
        file.write(content)


@contextlib.contextmanager
def beside(path: Path) -> Generator[BinaryIO]:
    """A file to write into, renamed to its target when the block ends well. Raises OutputError."""
    handle, name = -1, ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".tco-", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
        name = ""
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error
    finally:
        if name:
            with contextlib.suppress(OSError):
                os.unlink(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""`tco` and `python -m tco`: a process of its own, set up before the commands run."""

from __future__ import annotations

import atexit
import gc
import os

from tco.cli import main


def start() -> None:
    """A command ends soon: looking for garbage while it imports and when it ends costs a tenth of a run.

    A pool of threads for matrices as small as ours only costs time to set up.
    """
    gc.disable()
    atexit.register(gc.freeze)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()


if __name__ == "__main__":
    start()

"""From many scenarios to their files: found, computed by workers, written, remembered.

    paths     →  scenario files and the names of their outputs           paths.py
    a file    →  Task: all that computing it needs                       task.py
    Task      →  Done: contents of its files, rows, words for readers    task.py, in an executor
    Done      →  files, each whole or not at all                         outputs.py

`run.py` is `tco run`. Workers compute and never write; one process writes and reports, in the order of the scenarios.
"""

from tco.batch.outputs import known_digests, refuse_edited, write_outputs

__all__ = ["known_digests", "refuse_edited", "write_outputs"]

"""From what the user names to scenario files, each with the name of its outputs."""

from __future__ import annotations

import functools
import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tco.errors import Problem, ScenarioError
from tco.scenario.reading import bytes_of, read_bytes

SUFFIXES = (".yaml", ".yml")
EXTRA = ("focus", "opencost")
"""What stands between the name and `.csv` in outputs of one scenario."""


@dataclass(frozen=True)
class Found:
    """A scenario file; its outputs are NAME.xlsx and so on, with the folders below the one that was named."""

    file: Path
    name: str

    @property
    def label(self) -> str:
        """What messages and tables call it."""
        return str(self.file)

    def read(self) -> bytes:
        """The text of the scenario. Raises ScenarioError."""
        return bytes_of(str(self.file))


def in_folders(paths: Sequence[Path]) -> list[Found]:
    """Each file, and the files of each folder. Raises ScenarioError."""
    found = (one for path in paths for one in (_of_folder(path) if os.path.isdir(path) else [Found(path, path.stem)]))
    return list({one.file: one for one in found}.values())


def in_trees(paths: Sequence[Path], out: Path) -> list[Found]:
    """Each file, those of each folder and of the folders in it, and what patterns match. Raises ScenarioError."""
    found: dict[Path, Found] = {}
    for path in paths:
        for one in _of_tree(path, out):
            found.setdefault(one.file, one)
    return list(found.values())


def _of_folder(path: Path) -> list[Found]:
    try:
        found = sorted(item for item in path.iterdir() if item.suffix in SUFFIXES and item.is_file())
    except OSError as error:
        raise _unreadable(path, error) from error
    if not found:
        raise _refused("the folder holds no scenario (a file that ends in .yaml)", path)
    return [Found(item, item.stem) for item in found]


def _of_tree(path: Path, out: Path) -> Iterator[Found]:
    if os.path.isdir(path):
        files = list(_walked(path, out))
        if not files:
            raise _refused("the folder holds no scenario (a file that ends in .yaml)", path)
        yield from (_below(path, file) for file in files)
    elif glob.has_magic(str(path)) and not os.path.lexists(path):
        fixed = Path(*_plain_parts(path))
        files = sorted(Path(name) for name in glob.glob(str(path), recursive=True) if os.path.isfile(name))
        if not files:
            raise _refused("no file matches the pattern", path)
        yield from (_below(fixed, file) for file in files)
    else:
        yield Found(path, path.stem)


def _walked(folder: Path, out: Path) -> Iterator[Path]:
    """Scenario files of a folder and of those in it, in one order; not of hidden folders, nor of the outputs."""
    try:
        items = sorted(folder.iterdir(), key=lambda item: item.name)
    except OSError as error:
        raise _unreadable(folder, error) from error
    for item in items:
        if item.suffix in SUFFIXES and item.is_file():
            yield item
        elif item.is_dir() and not item.is_symlink() and not item.name.startswith(".") and not _same(item, out):
            yield from _walked(item, out)


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _below(folder: Path, file: Path) -> Found:
    return Found(file, file.relative_to(folder).with_suffix("").as_posix())


def _plain_parts(path: Path) -> Iterator[str]:
    """The folders before the first sign of a pattern."""
    for part in path.parts[:-1]:
        if glob.has_magic(part):
            return
        yield part


def check_names(found: Sequence[Found], out: Path, taken: Sequence[str] = ()) -> None:
    """Outputs are named after the scenario, so two of one name would overwrite each other. Raises ScenarioError.

    Names that differ in capitals only are one file on many systems. A portfolio also writes NAME.WORK.xlsx, any
    scenario NAME.focus.csv: what is called NAME.WORK or NAME.focus would meet them.
    """
    seen = {name.split(".")[0]: out / name for name in taken}
    problems, every = list[Problem](), {one.name.casefold(): one for one in found}
    works = functools.cache(_works)
    for one in found:
        name = one.name.casefold()
        for end in (at for at, letter in enumerate(name) if letter == "."):
            whole = every.get(name[:end])
            if whole and (name[end + 1 :] in EXTRA or name[end + 1 :].partition(".")[0] in works(whole)):
                told = f"its outputs would overwrite some of {whole.file}; rename it, or run it into another --out"
                problems.append(Problem(told, file=str(one.file)))
        if name in seen:
            told = f"its outputs would overwrite those of {seen[name]}; rename it, or run it into another --out"
            problems.append(Problem(told, file=str(one.file)))
        seen.setdefault(name, one.file)
    if problems:
        raise ScenarioError(problems)


def _works(one: Found) -> set[str]:
    """Names of the workloads of a portfolio; what cannot be read is told when its turn comes."""
    try:
        held: Any = read_bytes(one.read(), one.label).data.get("workloads")
    except ScenarioError:
        return set()
    return {str(name).casefold() for name in cast("dict[Any, Any]", held)} if isinstance(held, dict) else set()


def _unreadable(folder: Path, error: OSError) -> ScenarioError:
    return _refused(f"the folder cannot be read: {(error.strerror or str(error)).lower()}", folder)


def _refused(told: str, path: Path) -> ScenarioError:
    return ScenarioError([Problem(told, file=str(path))])

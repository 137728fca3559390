"""Whether a workbook may be read at all: looked at as a stream, before any reader that a small file could drown.

Two layers. The zip: sizes, ratios, names, and a directory that tells the truth (here). What is in the parts: one pass
of an XML parser that keeps nothing (`tco.workbook.parts`). Limits are far above what tco writes.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn

from tco.errors import Problem, ScenarioError
from tco.workbook.parts import Parts, Unsafe

LARGEST = 60_000_000
MOST_PARTS = 2_000
MOST_DIRECTORY = 1_000_000
MOST_UNPACKED = 120_000_000
MOST_IN_A_PART = 80_000_000
HIGHEST_RATIO, RATIO_FROM = 200, 1_000_000
CHUNK = 65_536

NOT_A_WORKBOOK = "is not a workbook (an .xlsx file)"
DAMAGED = f"{NOT_A_WORKBOOK}, or is damaged"
_COMPOUND = b"\xd0\xcf\x11\xe0"
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x07"
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_NEEDED = ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml")
_ACTIVE = {
    "xl/vbaproject": "macros (VBA)",
    "xl/macrosheets/": "macros (Excel 4)",
    "xl/dialogsheets/": "dialog sheets",
    "xl/activex/": "ActiveX controls",
    "xl/ctrlprops/": "form controls",
    "xl/embeddings/": "embedded files",
    "xl/externallinks/": "links to other workbooks",
}


def check_safe(path: Path) -> None:
    """Refuse a file that is no plain workbook, or costs far more to read than it is large. Raises ScenarioError."""
    try:
        with _opened(path) as file:
            _check(file)
    except Unsafe as found:
        raise ScenarioError([Problem(str(found), file=str(path))]) from None
    except (zipfile.BadZipFile, zlib.error, struct.error, UnicodeError, NotImplementedError, EOFError, ValueError):
        raise ScenarioError([Problem(DAMAGED, file=str(path))]) from None
    except FileNotFoundError:
        raise ScenarioError([Problem("there is no such file", file=str(path))]) from None
    except OSError as error:
        told = f"cannot be read: {(error.strerror or str(error)).lower()}"
        raise ScenarioError([Problem(told, file=str(path))]) from error


def _opened(path: Path) -> BinaryIO:
    """The file, if it is one: a pipe would never end, a device neither."""
    if b"\0" in os.fsencode(path):
        raise FileNotFoundError
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    file = os.fdopen(handle, "rb", closefd=True) if stat.S_ISREG(os.fstat(handle).st_mode) else None
    if file is None:
        folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        os.close(handle)
        raise Unsafe(f"{NOT_A_WORKBOOK} but {'a folder' if folder else 'a pipe or a device'}")
    return file


def _check(file: BinaryIO) -> None:
    size = os.fstat(file.fileno()).st_size
    if size > LARGEST:
        _refuse(f"is larger than {LARGEST // 1_000_000} MB; tco writes no such workbook")
    if file.read(4) == _COMPOUND:
        _refuse("is encrypted or an old .xls; save it as .xlsx without a password")
    _check_directory(file, size)
    with zipfile.ZipFile(file) as book:
        items = book.infolist()
        _check_names(items)
        _check_sizes(items, book.start_dir)
        _check_parts(file, items)


def _refuse(text: str) -> NoReturn:
    raise Unsafe(text)


def _check_directory(file: BinaryIO, size: int) -> None:
    """The list of parts is short, stands where it says, and nothing follows it: all readers see the same one."""
    start = max(0, size - 65_557)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0:
        _refuse(NOT_A_WORKBOOK)
    _, disk, first_disk, here, count, length, offset, comment = struct.unpack("<4s4H2LH", tail[at : at + 22])
    if count > MOST_PARTS or length > MOST_DIRECTORY:
        _refuse(f"holds more than {MOST_PARTS:,} parts; tco writes no such workbook")
    whole = offset + length == start + at and start + at + 22 + comment == size
    if not whole or disk or first_disk or here != count or _END_64 in tail[max(0, at - 20) : at]:
        _refuse(DAMAGED)


def _check_names(items: list[zipfile.ZipInfo]) -> None:
    seen = set[str]()
    for item in items:
        name = item.orig_filename
        if name.startswith("/") or any(bad in name for bad in ("\\", "\0", ":")) or ".." in name.split("/"):
            _refuse(f"holds a part with an unsafe name: {name[:80]!r}")
        if name.lower() in seen:
            _refuse(f"holds two parts of one name: {name[:80]!r}")
        seen.add(name.lower())
        for start, what in _ACTIVE.items():
            if name.lower().startswith(start):
                _refuse(f"holds {what}: {name[:80]!r}; save a copy without them")
    if len(items) > MOST_PARTS:
        _refuse(f"holds more than {MOST_PARTS:,} parts; tco writes no such workbook")
    if missing := [name for name in _NEEDED if name.lower() not in seen]:
        _refuse(f"{NOT_A_WORKBOOK}: it holds no {missing[0]}")


def _check_sizes(items: list[zipfile.ZipInfo], end: int) -> None:
    if sum(item.file_size for item in items) > MOST_UNPACKED:
        _refuse(f"unpacks to more than {MOST_UNPACKED // 1_000_000} MB; tco writes no such workbook")
    for item in items:
        name = item.orig_filename[:80]
        if item.flag_bits & _ENCRYPTED:
            _refuse(f"holds an encrypted part: {name!r}; save it without a password")
        if item.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            _refuse(f"holds a part packed in a way that workbooks do not use: {name!r}")
        if item.file_size > MOST_IN_A_PART:
            _refuse(f"holds a part of more than {MOST_IN_A_PART // 1_000_000} MB: {name!r}")
        if item.file_size > RATIO_FROM and item.file_size > HIGHEST_RATIO * item.compress_size:
            _refuse(f"holds a part that unpacks to more than {HIGHEST_RATIO} times its size: {name!r}")
    starts = sorted((item.header_offset, item.compress_size) for item in items)
    for (start, size), (following, _) in zip(starts, [*starts[1:], (end, 0)], strict=True):
        if start + 30 + size > following:
            _refuse(DAMAGED)


def _check_parts(file: BinaryIO, items: list[zipfile.ZipInfo]) -> None:
    """Every part once, the ones that say what the others are first."""
    parts = Parts()
    for item in sorted(items, key=lambda one: (one.orig_filename not in _NEEDED, not _is_list(one))):
        parts.begin(item.orig_filename)
        for piece in _unpacked(file, item):
            parts.feed(piece)
        parts.end()
    parts.check_together()


def _is_list(item: zipfile.ZipInfo) -> bool:
    return item.orig_filename.endswith(".rels")


def _unpacked(file: BinaryIO, item: zipfile.ZipInfo) -> Iterator[bytes]:
    """The part piece by piece, counted: a directory that lies about sizes is found out after one piece too many."""
    file.seek(item.header_offset)
    mark, flags, method, name, extra = struct.unpack("<4s2xHH16x2H", file.read(30))
    raw_name = file.read(name)
    if mark != b"PK\x03\x04" or method != item.compress_type or (flags ^ item.flag_bits) & _ENCRYPTED:
        _refuse(DAMAGED)
    if raw_name.decode("utf-8" if flags & 0x800 else "cp437") != item.orig_filename:
        _refuse(f"names a part in two ways: {item.orig_filename[:80]!r}")
    file.seek(extra, os.SEEK_CUR)
    count, check = 0, 0
    for piece in _inflated(file, item) if method else _stored(file, item.compress_size):
        count, check = count + len(piece), zlib.crc32(piece, check)
        if count > item.file_size:
            break
        yield piece
    if count != item.file_size or check != item.CRC:
        _refuse(f"says one size of a part and holds another, or is damaged: {item.orig_filename[:80]!r}")


def _stored(file: BinaryIO, left: int) -> Iterator[bytes]:
    while left and (packed := file.read(min(CHUNK, left))):
        left -= len(packed)
        yield packed


def _inflated(file: BinaryIO, item: zipfile.ZipInfo) -> Iterator[bytes]:
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    for packed in _stored(file, item.compress_size):
        while packed and not inflate.eof:
            yield inflate.decompress(packed, CHUNK)
            packed = inflate.unconsumed_tail
    while not inflate.eof and (rest := inflate.decompress(b"", CHUNK)):
        yield rest
    if not inflate.eof:
        _refuse(DAMAGED)

"""How far a batch is, on a terminal's stderr; nothing where nobody looks."""

from __future__ import annotations

import sys
import time

import click

from tco.batch.count import Count

WIDTH = 30
ERASE = "\r\033[K"


class Progress:
    """A bar that stands below whatever else is told."""

    def __init__(self, whole: int, count: Count) -> None:
        self._whole, self._count, self._start = whole, count, time.monotonic()
        self._shown = sys.stderr.isatty()

    def step(self) -> None:
        """Draw the bar anew."""
        if self._shown:
            click.echo(ERASE + self._bar(), err=True, nl=False)

    def say(self, text: str) -> None:
        """A line on stderr, the bar below it."""
        click.echo((ERASE if self._shown else "") + text, err=True)
        self.step()

    def close(self) -> None:
        """Take the bar away."""
        if self._shown:
            click.echo(ERASE, err=True, nl=False)

    def _bar(self) -> str:
        reached, failed = self._count.reached, self._count.failed
        filled = WIDTH * reached // max(self._whole, 1)
        told = f"[{'#' * filled}{'-' * (WIDTH - filled)}] {reached} of {self._whole}"
        return told + (f", {failed} failed" if failed else "") + self._left()

    def _left(self) -> str:
        computed, left = self._count.done + self._count.failed, self._whole - self._count.reached
        if not computed or not left:
            return ""
        seconds = round((time.monotonic() - self._start) / computed * left)
        return f", {seconds // 60}:{seconds % 60:02d} left"

"""What became of the scenarios of a run, and the exit code that follows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Count:
    """Scenarios by what became of them; `before` were done already, `unfit` hold a fleet that cannot do the work."""

    done: int = 0
    before: int = 0
    failed: int = 0
    unfit: int = 0
    unwritten: int = 0

    @property
    def reached(self) -> int:
        """How many are settled."""
        return self.done + self.before + self.failed

    def code(self, *, require_fit: bool = False) -> int:
        """The exit code: some failed, or all of them and why, or what was required."""
        if self.failed:
            return 3 if self.done + self.before else (4 if self.unwritten else 1)
        return 1 if require_fit and self.unfit else 0

"""Why a question about a decision cannot be asked as it stands."""

from __future__ import annotations

from tco.errors import TcoError


class Refused(TcoError):
    """What is wrong with one part of a question: `change`, `until`, `between`, `line` or `fleets`."""

    def __init__(self, part: str, text: str) -> None:
        self.part = part
        super().__init__(text)

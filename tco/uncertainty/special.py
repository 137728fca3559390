"""What is taken from scipy, imported when it is first wanted; in one place, with what to do where it is missing."""

# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
from __future__ import annotations

import functools
from typing import Any

from tco.errors import TcoError


class Missing(TcoError):
    """A package that is not installed."""


@functools.cache
def functions() -> Any:
    """`ndtr`, `ndtri` and `betaincinv`."""
    try:
        from scipy import special
    except ImportError as error:
        raise _missing() from error
    return special


@functools.cache
def statistics() -> Any:
    """`qmc` and `sobol_indices`."""
    try:
        from scipy import stats
    except ImportError as error:
        raise _missing() from error
    return stats


def _missing() -> Missing:
    return Missing("ranges are drawn with scipy, which is not installed; install tco with its extra `analysis`")

"""tco: what AI compute costs for each useful token or training step.

import tco
result = tco.load("scenarios/quickstart.yaml").run()
result.table()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tco.errors import TcoError
    from tco.model import Model
    from tco.result import Result
    from tco.session import Scenario, load

__all__ = ["Model", "Result", "Scenario", "TcoError", "load"]

_HOMES = {
    "load": "tco.session",
    "Scenario": "tco.session",
    "Model": "tco.model",
    "Result": "tco.result",
    "TcoError": "tco.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module `tco` has no `{name}`")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)

"""NREL's System Advisor Model, which sends its own bills and computes its own projects: `make oracle` installs it.

It is large (47 MB, 230 MB installed) and not there for every platform. Without it these tests are skipped, and the end
of the run says so; `.ci/run` sets TCO_REQUIRE_ORACLE=1, with which they fail.
"""

from __future__ import annotations

import importlib.util
import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def oracle() -> None:
    """SAM is there, or nothing here can be compared."""
    if importlib.util.find_spec("PySAM"):
        return
    sentence = "needs NREL-PySAM (make oracle)"
    if os.environ.get("TCO_REQUIRE_ORACLE") == "1":
        pytest.fail(f"{sentence}; nothing may be skipped with TCO_REQUIRE_ORACLE=1", pytrace=False)
    pytest.skip(sentence)

"""Pages as PDF, through WeasyPrint: the extra `pdf`, which nothing else needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tco.errors import OutputError
from tco.request.drawn import drawn

MISSING = (
    "--pdf needs WeasyPrint, which is not installed or lacks Pango: install `tco-engine[pdf]` (Debian, Ubuntu: "
    "`apt-get install libpangoft2-1.0-0` too), or leave --pdf out and print the HTML from a browser; "
    "nothing was written"
)


def printer() -> Callable[[str], bytes]:
    """What turns a page into a PDF. Raises OutputError that says what to install."""
    try:
        import weasyprint  # pyright: ignore[reportMissingImports, reportMissingTypeStubs]
    except (ImportError, OSError) as error:
        raise OutputError(MISSING) from error
    made: Any = weasyprint

    def printed(html: str) -> bytes:
        return bytes(made.HTML(string=drawn(html), url_fetcher=_refuse).write_pdf())

    return printed


def _refuse(address: str, *_: Any, **__: Any) -> Any:
    """Nothing of a page is loaded from elsewhere."""
    raise ValueError(f"a page of tco loads nothing, and asked for {address[:80]}")

"""The pack: cover, report, workbook, quotes and scenario, tied together by digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tco.errors import OutputError, Problem, ScenarioError
from tco.request.amount_words import kind_words, tie_words
from tco.request.approvals import chain
from tco.request.asked import Asked, asked
from tco.request.cover import Tied, cover
from tco.request.quotes_table import quotes_csv
from tco.request.rules import findings, status, told
from tco.session import Scenario

FORMAT = 1
WORKBOOK, COVER, MANIFEST = "{}.xlsx", "{}-request.html", "{}-request.json"
TIED = {
    "{}.html": "report",
    WORKBOOK: "workbook with live formulas",
    "{}-quotes.csv": "every line of every quote",
    "{}-request.yaml": "scenario, byte for byte",
    "{}.pdf": "report, printed",
}
"""Files whose digests stand on the cover, by the pattern of their names."""
PRINTED_COVER = "{}-request.pdf"
PATTERNS = (*TIED, COVER, PRINTED_COVER, MANIFEST)
RERUN = ("{}.html", "{}.pdf")
"""A report is made anew by every run, so that none is refused; a workbook is watched as `tco run` does."""


@dataclass(frozen=True)
class Pack:
    """Contents by name, and what to say of them."""

    asked: Asked
    contents: dict[str, bytes]
    status: str


def build(scenario: Scenario, name: str, fleet: str | None, printed: Callable[[str], bytes] | None) -> Pack:
    """Everything in memory: nothing is written before all of it is there. Raises ScenarioError."""
    source = _source(scenario)
    request = asked(scenario.content, scenario.run(), fleet)
    found = findings(request)
    contents = _tied(request, name, source, printed)
    tied = [Tied(_of(name, pattern), what, _digest(contents[_of(name, pattern)]), len(contents[_of(name, pattern)]))
            for pattern, what in TIED.items() if _of(name, pattern) in contents]  # fmt: skip
    page = cover(request, tied)
    contents[_of(name, COVER)] = page.encode()
    if printed:
        contents[_of(name, PRINTED_COVER)] = printed(page)
    contents[_of(name, MANIFEST)] = _manifest(request, contents).encode()
    return Pack(request, contents, status(found))


def _tied(request: Asked, name: str, source: bytes, printed: Callable[[str], bytes] | None) -> dict[str, bytes]:
    from tco.report import render
    from tco.workbook import build as workbook

    # The workbook is that of `tco run`, so that readback finds nothing added; the report tells the rules too.
    book = workbook(request.result)
    request.result.warnings += told(request, findings(request))
    report, quotes = render(request.result), quotes_csv(request)
    made = {"{}.html": report.encode(), WORKBOOK: book}
    if quotes:
        made["{}-quotes.csv"] = quotes.encode()
    made["{}-request.yaml"] = source
    if printed:
        made["{}.pdf"] = printed(report)
    return {_of(name, pattern): content for pattern, content in made.items()}


def _source(scenario: Scenario) -> bytes:
    """The bytes of the scenario file, which must be those that were read. Raises ScenarioError."""
    document = scenario.document
    try:
        content = Path(document.file).read_bytes()
    except OSError:
        content = b""
    if _digest(content) != document.sha256:
        raise ScenarioError([Problem("was changed while it was read; run again", file=document.file)])
    return content


def _of(name: str, pattern: str) -> str:
    return pattern.replace("{}", name)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _manifest(request: Asked, contents: dict[str, bytes]) -> str:
    """What programs read: the request, the rules, the digests of all other files."""
    amount, section = request.amount, request.request
    held: dict[str, Any] = {
        "format": FORMAT,
        "request": {key: getattr(section, key) for key in
                    ("id", "requester", "department", "cost_centre", "purpose", "needed_by")},
        "fleet": request.fleet.id,
        "recommended": request.result.recommended,
        "amount": {"value": amount.value, "currency": request.currency, "period": amount.period, "bound": amount.bound,
                   "called": amount.called, "what": kind_words(request), "later": amount.later,
                   "parts": [asdict(part) for part in amount.parts],
                   "total_cost": amount.total, "beside": amount.beside, "tie": tie_words(request)},
        "status": status(findings(request)),
        "rules": [{"rule": one.rule, "state": one.state, "text": one.text} for one in findings(request)],
        "approvers": [asdict(one) for one in chain(request)],
        "scenario": {key: request.result.scenario[key] for key in ("title", "file", "sha256", "as_of", "currency")},
        "engine": request.result.engine,
        "files": [{"name": name, "sha256": _digest(one), "bytes": len(one)} for name, one in contents.items()],
    }  # fmt: skip
    return json.dumps(held, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def refuse_changed(folder: Path, pack: Pack, name: str) -> None:
    """Files that were changed since tco wrote them, or are not of tco, stay. Raises OutputError."""
    from tco.batch import known_digests, refuse_edited

    known = _written(folder, name)
    for file in pack.contents:
        if file == _of(name, WORKBOOK):
            refuse_edited(folder / file, [*known_digests(folder / f".{name}.tco"), *known.values()])
        elif file not in (*(_of(name, pattern) for pattern in RERUN), _of(name, MANIFEST)):
            refuse_edited(folder / file, list(known.values()))


def outdated(folder: Path, pack: Pack, name: str) -> list[str]:
    """Files of the last pack that this one does not hold, unchanged: left behind they would belong to nothing."""
    mine = {_of(name, pattern) for pattern in PATTERNS} - set(pack.contents)
    return [file for file, digest in _written(folder, name).items() if file in mine and _is(folder / file, digest)]


def _is(path: Path, digest: str) -> bool:
    try:
        return _digest(path.read_bytes()) == digest
    except OSError:
        return False


def _written(folder: Path, name: str) -> dict[str, str]:
    """Digests of the last pack, by file; none when there is no manifest, or it is not ours."""
    try:
        files = json.loads((folder / _of(name, MANIFEST)).read_text(encoding="utf-8"))["files"]
        return {str(file["name"]): str(file["sha256"]) for file in files}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def write(folder: Path, pack: Pack, name: str, *, force: bool) -> None:
    """All files of the pack or none. Raises OutputError."""
    from tco.batch import known_digests
    from tco.request.writing import write_together

    for file in pack.contents:
        if (folder / file).is_dir():
            raise OutputError(f"{folder / file}: is a folder; choose another --out")
    if not force:
        refuse_changed(folder, pack, name)
    mark = f".{name}.tco"
    digests = [_digest(pack.contents[_of(name, WORKBOOK)]), *known_digests(folder / mark)[:1]]
    marked = {mark: ("\n".join(dict.fromkeys(digests)) + "\n").encode()}
    write_together(folder, {**marked, **pack.contents}, outdated(folder, pack, name))  # the manifest comes last

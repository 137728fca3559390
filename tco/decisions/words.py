"""Answers of a goal seek in sentences: what console, report and workbook say alike."""

from __future__ import annotations

from tco.decisions.search import ABLE, CANNOT, LESS, MORE, SAME, Search, Step, Turn
from tco.decisions.solve import Solved
from tco.export import shown_unit
from tco.result import Result
from tco.wording import listed, plain

MOST = 8
"""Places of one question that are printed; the JSON holds all."""

DIGITS = 10


def number(value: float, unit: str = "") -> str:
    """Ten digits, so that the value can be put into the scenario."""
    return f"{value:,.{DIGITS}g} {unit}".strip()


def title(found: Solved) -> str:
    """`electricity.price until total_cost[a] = 3 USD`."""
    return f"{found.one.text} until {found.wish.text}"


def now(found: Solved) -> str:
    """What stands there now and what that gives; empty where nothing stands."""
    if found.today is None:
        return "not stated now"
    told = f"now {number(found.today, found.one.unit)}"
    if found.now is None or found.wish.cheapest:
        return told
    return f"{told}, which gives {found.wish.left} = {_amount(found, found.now)}"


def ends(found: Solved, search: Search) -> str:
    """`between a and b`."""
    return f"between {number(search.low, found.one.unit)} and {number(search.high, found.one.unit)}"


def _amount(found: Solved, value: float) -> str:
    return f"{plain(value)} {found.wish.unit}".strip()


def rows(found: Solved, result: Result) -> list[tuple[str, str]]:
    """Each place: the value, and what changes there."""
    search = found.answer
    return [(number(turn.value, found.one.unit), told(found, turn, result)) for turn in search.turns[:MOST]]


def told(found: Solved, turn: Turn, result: Result) -> str:
    """One place in a sentence."""
    if turn.kind == "pole":
        return f"no answer: {found.wish.left} has no value there (it grows beyond bounds on both sides)"
    if turn.kind == "touch":
        return f"{_sides(found)} meet only here; {_state(found, turn.below)} on both sides"
    text = f"{_state(found, turn.below)} below it, {_state(found, turn.above, turn.below)} above it"
    jump = _jump(found, turn, result)
    return f"{text}; {jump}" if jump else text


def _sides(found: Solved) -> str:
    return "the costs" if found.wish.cheapest else "the two sides"


def _state(found: Solved, word: str, after: str = "") -> str:
    """How it stands; shortly after another state."""
    brief = after not in ("", CANNOT)
    if found.wish.cheapest:
        return (word if brief else f"{word} costs least") if word else "no fleet can do the work"
    if word == CANNOT:
        return _cannot(found)
    signs = {LESS: ("less", "than"), MORE: ("more", "than"), SAME: ("equal", "to")}
    sign, to = signs[word]
    target = found.wish.right or _amount(found, found.wish.value)
    return sign if brief else f"{found.wish.left} is {sign} {to} {target}"


def _cannot(found: Solved) -> str:
    fleets = found.wish.fleets
    kept = "as it was chosen " if found.anew is None else ""
    return f"{' or '.join(fleets)} {kept}cannot do the work"


def _jump(found: Solved, turn: Turn, result: Result) -> str:
    """Why the side jumps, with the neighbouring values, where it does."""
    if turn.kind not in ("jump", "limit"):
        return ""
    steps = [_step(step, result) for step in turn.steps[:3]]
    because = f" ({listed(steps)})" if steps else ""
    if turn.kind == "limit":
        return because.strip()
    if found.wish.cheapest:
        return f"a step{because}, not equal costs" if steps else "a jump, not equal costs"
    before, after = (_amount(found, one) if one is not None else "–" for one in turn.found)
    return f"it jumps from {before} to {after}{because}"


def _step(step: Step, result: Result) -> str:
    if step.name == ABLE:
        return f"{step.fleet} can do the work as asked only {'above' if step.after else 'below'} it"
    model = result.by_id[step.fleet].model
    given = model.lines.get(step.name) or model.inputs.get(step.name)
    label = given.label if given else step.name
    when = f" in {result.timeline.labels[step.period]}" if step.period is not None else ""
    return f"{label} of {step.fleet} from {step.before:,.4g} to {step.after:,.4g}{when}"


def verdict(found: Solved) -> str:
    """Whether and where the wish holds, in a sentence."""
    search = found.answer
    where = ends(found, search)
    if not search.turns:
        if _holds(found, search.start):
            return f"holds everywhere {where}"
        return f"not reachable {where}: {_throughout(found, search)}{_nearest(found, search)}"
    return "; ".join(_spans(found, search)) or f"not reached {where}{_nearest(found, search)}"


def _throughout(found: Solved, search: Search) -> str:
    """Of the cheapest fleet only what is looked for is followed: who else leads is known at the ends."""
    if not found.wish.cheapest or search.start == search.end:
        told = _state(found, search.start)
        return f"{told} at both ends" if found.wish.cheapest else f"{told} throughout"
    return f"{_state(found, search.start)} at the lower end, {_state(found, search.end)} at the upper"


def _spans(found: Solved, search: Search) -> list[str]:
    """Where it holds, from value to value."""
    unit, told, start = found.one.unit, list[str](), search.low
    open_ = _holds(found, search.start)
    for turn in search.turns:
        after = _holds(found, turn.above)
        if open_ and not after:
            told.append(
                f"holds from {number(start, unit)} to {number(turn.value if turn.met else turn.sides[0], unit)}"
            )
        elif not open_ and not after and turn.met:
            told.append(f"holds at {number(turn.value, unit)}")
        elif after and not open_:
            start = turn.value if turn.met else turn.sides[1]
        open_ = after
    if open_:
        told.append(f"holds from {number(start, unit)} to {number(search.high, unit)}")
    return told


def _holds(found: Solved, word: str) -> bool:
    if found.wish.cheapest:
        return word == found.wish.cheapest
    return word in {"<=": (LESS, SAME), ">=": (MORE, SAME), "=": (SAME,)}[found.wish.operator]


def _nearest(found: Solved, search: Search) -> str:
    if search.nearest is None or found.wish.cheapest:
        return ""
    value, line = search.nearest
    return f"; nearest at {number(value, found.one.unit)}: {_amount(found, line)}"


def how(found: Solved) -> str:
    """Whether deployments were kept or chosen anew, and whether that matters."""
    checks = f"checked by {found.checked} runs of the scenario"
    if found.asked.frozen:
        return f"deployments kept as they were chosen; {checks}"
    if found.kept is None:
        return f"deployments chosen anew at each value; they cannot be kept ({found.lost})"
    if found.anew is None:
        return f"deployments kept as they were chosen; chosen anew they give the same ({checks})"
    return "deployments chosen anew at each value; kept as they were chosen the answer is another (see --frozen)"


def unit_of(result: Result, unit: str) -> str:
    """With the currency."""
    return shown_unit(unit, result.scenario["currency"])

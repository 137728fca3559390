"""Nothing that is stated may be ignored in silence: what cannot count is a problem at its place."""

from __future__ import annotations

from tco.lines.library import all_names
from tco.scenario.paths import Path
from tco.scenario.plan import Context, Plan
from tco.scenario.schema import Fleet
from tco.scenario.walk import leaves

HARDWARE_ONLY = ("precision", "framework", "purchase", "ramp", "measured", "deployment", "cooling")
"""Keys of a fleet that say something about machines; an API has none."""


BY_METER = ("tariff", "ratchet", "earlier_peaks", "meter")
"""Keys about electricity that feed no input by themselves; only who pays the supplier has a use for them."""

TRAINING_ONLY = ("optimizer", "zero", "recompute", "offload", "loss", "attention")
"""Words of a deployment that say how a model is trained."""


def name_ignored(context: Context, fleet: Fleet, plan: Plan) -> None:
    """A problem for each key of the fleet that its way to pay or its kind of work has no use for."""
    whose = f"a fleet that is paid by {plan.payment}, in {plan.kind}"
    taken = {name for part in plan.chapters for name in part.givens}
    unused = list[Path]()
    if plan.payment == "api":
        unused += [(name,) for name in HARDWARE_ONLY if name in fleet.model_fields_set]
    if plan.payment in ("rent", "api") and fleet.electricity:
        unused += [("electricity", key) for key in BY_METER if getattr(fleet.electricity, key) is not None]
    if plan.kind == "inference" and fleet.deployment:
        unused += [("deployment", name) for name in TRAINING_ONLY if getattr(fleet.deployment, name) is not None]
    for inside, leaf, _ in leaves(fleet):
        name = leaf.feeds or (str(inside[-1]) if inside[0] == "deployment" else None)
        beside = inside[0] in ("inputs", "measured", plan.payment) or inside[:1] in unused
        if name and name in all_names() and name not in taken and not beside:
            unused.append(inside)
    for inside in unused:
        context.problems.add(
            (*plan.path, *inside), f"`{inside[-1]}` has no meaning for {whose}; leave it out", key=True
        )


def name_twice(context: Context, fleet: Fleet, plan: Plan) -> None:
    """A problem for each input that stands under `inputs:` and at its own place too."""
    for owner, path in ((context.scenario, ()), (fleet, plan.path)):
        if not owner.inputs:
            continue
        elsewhere = {leaf.feeds: inside for inside, leaf, _ in leaves(owner) if leaf.feeds and inside[0] not in _OTHERS}
        for name in set(owner.inputs) & set(elsewhere):
            told = f"is stated at `{'.'.join(map(str, elsewhere[name]))}` too; keep one of them"
            context.problems.add((*path, "inputs", name), told, key=True)


_OTHERS = ("inputs", "fleets", "pin", "fx", "measured")


def name_replaced(context: Context, fleet: Fleet, plan: Plan) -> None:
    """A problem for each stated input that something else decides."""
    for owner, path in ((context.scenario, ()), (fleet, plan.path)):
        for name in owner.inputs:
            place: Path = (*path, "inputs", name)
            found = plan.found.figures.get(name)
            if found is None or plan.found.paths.get(name, ()) == place:
                continue
            if found.origin != "scenario" and not found.origin.startswith("catalogue"):
                told = f"`{name}` follows from {found.source or found.origin}; it cannot be stated here"
                context.problems.add(place, told, key=True)

"""What the search may choose: axes of options, each of which sets one input or several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.figures import Figure
from tco.model import Model

Column = NDArray[np.float64]
Figures = Mapping[str, Figure]
Words = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By key of the deployment, then word: the inputs that it sets."""

SIZES = sorted({round(2 ** (power / 4)) for power in range(49)})
"""Requests in flight that are tried: 1 to 4,096, about 19 % apart."""

STAGES = (1, 2, 4)
"""Stages of a replica that are tried: of deeper pipelines, measurements reach two thirds of the estimate."""

SYSTEMS = sorted({*range(1, 257), *(round(256 * 1.02**power) for power in range(1, 211))})
"""Systems that hold the states of a run: every number up to 256, then 2 % apart to 16,000."""

FEW_SYSTEMS = sorted({round(2 ** (power / 2)) for power in range(25)})
"""The same where a layer or the stack of layers is divided too: 1 to 4,096."""

MICRO_BATCHES = (1, 2, 4, 8)
PIPELINES = (1, 2, 4, 8)
POWERS = tuple(2**power for power in range(15))


@dataclass(frozen=True)
class Axis:
    """Options of one decision, those to be preferred among equals first; `words` names them where they have names."""

    name: str
    columns: dict[str, list[float]]
    words: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))


@dataclass(frozen=True)
class Grid:
    """Every combination of the axes: inputs as columns of shape (batch, 1), and the option of each axis."""

    axes: list[Axis]
    columns: dict[str, Column]
    places: NDArray[np.int64]

    @classmethod
    def of(cls, axes: list[Axis]) -> Grid:
        """The first axis changes slowest."""
        places = np.indices([len(axis) for axis in axes]).reshape(len(axes), -1)
        columns = {
            name: np.array(options, dtype=float)[place].reshape(-1, 1)
            for axis, place in zip(axes, places, strict=True)
            for name, options in axis.columns.items()
        }
        return cls(axes, columns, places)

    def __len__(self) -> int:
        return self.places.shape[1]

    def values(self, index: int) -> dict[str, float]:
        """The inputs of one candidate."""
        return {name: float(column[index, 0]) for name, column in self.columns.items()}

    def words(self, index: int) -> dict[str, str]:
        """The words of one candidate, by axis."""
        named = [(axis, place) for axis, place in zip(self.axes, self.places[:, index], strict=True) if axis.words]
        return {axis.name: axis.words[place] for axis, place in named}


def is_open(figures: Figures, name: str) -> bool:
    """Nobody has stated it."""
    return name not in figures or figures[name].origin == "default"


def axes(model: Model, figures: Figures, words: Words, headline: str, *, wide: bool = False) -> list[Axis]:
    """What the user left open. `wide` divides layers of a run too, which costs time that no line knows."""
    priced = _behind(model, [headline])
    found = list[Axis]()
    if "gpus_per_replica" in model.inputs:
        measured = "measured_output" in model.inputs and "measured_concurrency" in figures
        found += [_as_measured(model, figures)] if measured else [_replicas(model, figures), _batches(figures)]
    if "shard_gpus" in model.inputs:
        found += [_named(key, options) for key, options in words.items() if _sets(options) & priced]
        if "micro_batch" in priced and is_open(figures, "micro_batch"):
            found.append(Axis("micro_batch", {"micro_batch": list(map(float, MICRO_BATCHES))}))
        found.append(_divided(figures) if wide else _shards(figures))
    return [axis for axis in (_free(axis, model, figures) for axis in found) if axis.columns]


def _behind(model: Model, lines: Iterable[str]) -> Set[str]:
    return set(model.inputs_of(lines))


def _sets(options: Mapping[str, Mapping[str, float]]) -> Set[str]:
    return {name for values in options.values() for name in values}


def _named(key: str, options: Mapping[str, Mapping[str, float]]) -> Axis:
    names = next(iter(options.values()))
    return Axis(key, {name: [values[name] for values in options.values()] for name in names}, tuple(options))


def _free(axis: Axis, model: Model, figures: Figures) -> Axis:
    """Without inputs that the model does not read or the user has stated: all options agree with those."""
    kept = {
        name: values
        for name, values in axis.columns.items()
        if name in model.inputs and (axis.words or is_open(figures, name))
    }
    return Axis(axis.name, kept, axis.words)


# --- serving ---


def _replicas(model: Model, figures: Figures) -> Axis:
    """GPUs of a replica and its stages; GPUs that share a layer are a power of two, or the whole system."""
    size = number(figures, "gpus_per_system")
    linked = "link_bandwidth" in figures
    alone = ("one_stream" in figures and number(figures, "one_stream") > 0) or "pipeline_stages" not in _behind(
        model, ("per_token_time", "fits")
    )
    stages = [1] if alone or not linked else list(STAGES)
    if not is_open(figures, "pipeline_stages"):
        stages = [round(number(figures, "pipeline_stages"))]
    if not is_open(figures, "gpus_per_replica"):
        whole = number(figures, "gpus_per_replica")
        pairs = [(whole, deep) for deep in stages if deep == 1 or whole / deep in POWERS] or [(whole, stages[0])]
    else:
        shares = {*(power for power in POWERS if power < size), size} if linked else {1}
        pairs = [(share * deep, deep) for deep in stages for share in shares if _inside(share, deep, size)]
    pairs = sorted(pairs) or [(float(stages[0]), stages[0])]
    replicas, deeps = ([float(pair[place]) for pair in pairs] for place in (0, 1))
    return Axis("replica", {"gpus_per_replica": replicas, "pipeline_stages": deeps})


def _as_measured(model: Model, figures: Figures) -> Axis:
    """Replicas, each with its part of the requests that were in flight on the system."""
    axis = _replicas(model, figures)
    size, flight = number(figures, "gpus_per_system"), number(figures, "measured_concurrency")
    sizes = axis.columns["gpus_per_replica"]
    each = [max(flight / max(size // gpus, 1.0), 1.0) for gpus in sizes]
    return Axis(axis.name, {**axis.columns, "concurrency": each})


def _inside(share: float, deep: int, size: float) -> bool:
    return share * deep <= size and (deep == 1 or share in POWERS)


def _batches(figures: Figures) -> Axis:
    """As many as the engine runs at once, and no more."""
    limit = math.floor(number(figures, "batch_limit")) if "batch_limit" in figures else SIZES[-1]
    sizes = sorted({*(size for size in SIZES if size <= limit), min(limit, SIZES[-1])})
    return Axis("concurrency", {"concurrency": list(map(float, sizes))})


# --- training ---


def _shards(figures: Figures) -> Axis:
    """Whole systems that hold whole copies of the model."""
    every = _whole(figures, number(figures, "tensor_parallel") * number(figures, "pipeline_parallel"))
    counts = SYSTEMS if _spans(figures) else [1]
    return Axis("shards", {"shard_gpus": [float(every * count) for count in counts]})


def _divided(figures: Figures) -> Axis:
    """Layers divided inside a system, the stack of layers into stages; the fewest GPUs a copy first."""
    tensors, pipelines = (
        [float(option) for option in options] if is_open(figures, name) else [number(figures, name)]
        for name, options in (("tensor_parallel", POWERS), ("pipeline_parallel", PIPELINES))
    )
    inside = [tensor for tensor in tensors if tensor <= number(figures, "gpus_per_system")] or tensors[:1]
    copies = sorted((tensor * deep, deep, tensor) for tensor in inside for deep in pipelines)
    options = [(tensor, deep, shards) for copy, deep, tensor in copies for shards in _divided_shards(figures, copy)]
    names = ("tensor_parallel", "pipeline_parallel", "shard_gpus")
    return Axis("shards", {name: [option[place] for option in options] for place, name in enumerate(names)})


def _divided_shards(figures: Figures, copy: float) -> list[float]:
    if not is_open(figures, "shard_gpus"):
        stated = number(figures, "shard_gpus")
        return [] if stated % copy else [stated]
    every, spans = _whole(figures, copy), _spans(figures)
    if not spans and every > number(figures, "gpus_per_system"):
        return []
    return [float(every * count) for count in (FEW_SYSTEMS if spans else [1])]


def _whole(figures: Figures, copy: float) -> int:
    return math.lcm(max(round(number(figures, "gpus_per_system")), 1), max(round(copy), 1))


def _spans(figures: Figures) -> bool:
    """A run spans systems only where they are networked."""
    return "scale_out" not in figures or number(figures, "scale_out") > 0


def number(figures: Figures, name: str) -> float:
    """The input's one number; 1 where it is not known."""
    return figures[name].number if name in figures and figures[name].is_one else 1.0

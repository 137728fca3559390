"""What an architecture is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Heads:
    """Query heads, the key-value heads they share, and the width of each."""

    queries: int
    pairs: int
    key_width: int
    value_width: int


@dataclass(frozen=True)
class Latent:
    """Multi-head latent attention: ranks and widths."""

    query_rank: int
    rank: int
    plain_width: int
    rotated_width: int
    value_width: int


@dataclass(frozen=True)
class Recurrent:
    """A gated linear-attention layer: a state of fixed size instead of a cache."""

    key_heads: int
    value_heads: int
    key_width: int
    value_width: int
    kernel: int


@dataclass(frozen=True)
class FeedForward:
    """Dense layers and layers of experts; widths are of one matrix."""

    dense_layers: int
    dense_width: int
    expert_layers: int = 0
    experts: int = 1
    chosen: int = 1
    expert_width: int = 0
    shared_width: int = 0


@dataclass(frozen=True)
class Architecture:
    """All of it."""

    hidden: int
    kinds: tuple[str, ...]
    heads: Heads
    full_heads: Heads
    window_heads: Heads
    window: int
    latent: Latent | None
    recurrent: Recurrent | None
    feed_forward: FeedForward
    vocabulary: int
    context: int
    drafts: int

    @property
    def layers(self) -> int:
        """Layers, drafting ones apart."""
        return len(self.kinds)

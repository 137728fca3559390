"""Order in a graph of lines: circles to refuse, groups to compute together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Graph = Mapping[str, Sequence[str]]


def components(graph: Graph) -> list[tuple[str, ...]]:
    """Strongly connected components, each after the ones it reads (Tarjan 1972), without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    found: list[tuple[str, ...]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        waiting.add(root)
        while work:
            name, parents = work[-1]
            step = next(parents, None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    cut = stack.index(name)
                    found.append(tuple(stack[cut:]))
                    waiting.difference_update(stack[cut:])
                    del stack[cut:]
            elif step not in index:
                index[step] = low[step] = len(index)
                stack.append(step)
                waiting.add(step)
                work.append((step, iter(graph[step])))
            elif step in waiting:
                low[name] = min(low[name], index[step])
    return found


def circles(graph: Graph) -> list[tuple[str, ...]]:
    """One circle of each group of lines that read each other within the same period, as each reads the next."""
    groups = [group for group in components(graph) if any(parent in group for name in group for parent in graph[name])]
    return [_shortest(graph, next(name for name in graph if name in group), group) for group in groups]


def _shortest(graph: Graph, start: str, group: tuple[str, ...]) -> tuple[str, ...]:
    """The shortest way from a line back to itself."""
    paths: list[tuple[str, ...]] = [(start,)]
    for path in paths:
        for parent in graph[path[-1]]:
            if parent == start:
                return path
            if parent in group and not any(parent in known for known in paths):
                paths.append((*path, parent))
    return group


def ordered_groups(graph: Graph, present: Graph) -> list[tuple[str, ...]]:
    """Groups in an order in which they can be computed; inside a group by what the same period needs."""
    groups: list[tuple[str, ...]] = []
    for group in components(graph):
        if len(group) == 1:
            groups.append(group)
            continue
        members = set(group)
        inner = {name: [parent for parent in present[name] if parent in members] for name in graph if name in members}
        groups.append(tuple(name for part in components(inner) for name in part))
    return groups

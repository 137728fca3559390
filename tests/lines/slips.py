"""Planted slips: every line as a tired author might have mistyped it."""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tco import vocabulary
from tco.declare import Line
from tests.lines.examples import source_of, unit_of

SUMS, PRODUCTS = (ast.Add, ast.Sub), (ast.Mult, ast.Div)
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE), ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE),
}  # fmt: skip
OTHER_WORD = {
    "minimum": "maximum", "maximum": "minimum", "ceil": "floor", "floor": "ceil", "both": "either", "either": "both",
    "total": "highest", "highest": "total", "cumulative": "total",
}  # fmt: skip
LIKE_SIGN = {"maximum", "minimum", "both", "either"}
DROPPED_WORDS = {
    "ceil", "floor", "lag", "cumulative", "highest", "square_root", "logarithm", "total", "by_age", "tiered",
}  # fmt: skip


@dataclass(frozen=True)
class Slip:
    """A line that differs from the real one in one place."""

    line: Line
    kind: str
    text: str

    @property
    def key(self) -> str:
        """How the list of equivalents names it."""
        return f"{self.line.chapter}.{self.line.name}: {self.text}"


def slips(item: Line) -> list[Slip]:
    """Every slip of one line; the same formula reached in two ways counts once."""
    tree = _tree(item)
    seen = {_meaning(tree)}
    found: list[Slip] = []
    for kind, changed in _changes(item, tree):
        meaning = _meaning(changed)
        if meaning not in seen:
            seen.add(meaning)
            found.append(Slip(replace(item, function=_compiled(item, changed)), kind, _text(changed)))
    return found


def unchanged(item: Line) -> Slip:
    """The line itself, taken through the same mill."""
    tree = _tree(item)
    return Slip(replace(item, function=_compiled(item, tree)), "none", _text(tree))


def _tree(item: Line) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(source_of(item))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    tree.decorator_list = []
    return tree


def _text(tree: ast.FunctionDef) -> str:
    return "; ".join(ast.unparse(part).removeprefix("return ") for part in tree.body if not _is_doc(part))


def _is_doc(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


def _compiled(item: Line, tree: ast.FunctionDef) -> Callable[..., Any]:
    module = ast.fix_missing_locations(ast.Module([tree], []))
    space: dict[str, Any] = {**vars(vocabulary), **item.function.__globals__}
    exec(compile(module, f"<slip of {item.name}>", "exec"), space)
    return space[item.name]


def _meaning(tree: ast.FunctionDef) -> str:
    """The formula as text, in which `a - b - c` and `a - c - b` are the same."""

    def of(part: Any) -> str:
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Pow):
            return f"({of(part.left)}**{of(part.right)})"
        if isinstance(part, ast.BinOp):
            pair = SUMS if isinstance(part.op, SUMS) else PRODUCTS
            return f"({' '.join(sorted(sign + of(leaf) for sign, leaf in _chain(part, pair)))})"
        if isinstance(part, ast.Call):
            arguments = [of(arg) for arg in part.args] + [f"{word.arg}={of(word.value)}" for word in part.keywords]
            name = ast.unparse(part.func)
            return f"{name}({','.join(sorted(arguments) if name in LIKE_SIGN else arguments)})"
        if isinstance(part, ast.Compare):
            return f"{of(part.left)}{type(part.ops[0]).__name__}{of(part.comparators[0])}"
        if isinstance(part, ast.UnaryOp):
            return f"-{of(part.operand)}"
        if isinstance(part, ast.Assign):
            return f"{ast.unparse(part.targets[0])}={of(part.value)}"
        return of(part.value) if isinstance(part, ast.Return) else ast.unparse(part)

    return "; ".join(of(part) for part in tree.body if not _is_doc(part))


def _chain(part: ast.expr, pair: tuple[type[ast.operator], ...], sign: bool = True) -> list[tuple[str, ast.expr]]:
    """The terms of a sum, or the factors of a product, each with the sign or side that it ends up with."""
    if isinstance(part, ast.BinOp) and isinstance(part.op, pair):
        turned = sign != isinstance(part.op, pair[1])
        return [*_chain(part.left, pair, sign), *_chain(part.right, pair, turned)]
    return [(("+-" if pair == SUMS else "*/")[not sign], part)]


# --- what can go wrong ---


def _changes(item: Line, tree: ast.FunctionDef) -> Iterator[tuple[str, ast.FunctionDef]]:
    """A changed copy of the function for every place and every slip that fits there."""
    yield from _swapped_names(item, tree)
    body = [part for part in tree.body if not _is_doc(part)]
    places = [part for statement in body for part in ast.walk(statement) if isinstance(part, ast.expr)]
    for place in places:
        for kind, new in _instead(place):
            yield kind, _with(tree, place, new)


def _with(tree: ast.FunctionDef, old: ast.expr, new: ast.expr) -> ast.FunctionDef:
    class Put(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return copy.deepcopy(new) if node is old else self.generic_visit(copy.copy(node))

        def generic_visit(self, node: ast.AST) -> ast.AST:
            for name, value in ast.iter_fields(node):
                if isinstance(value, list):
                    setattr(node, name, [self.visit(x) if isinstance(x, ast.AST) else x for x in value])
                elif isinstance(value, ast.AST):
                    setattr(node, name, self.visit(value))
            return node

    return Put().visit(tree)


def _instead(place: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(place, ast.BinOp):
        yield from _of_operation(place)
    elif isinstance(place, ast.UnaryOp):
        yield "sign dropped", place.operand
    elif isinstance(place, ast.Compare):
        for other in COMPARISONS[type(place.ops[0])]:
            yield "comparison", ast.Compare(place.left, [other()], place.comparators)
    elif isinstance(place, ast.Constant) and place.value in (0, 1):
        yield "0 for 1", ast.Constant(1 - place.value)
    elif isinstance(place, ast.Call) and isinstance(place.func, ast.Name):
        yield from _of_word(place, place.func.id)


def _of_operation(place: ast.BinOp) -> Iterator[tuple[str, ast.expr]]:
    for operator in (*SUMS, *PRODUCTS):
        if not isinstance(place.op, operator):
            yield "operator", ast.BinOp(place.left, operator(), place.right)
    if isinstance(place.op, (ast.Sub, ast.Div, ast.Pow)):
        yield "sides swapped", ast.BinOp(place.right, place.op, place.left)
    yield "right side dropped", place.left
    yield "left side dropped", place.right


def _of_word(place: ast.Call, word: str) -> Iterator[tuple[str, ast.expr]]:
    args = place.args
    if word == "where":
        yield "arms swapped", ast.Call(place.func, [args[0], args[2], args[1]], [])
        yield from (("condition dropped", arm) for arm in args[1:] if not isinstance(arm, ast.Constant))
    if word in OTHER_WORD:
        yield "word swapped", ast.Call(ast.Name(OTHER_WORD[word], ast.Load()), args, place.keywords)
    if word in LIKE_SIGN:
        yield from (("argument dropped", arg) for arg in args)
    if word in DROPPED_WORDS:
        yield "word dropped", args[0]
    for keyword in place.keywords:
        yield "keyword dropped", ast.Call(place.func, args, [other for other in place.keywords if other is not keyword])


def _swapped_names(item: Line, tree: ast.FunctionDef) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Parents of the same kind exchanged, everywhere or in one place."""
    names = [part for part in ast.walk(ast.Module(tree.body, [])) if isinstance(part, ast.Name)]
    for first, second in combinations(item.parameters, 2):
        units = [unit_of(name, item.chapter) for name in (first, second)]
        if None in units or not units[0].is_compatible_with(units[1]):
            continue
        both = {first: second, second: first}
        changed = tree
        for place in [part for part in names if part.id in both]:
            yield "name", _with(tree, place, ast.Name(both[place.id], ast.Load()))
        changed = copy.deepcopy(tree)
        for part in ast.walk(ast.Module(changed.body, [])):
            if isinstance(part, ast.Name) and part.id in both:
                part.id = both[part.id]
        yield "names swapped", changed

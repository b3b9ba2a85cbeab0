"""A mark on node functions: that one compares two figures of one quantity, and how far they may lie apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from runlineage.catalogs.base.errors import GraphError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Comparison:
    """What a node compares: the `figure`, one of its parameters, with `against`, what the others give, in words.

    The node returns figure ÷ against. Beyond their rounding the two are close within the shares `below` and `above`
    one, `because` of what these say; `is_bound` says that no fact of nature lets the ratio be above one. `causes` name
    what may explain the ratio.
    """

    figure: str
    against: str
    below: float
    above: float
    because: str
    is_bound: bool = False
    causes: tuple[str, ...] = ()


def compares(
    figure: str,
    against: str,
    *,
    within: float = 0.0,
    below: float | None = None,
    above: float | None = None,
    because: str = "",
    causes: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Mark a node that returns the ratio of a figure to what other facts give of the same quantity.

    `within` is the share by which the two may differ for a reason that `because` gives, and that is no contradiction;
    `below` and `above` tell the two sides apart.

    >>> @compares("metered_energy", "hours × power", within=0.1, because="power varies")
    ... def metered_to_power(metered_energy: float, hours: float, power: float) -> float:
    ...     return metered_energy / (hours * power)
    >>> print(metered_to_power.comparison.figure, metered_to_power.comparison.above)
    metered_energy 0.1
    """
    sides = (within if below is None else below, within if above is None else above)
    return _marked(Comparison(figure, against, *sides, because, causes=causes))


def bounded(
    figure: str, against: str, *, above: float = 0.0, because: str = "", causes: tuple[str, ...] = ()
) -> Callable[[F], F]:
    """Mark a node that returns the ratio of a figure to the most that it can be.

    >>> @bounded("hours_used", "hours there were", because="no clock runs faster")
    ... def used_to_all(hours_used: float, hours: float) -> float:
    ...     return hours_used / hours
    >>> print(used_to_all.comparison.is_bound)
    True
    """
    return _marked(Comparison(figure, against, float("inf"), above, because, is_bound=True, causes=causes))


def _marked(comparison: Comparison) -> Callable[[F], F]:
    def mark(function: F) -> F:
        names = getattr(function, "__annotations__", {})
        if comparison.figure not in names:
            raise GraphError(f"{function.__name__} compares {comparison.figure!r}, which is none of its parameters")
        function.comparison = comparison  # type: ignore[attr-defined]
        return function

    return mark

"""Draws of uncertain facts: the same numbers for the same facts, on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from inspect import signature
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from runlineage.catalogs.quantities.ranges import LEVEL, Range
from runlineage.catalogs.quantities.units import is_ours, quantity_like

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAWS = 4096  # a power of two, as Sobol's sequence wants it
SEED = 20250317
ONE_AT_A_TIME = Lock()  # old SciPy fills its table of directions at first use; threads that meet there get wrong points


@lru_cache(maxsize=32)
def uniforms(dimensions: int) -> NDArray[np.float64]:
    """Return scrambled Sobol points, a column for each dimension, none of them 0 or 1; SciPy is loaded here."""
    from scipy.stats import qmc

    known = signature(qmc.Sobol).parameters
    seeded: Any = {"rng" if "rng" in known else "seed": np.random.default_rng(SEED)}  # SciPy renamed it in 1.15
    with ONE_AT_A_TIME:
        points: NDArray[np.float64] = qmc.Sobol(dimensions, scramble=True, **seeded).random(DRAWS)
    points.flags.writeable = False
    return points


@lru_cache(maxsize=32)
def normals(dimensions: int) -> NDArray[np.float64]:
    """Return the same points as draws of independent normal variables.

    >>> print(normals(2).shape, bool(abs(normals(2).std() - 1) < 0.01))
    (4096, 2) True
    """
    from scipy.special import ndtri

    drawn: NDArray[np.float64] = ndtri(uniforms(dimensions))
    drawn.flags.writeable = False
    return drawn


def logarithms(ranges: Mapping[str, Range], first: int = 0, dimensions: int | None = None) -> NDArray[np.float64]:
    """Return draws of the logarithm of each range over its median: a column for each, in their order.

    `first` is the column of the points at which the ranges begin, of `dimensions` in all.
    """
    dimensions = len(ranges) if dimensions is None else dimensions
    columns = [_logarithms(each, place, dimensions) for place, each in enumerate(ranges.values(), first)]
    return np.column_stack(columns)


def _logarithms(each: Range, place: int, dimensions: int) -> NDArray[np.float64]:
    if each.shape == "uniform":  # its support, of which the ends of the 90 % interval are known
        low, median, high = (_size(end) for end in (each.low, each.value, each.high))
        half = (high - low) / 2 / LEVEL
        return np.log1p((2 * uniforms(dimensions)[:, place] - 1) * half / median)
    below, above = each.halves
    drawn = normals(dimensions)[:, place]
    return drawn * np.where(drawn < 0, below, above)


def drawn_facts(ranges: Mapping[str, Range], logs: NDArray[np.float64]) -> dict[str, Any]:
    """Return each fact as an array of draws, in the unit that its range has."""
    return {name: _times(each.value, np.exp(logs[:, place])) for place, (name, each) in enumerate(ranges.items())}


def _times(median: Any, factors: NDArray[np.float64]) -> Any:
    sizes = _size(median) * factors
    sizes.flags.writeable = False
    return quantity_like(sizes, median) if is_ours(median) else sizes


def _size(value: Any) -> float:
    return float(getattr(value, "magnitude", value))

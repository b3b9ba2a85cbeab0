"""Quantiles of draws, mended by what is known of them: the part that is linear in the normal variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runlineage.catalogs.quantities.ranges import NORMAL_END

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHARES = (0.05, 0.5, 0.95)
EXACT = np.array([-NORMAL_END, 0.0, NORMAL_END])  # of a standard normal variable


def ends(answers: Any, normal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return low end, median and high end of draws along the last axis; `normal` has the variables, a column each.

    Answers are nearly linear in the variables once they are logarithms, and the quantiles of a linear sum are known:
    what draws miss of these, they miss of the answers. Some thousand draws are then as good as a hundred thousand.

    >>> from runlineage.dataflow.spreads.draws import normals
    >>> drawn = normals(3)
    >>> print(bool(np.allclose(ends(np.exp(drawn.sum(axis=1)), drawn)[2], np.exp(NORMAL_END * 3**0.5))))
    True
    """
    positive = bool((answers > 0).all())
    sizes = np.log(answers) if positive else np.asarray(answers)
    middle = sizes.mean(axis=-1, keepdims=True)
    centred = normal - normal.mean(axis=0)
    slopes = (sizes - middle) @ np.linalg.pinv(centred).T
    linear = slopes @ normal.T
    missed = np.multiply.outer(EXACT, np.linalg.norm(slopes, axis=-1)) - np.quantile(linear, SHARES, axis=-1)
    found = np.quantile(sizes, SHARES, axis=-1) + missed
    return np.asarray(np.exp(found) if positive else found)

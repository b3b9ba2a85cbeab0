"""Fingerprints of our quantities for Hamilton's cache: the same in every process, another for another number or unit.

By itself Hamilton would hash what pint keeps inside a quantity: that changes once its dimension has been looked at,
and it leaves the unit out, so that 3 W and 3 J would share a cached result.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from hamilton.caching.fingerprinting import UNHASHABLE, hash_value

from runlineage.catalogs.quantities.units import OurQuantity


def fingerprint(value: Any, *_: Any, **__: Any) -> str:
    """Fingerprint a quantity by its magnitude and its unit as it stands: equal ones in two units have two.

    A magnitude that is neither number nor array of numbers, such as an expression, has none: it is computed anew.

    >>> from runlineage.catalogs.quantities.units import quantity
    >>> fingerprint(quantity(3.0, "W")) == fingerprint(quantity(3.0, "J"))
    False
    """
    magnitude = value.magnitude
    units = sorted((name, float(power)) for name, power in value._units.items())
    if isinstance(magnitude, Real):
        return str(hash_value(repr((float(magnitude), units))))
    if isinstance(magnitude, np.ndarray) and magnitude.dtype.kind in "iuf":
        head = repr((magnitude.dtype.str, magnitude.shape, units)).encode()
        return str(hash_value(head + np.ascontiguousarray(magnitude).tobytes()))
    return str(UNHASHABLE)


hash_value.register(OurQuantity, fingerprint)

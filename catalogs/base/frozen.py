"""A dict that does not change: what is shared by a whole process must not be changed by one reader of it."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Frozen(dict[K, V]):
    """A dict whose items are fixed when it is made.

    >>> facts = Frozen({"a": 1})
    >>> facts["a"] = 2
    Traceback (most recent call last):
    TypeError: this mapping does not change; make a copy with dict(…)
    """

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this mapping does not change; make a copy with dict(…)")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> Any:
        return Frozen, (dict(self),)

"""A frozen dict: it reads like one, and does not change."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from runlineage.catalogs.base.frozen import Frozen


@pytest.mark.parametrize(
    "change",
    [
        lambda each: each.__setitem__("a", 2),
        lambda each: each.__delitem__("a"),
        lambda each: each.update(a=2),
        lambda each: each.pop("a"),
        lambda each: each.popitem(),
        lambda each: each.setdefault("b", 2),
        lambda each: each.clear(),
        lambda each: each.__ior__({"a": 2}),
    ],
)
def test_every_way_to_change_it_is_refused(change: Callable[[Frozen[str, int]], object]) -> None:
    frozen = Frozen({"a": 1})
    with pytest.raises(TypeError, match="this mapping does not change"):
        change(frozen)
    assert frozen == {"a": 1}


def test_it_pickles_and_a_copy_can_be_changed() -> None:
    frozen = pickle.loads(pickle.dumps(Frozen({"a": 1})))
    assert isinstance(frozen, Frozen)
    assert dict(frozen) | {"a": 2} == {"a": 2}

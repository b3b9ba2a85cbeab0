"""Marks on node functions: that one is a route, what it assumes, and what its result rests on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar, overload

from hamilton.function_modifiers import config

from runlineage.catalogs.base.errors import GraphError

F = TypeVar("F", bound=Callable[..., Any])


def split(name: str) -> tuple[str, str]:
    """Split a function's name into the quantity that it leads to and the route's name, where Hamilton splits it.

    >>> print(split("energy__metered"), split("energy"))
    ('energy', 'metered') ('energy', '')
    """
    quantity, _, suffix = name.rpartition("__")
    return (quantity, suffix) if quantity else (name, "")


class _ByRoute(config):  # type: ignore[misc]
    """Hamilton's own `@config` for the key `<quantity>_route`, where it is the suffix of the function."""

    def __init__(self, name: str) -> None:
        self.quantity, self.suffix = split(name)
        self.key = f"{self.quantity}_route"
        super().__init__(lambda chosen: chosen[self.key] == self.suffix, config_used=[self.key])

    def resolve(self, fn: Callable[..., Any], config: dict[str, Any]) -> Any:
        default = config[self.key] is None and self._is_default(fn)
        return super().resolve(fn, {self.key: self.suffix} if default else config)

    def _is_default(self, fn: Callable[..., Any]) -> bool:
        """Tell whether the function also serves where no route is chosen: the first in its module, and no guess."""
        module = sys.modules.get(fn.__module__)
        known = vars(module) if module and fn in vars(module).values() else fn.__globals__
        routes = (value for key, value in known.items() if split(key)[0] == self.quantity)
        return next((each for each in routes if _is_route(each) and not hasattr(each, "assumption")), None) is fn


def _is_route(value: Any) -> bool:
    return any(isinstance(each, _ByRoute) for each in getattr(value, config.get_lifecycle_name(), ()))


def route(function: F) -> F:
    """Mark a function as a route to its quantity, named by its suffix: `energy__metered` is the route `metered`.

    The function joins the graph where the config `energy_route` has that name; the first one in a module also where
    no route is chosen. A quantity's only route has no suffix, and gives way to a value that is supplied.

    >>> @route
    ... def energy__metered(meter_reading: float) -> float:
    ...     return meter_reading
    """
    marked: F = _ByRoute(function.__name__)(function)
    return marked


@overload
def assumption(name: str) -> Callable[[F], F]: ...


@overload
def assumption(name: F) -> F: ...


def assumption(name: Any) -> Any:
    """Mark a route as a guess: it joins the graph only where the user assumes it by name, which is its suffix.

    With `@assumption("name")` it has another name, which several routes may share.

    >>> @route
    ... @assumption
    ... def energy__half(energy_of_both: float) -> float:
    ...     return energy_of_both / 2
    >>> print(energy__half.assumption)
    half
    """
    if callable(name):
        return assumption(_suffix(name))(name)

    def mark(function: F) -> F:
        function.assumption = name  # type: ignore[attr-defined]
        return function

    return mark


def _suffix(function: Callable[..., Any]) -> str:
    suffix = split(function.__name__)[1]
    if not suffix:
        raise GraphError(
            f"{function.__name__} of {function.__module__} is an assumption without a name: "
            f"write @assumption('name'), or call it {function.__name__}__name"
        )
    return suffix


def stated(*names: str) -> Callable[[F], F]:
    """Mark what a route takes only where somebody states it, since computed it would come back as its own evidence.

    >>> @route
    ... @stated("achieved_rate")
    ... def training_operations__rate(achieved_rate: float, hours: float) -> float:
    ...     return achieved_rate * hours
    >>> print(training_operations__rate.stated)
    ('achieved_rate',)
    """

    def mark(function: F) -> F:
        function.stated = names  # type: ignore[attr-defined]
        return function

    return mark


def given(*names: str) -> Callable[[F], F]:
    """Mark what a route takes only as it is given: nothing computed stands in for it, not even from a stated figure.

    >>> @route
    ... @given("energy")
    ... def printed_energy__given(energy: float) -> float:
    ...     return energy
    >>> print(printed_energy__given.given)
    ('energy',)
    """

    def mark(function: F) -> F:
        function.given = names  # type: ignore[attr-defined]
        function.stated = names  # type: ignore[attr-defined]
        return function

    return mark


def basis(word: str) -> Callable[[F], F]:
    """Mark what a route's result rests on, where it is not simply derived: `stated` or `modeled`.

    >>> @basis("modeled")
    ... def energy__fitted(hours: float) -> float:
    ...     return 0.4 * hours
    >>> print(energy__fitted.basis)
    modeled
    """

    def mark(function: F) -> F:
        function.basis = word  # type: ignore[attr-defined]
        return function

    return mark

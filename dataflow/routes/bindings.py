"""Which function computes a node, and what each of its parameters takes: another node, or a value that is written.

Hamilton's decorators (`@parameterize`, `@pipe_input`, `@subdag` and so on) wrap a function and keep in closures how
its parameters are named in the graph. A node is therefore called once with placeholders, and stopped before the first
line of the user's own function: what then stands in its parameters is the answer, whatever the decorator.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

Functions = Iterable[Callable[..., Any]]


@dataclass(frozen=True)
class Parent:
    """A placeholder for the value of a node."""

    name: str


@dataclass(frozen=True)
class Binding:
    """The function that computes a node, with its parameters: each a `Parent`, or a value written by the user."""

    function: Callable[..., Any]
    arguments: Mapping[str, Any]

    def literals(self) -> dict[str, Any]:
        """List the values that are written, those in a `group` too, by the name of their parameter."""
        return dict(_literals(self.arguments.items()))


def _literals(items: Iterable[tuple[str, Any]]) -> Iterable[tuple[str, Any]]:
    for name, value in items:
        inner: dict[Any, Any] = (
            dict(enumerate(value)) if isinstance(value, list) else value if isinstance(value, dict) else {}
        )
        if any(isinstance(each, Parent) for each in inner.values()):
            yield from _literals((f"{name}[{key}]", each) for key, each in inner.items())
        elif value is not None and not isinstance(value, Parent):
            yield name, value


class _Stopped(BaseException):
    """A user's function is about to run: its code, module and parameters."""

    def __init__(self, frame: types.FrameType) -> None:
        super().__init__()
        self.code, self.known, self.values = frame.f_code, frame.f_globals, dict(frame.f_locals)


def binding_of(
    function: Callable[..., Any], names: Iterable[str], made_by: Iterable[Callable[..., Any]]
) -> Binding | None:
    """Find what computes a node: `function` as Hamilton calls it, with the names of its inputs in the graph.

    `made_by` are the functions that the node was written as; None where no function of a user's is called.

    >>> from functools import partial
    >>> def scaled(power: float, factor: float) -> float: ...
    >>> print(binding_of(partial(scaled, factor=2.0), ["power"], [scaled]).arguments)
    {'power': Parent(name='power'), 'factor': 2.0}
    """
    names = list(names)
    if function in made_by:
        return Binding(function, {name: Parent(name) for name in names})
    with ThreadPoolExecutor(1) as pool:  # a thread of its own, so that a profiler of the caller's is left alone
        stopped = pool.submit(_stopped, function, {name: Parent(name) for name in names}, made_by).result()
    if stopped is None:
        return None
    values, flags = stopped.values, stopped.code.co_flags
    parameters = stopped.code.co_varnames[: stopped.code.co_argcount + stopped.code.co_kwonlyargcount]
    arguments = {name: values[name] for name in parameters if name in values}
    if flags & inspect.CO_VARKEYWORDS:  # a wrapper of the user's own
        arguments |= values.get(stopped.code.co_varnames[len(parameters) + bool(flags & inspect.CO_VARARGS)], {})
    return Binding(_function(stopped, made_by), arguments)


def _stopped(function: Callable[..., Any], placeholders: Mapping[str, Parent], made_by: Functions) -> _Stopped | None:
    codes = {getattr(each, "__code__", None) for each in made_by}

    def watch(frame: types.FrameType, event: str, _: Any) -> None:
        # Any other call, such as that of a finalizer, goes its way.
        if event == "call" and (frame.f_code in codes or _is_given_placeholders(frame)):
            raise _Stopped(frame)

    try:
        sys.setprofile(watch)
        function(**placeholders)
    except _Stopped as stopped:
        return stopped
    except Exception:  # Hamilton's own code met a placeholder where it needs a value
        return None
    finally:
        sys.setprofile(None)
    return None


def _is_given_placeholders(frame: types.FrameType) -> bool:
    if frame.f_globals.get("__name__", "").startswith(("hamilton.", "functools")):
        return False
    given = frame.f_locals.values()
    inner = (each for value in given if isinstance(value, (list, dict)) for each in _members(value))
    return any(isinstance(each, Parent) for each in (*given, *inner))


def _members(value: list[Any] | dict[Any, Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _function(stopped: _Stopped, made_by: Functions) -> Callable[..., Any]:
    """Return the function of that code: as written, with its marks, or made anew from its code and docstring."""
    for each in (*made_by, *stopped.known.values()):
        if getattr(each, "__code__", None) is stopped.code:
            return each  # type: ignore[no-any-return]
    closure = tuple(types.CellType() for _ in stopped.code.co_freevars)
    return types.FunctionType(stopped.code, stopped.known, closure=closure)

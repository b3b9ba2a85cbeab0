"""Marks on node functions that the resolver reads: what is assumed, and what a result rests on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def assumption(name: str) -> Callable[[F], F]:
    """Mark a route as a guess: it joins the graph only when the user assumes it by name."""

    def mark(function: F) -> F:
        function.assumption = name  # type: ignore[attr-defined]
        return function

    return mark


def basis(word: str) -> Callable[[F], F]:
    """Say what a route's result rests on, where it is not simply derived: `stated` or `modeled`."""

    def mark(function: F) -> F:
        function.basis = word  # type: ignore[attr-defined]
        return function

    return mark

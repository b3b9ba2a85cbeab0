"""Shared fixtures: the checkout, and the message of a refusal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from runlineage.catalogs.base.errors import InputError

CHECKOUT = Path(__file__).parent.parent

settings.register_profile("steady", derandomize=True, deadline=None, max_examples=200)
settings.load_profile("steady")


@pytest.fixture
def checkout() -> Path:
    return CHECKOUT


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Return a function that expects a refusal and returns its message."""

    def message(make: Callable[..., Any], *arguments: Any, **facts: Any) -> str:
        with pytest.raises(InputError) as caught:
            make(*arguments, **facts)
        return str(caught.value)

    return message

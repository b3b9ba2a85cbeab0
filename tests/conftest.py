"""Shared pieces: the scenarios of known runs, and where the checkout is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

CHECKOUT = Path(__file__).parent.parent

settings.register_profile("steady", derandomize=True, deadline=None, max_examples=200)
settings.load_profile("steady")


@pytest.fixture
def checkout() -> Path:
    return CHECKOUT

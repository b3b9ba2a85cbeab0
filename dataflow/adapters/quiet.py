"""Keep Hamilton's help banner and log lines out of our own calls; a user's own driver keeps them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ours = ContextVar("_ours", default=False)
SPEAKERS = (
    "hamilton.driver",
    "hamilton.execution.graph_functions",
    "hamilton.function_modifiers.base",
    "hamilton.graph",
)


class _OnlyOthers(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        return not _ours.get()


_filter = _OnlyOthers()
for _speaker in SPEAKERS:
    logging.getLogger(_speaker).addFilter(_filter)


@contextmanager
def quietly() -> Iterator[None]:
    """Silence Hamilton's loggers for this call, in this thread."""
    token = _ours.set(True)
    try:
        yield
    finally:
        _ours.reset(token)

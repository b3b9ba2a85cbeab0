"""Training operations, achieved rate, energy and peak fraction of a published training run, each with its lineage.

>>> from runlineage import Scenarios
>>> case = Scenarios.Gpt3PublishedRun
>>> str(case.training_operations)
'3.14×10²³ flop'
"""

from typing import Any

import lazy_loader

# Each name loads its module on first use: `import runlineage` alone stays light, since Hamilton brings pandas.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'runlineage' has no attribute {name!r}; it has {', '.join(__all__)}")
    return _load(name)

"""The forms that runs, answers, plans and lineages are shown in: each is in a room above, and is loaded on use."""

from __future__ import annotations

import importlib
from typing import Any

FORMS = {
    "tree": "runlineage.visualizations.tree",
    "html": "runlineage.visualizations.pages.notebook",
    "mimebundle": "runlineage.visualizations.pages.notebook",
}


def shown_as(form: str, shown: Any) -> Any:
    """Return a run, an answer, a plan or a lineage in one of its forms.

    >>> from runlineage import Scenarios
    >>> print(shown_as("tree", Scenarios.Gpt3PublishedRun.lineage("duration")).splitlines()[0])
    duration = 14.8 day
    """
    return getattr(importlib.import_module(FORMS[form]), form)(shown)

"""Cards out: a run's answers in the forms that others read."""

from __future__ import annotations

from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.runs.staged import AnyRun, one_stage
from runlineage.visualizations.cards.form import form_of
from runlineage.visualizations.cards.statement import Statement


def card(run: AnyRun, to: str = "huggingface", *, location: str = "", existing: str = "") -> str:
    """Write a run's card as text: `to` is huggingface, cyclonedx, markdown, latex or bibtex.

    `location` is where the training was, where the facts do not state it. For huggingface, `existing` is the text of a
    card of which only the field `co2_eq_emissions` is to change. Raises `CannotComputeError` where the run has no
    emissions (huggingface) or no energy (cyclonedx), and `InputError` for a run of several stages.

    >>> from runlineage import PublishedRunScenario
    >>> run = PublishedRunScenario(name="Mine", published_emissions="8,930 tCO2e", stage="pre-training")
    >>> print(card(run))
    ---
    co2_eq_emissions:
      emissions: 8930000000
      source: as given by the caller
      training_type: pre-training
    ---
    <BLANKLINE>
    """
    return form_of(to).write(Statement(one_stage(run, "a card"), plain_text(location)), existing)

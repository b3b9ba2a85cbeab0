"""Cards out: a run's answers in the forms that others read."""

from __future__ import annotations

from runlineage.catalogs.base.spelling import plain_text
from runlineage.dataflow.runs.staged import AnyRun, one_stage
from runlineage.visualizations.cards.form import check_words, form_of
from runlineage.visualizations.cards.statement import Statement


def card(run: AnyRun, to: str = "huggingface", *, location: str = "", existing: str = "", **more: str) -> str:
    """Write a run's card as text: `to` is huggingface, cyclonedx, boamps, markdown, latex or bibtex.

    `location` is where the training was, where the facts do not state it. For huggingface, `existing` is the text of a
    card of which only the field `co2_eq_emissions` is to change. For boamps, `more` is what its schema requires and no
    facts state: `task_family`, `infrastructure` and, where no tokens are known, `data_type`. Raises
    `CannotComputeError` where the run has no emissions (huggingface) or no energy (cyclonedx, boamps), and `InputError`
    for a run of several stages and for what boamps requires and is not stated.

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
    form = form_of(to)
    check_words(form, more)
    return form.write(Statement(one_stage(run, "a card"), plain_text(location), more), existing)

"""The comparisons of a check, asked of a run by name, as its metrics are."""

from __future__ import annotations

from collections.abc import Collection

from runlineage.dataflow.checks.marks import CHECK_MODULES, comparison_names
from runlineage.dataflow.checks.total import with_total
from runlineage.dataflow.graph.driver import Driver
from runlineage.dataflow.inputs.inputs import Inputs


def comparing(driver: Driver, inputs: Inputs, names: Collection[str]) -> tuple[Driver, Inputs]:
    """Return a run's driver and inputs, with the nodes of comparisons where one of the names is of them."""
    if comparison_names().isdisjoint(names):
        return driver, inputs
    modules = (*driver.modules, *CHECK_MODULES)
    asked = Driver(*modules, assume=driver.assume, subject=driver.subject, prefer=driver.book.prefer)
    return asked, with_total(inputs)

"""Our node modules, floor upon floor: what a driver, a scenario and a table use when none is named."""

from runlineage.dataflow import footprint, metrics, policy

MODULES = (metrics, footprint, policy)

"""Our node modules, floor upon floor: what a driver, a scenario and a table use when none is named.

The kinds stand beside them, since a user's own node module begins with these names.
"""

from runlineage.catalogs.quantities import kinds as kinds
from runlineage.dataflow import footprint as footprint
from runlineage.dataflow import metrics as metrics
from runlineage.dataflow import policy as policy
from runlineage.dataflow import utilisation as utilisation

MODULES = (metrics, footprint, policy, utilisation)

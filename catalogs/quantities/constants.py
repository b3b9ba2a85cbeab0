"""Numbers that equations share, with their units."""

from runlineage.catalogs.quantities.units import quantity

# Forward and backward pass: two operations (multiply, add) a weight forward, four backward. [kaplan2020] Sec. 2.1.
WORK_PER_PARAMETER_TOKEN = quantity(6.0, "flop/parameter/token")

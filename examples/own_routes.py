"""Your own routes to one of our metrics, each named by its suffix: one is a guess that is switched on by name.

`@route` puts a function beside ours, `@basis` marks what its result rests on, `@assumption` makes it a guess. The
route with the fewest assumptions wins, then ours before yours; the lineage tells which one it was.

It prints:

    energy = 0.304 GWh
    cannot compute energy of a cluster:
      energy needs accelerator_hours, device_power
      energy by metered needs meter
      give the facts of one line:
        meter
        accelerator_hours, device_power
      or assume "half_load" or "count_duration" and "tdp"
    energy = 0.2016 GWh by half_load assuming half_load
"""

from picture import draw_if_asked
from runlineage import CannotComputeError, Driver, assumption, basis, kinds, metrics, route


@route
@basis("stated")
def energy__metered(meter: kinds.Energy) -> kinds.Energy:
    """Take what the meter of the cluster shows.

    energy = meter
    """
    return meter


@route
@assumption
def energy__half_load(
    accelerator_count: kinds.Count, accelerator_tdp: kinds.Power, duration: kinds.Duration, load: float = 0.5
) -> kinds.Energy:
    """Assume that the devices draw half of their design power.

    energy = accelerator_count × accelerator_tdp × load × duration
    """
    return accelerator_count * accelerator_tdp * load * duration


if __name__ == "__main__":
    import __main__ as mine

    print(Driver(metrics, mine).execute("energy", {"meter": "304 MWh"}).result("energy"))
    facts = {"accelerator_count": "1,200", "accelerator_tdp": "700 W", "duration": "20 days"}
    try:
        Driver(metrics, mine, subject="a cluster").execute("energy", facts)
    except CannotComputeError as problem:
        print(problem)
    results, lineage = Driver(metrics, mine, assume={"half_load"}, subject="a cluster").trace("energy", facts)
    print(results, "by", results.plan.route("energy"), "assuming", *lineage.assumes)
    draw_if_asked(lineage)

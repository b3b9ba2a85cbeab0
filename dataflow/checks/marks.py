"""The comparisons among the nodes of a book, and the node modules that ours are in."""

from __future__ import annotations

from functools import cache

from runlineage.dataflow.adapters.comparison import Comparison
from runlineage.dataflow.comparisons import energy, facility, factors, rate, time, utilisation, windows, work
from runlineage.dataflow.routes.book import RouteBook, read_routes

# In this order a contradiction shows at the lowest quantity where it arises, and what follows only repeats it.
CHECK_MODULES = (work, time, rate, utilisation, windows, energy, facility, factors)
OF_TOTAL = "total_work_to_peak"  # the comparison that is of a sparse model's total alone


@cache
def comparison_names() -> frozenset[str]:
    """Name our comparisons, which a run answers, traces and draws as it does its metrics.

    >>> print("recorded_to_modeled" in comparison_names())
    True
    """
    return frozenset(marks_of(read_routes(*CHECK_MODULES)))


def marks_of(book: RouteBook) -> dict[str, Comparison]:
    """Return the comparisons among the nodes of a book, by name in their order.

    >>> from runlineage.dataflow.routes.book import read_routes
    >>> print(next(iter(marks_of(read_routes(work)))))
    recorded_to_modeled
    """
    marks = {}
    for name, routes in book.routes.items():
        for route in routes:
            mark = getattr(route.function, "comparison", None)
            if mark is not None:
                marks[name] = mark
    return marks

"""Names beside the points of a chart, where they cover no other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Width and height of a letter, how far it is from its point, and half the width of a mark, in points.
LETTER, LINE, AWAY, MARK = 5.5, 10.0, 7.0, 4.0


def write_names(axes: Axes, names: Sequence[str], places: Sequence[tuple[float, float]], wanted: Sequence[int]) -> int:
    """Write the wanted names beside their points, where they cover no name or point; return how many found no room."""
    axes.autoscale_view()
    points = axes.transData.transform(places) * 72 / axes.figure.dpi
    middle = sum(axes.get_window_extent().intervalx) * 36 / axes.figure.dpi
    taken = [(across - MARK, across + MARK, height) for across, height in points]
    written = 0
    for place in wanted:
        across, height = points[place]
        room = LETTER * len(names[place])
        # In the right half to the left first, clear of the lines' labels.
        for side in ("right", "left") if across > middle else ("left", "right"):
            start = across + AWAY if side == "left" else across - AWAY - room
            if all(start > last or start + room < first or abs(height - at) > LINE for first, last, at in taken):
                away = AWAY if side == "left" else -AWAY
                axes.annotate(names[place], places[place], (away, 0), textcoords="offset points", ha=side, va="center")
                taken.append((start, start + room, height))
                written += 1
                break
    return len(wanted) - written

"""What the examples share: with `--picture FILE` an example draws the lineage that it shows."""

import argparse

from runlineage import Lineage, draw


def draw_if_asked(lineage: Lineage) -> None:
    """Draw a lineage to the file named on the command line: .svg, .png, .pdf, .dot or .txt."""
    parser = argparse.ArgumentParser(usage="python examples/NAME.py [--picture FILE]")
    parser.add_argument("--picture", metavar="FILE")
    path = parser.parse_args().picture
    if path:
        draw(lineage, path)

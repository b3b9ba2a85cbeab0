"""What an SVG of `dot` gets on top: colours for dark pages; and what it loses: the name of the program."""

from __future__ import annotations

import re

# Attributes that `dot` writes give way to a style sheet, so that one file serves light and dark pages.
DARK = """
@media (prefers-color-scheme: dark) {
  .graph > polygon { fill: #14171a }
  .graph text { fill: #ececea }
  .cluster > path { stroke: #55595e }
  .edge path, .edge polygon { stroke: #a0a4a8 } .edge polygon { fill: #a0a4a8 }
  .fact path { fill: #25282c; stroke: #90948f }
  .given path { fill: #14171a; stroke: #90948f }
  .derived polygon { fill: #12324a; stroke: #58a6dd }
  .output polygon { fill: #0d4468; stroke: #8cc8f2 }
  .assumed polygon { fill: #46330a; stroke: #e0a030 }
  .warning polygon { fill: #50210c; stroke: #f0834a }
  .way polygon { fill: #1d2a34; stroke: #7f8a92 }
}
"""


# Fonts of one width a letter, first: `dot` measures in the one that its machine has, a reader sees another.
FONTS = "Helvetica,Arial,Liberation Sans,Nimbus Sans,sans-serif"
HELD = r'<g id="(?:graph|node|clust)\d+" class="[^"]*".*?(?=\n<g id="(?:node|clust|edge)|\Z)'


def dressed(made: bytes) -> bytes:
    """Put the style into an SVG of `dot`, and drop what names the program that wrote it."""
    text = made.decode()
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)  # comments hold the version of graphviz
    text = re.sub(HELD, _centred, text, flags=re.DOTALL)
    text = text.replace('font-family="Helvetica,sans-Serif"', f'font-family="{FONTS}"')
    style = "<style>" + " ".join(DARK.split()) + "</style>"
    text = re.sub(r"(<svg\b[^>]*)>", rf'\1 role="img">\n{style}', text, count=1)
    return text.encode()


def _centred(found: re.Match[str]) -> str:
    """Hold the lines of a box by their middles: in whatever font they are drawn, they stay in the middle."""
    box = found[0]
    shape = re.search(r'<(?:polygon|path)[^>]* (?:points|d)="([^"]+)"', box)
    across = [float(each) for each in re.findall(r"(-?[\d.]+),-?[\d.]+", shape[1])] if shape else []
    if not across:
        return box
    middle = f"{(min(across) + max(across)) / 2:.2f}".rstrip("0").rstrip(".")
    return re.sub(r'text-anchor="start" x="[^"]+"', f'text-anchor="middle" x="{middle}"', box)

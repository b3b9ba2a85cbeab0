"""Colour for terminals, laid over the same plain text that pipes get."""

from __future__ import annotations

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

from runlineage.catalogs.quantities.fields import FIELDS

NAMES = "|".join(sorted(FIELDS, key=len, reverse=True))


class _Highlighter(RegexHighlighter):
    base_style = "run."
    highlights = (
        rf"(?P<name>\b(?:{NAMES})\b)(?= =|  )",
        r"(?P<assumed>assum\w+ \"\w+\"(?:, \"\w+\")*)",
        r"(?P<quiet>[│├└─]+)",
        r"(?P<lacking>needs .*|lacks .*|not assumed.*)",
    )


THEME = Theme({"run.name": "bold cyan", "run.assumed": "yellow", "run.quiet": "dim", "run.lacking": "magenta"})


def coloured(text: str) -> None:
    """Print text with names, assumptions and gaps told apart."""
    console = Console(theme=THEME, highlighter=_Highlighter(), soft_wrap=True, emoji=False)
    console.width = max(console.width, 20)  # a terminal that says it has no columns would be shown nothing
    console.print(text, markup=False)

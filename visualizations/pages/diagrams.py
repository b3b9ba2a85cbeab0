"""The diagrams of many runs as SVG that stands inside a page."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from runlineage.catalogs.base.errors import OutputError
from runlineage.dataflow.graph.lineage import Lineage
from runlineage.visualizations.pictures.dot import dot
from runlineage.visualizations.pictures.layout import drawn


def diagrams(lineages: Sequence[Lineage]) -> tuple[list[str], str]:
    """Draw each lineage; where `dot` does not work, the texts are empty and the second value says why."""
    if not any(lineage.outputs for lineage in lineages):
        return ["" for _ in lineages], ""
    try:
        # `dot` is a process of its own, so threads keep every core busy.
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(_diagram, lineages, range(1, len(lineages) + 1))), ""
    except OutputError as problem:
        return ["" for _ in lineages], str(problem)


def _diagram(lineage: Lineage, place: int) -> str:
    if not lineage.outputs:
        return ""
    text = inline(drawn(dot(lineage), "svg").decode(), f"d{place}-")
    name = html.escape(f"Lineage of {lineage.subject}")
    text = re.sub(r"<title>[^<]*</title>\n?", "", text)  # boxes have tooltips of their own
    text = re.sub(r"<style>.*?</style>\n?", "", text, flags=re.DOTALL)  # the page has it once
    text = re.sub(r'(<svg\b[^>]*?) role="img"', r'\1 role="group"', text, count=1)  # links inside stay reachable
    text = re.sub(r"<svg\b", lambda _: f'<svg aria-label="{name}"', text, count=1)
    text = re.sub(r' font-family="Helvetica,sans-Serif"| xmlns(?::xlink)?="[^"]*"', "", text)
    return text.replace(' target="_blank"', ' target="_blank" rel="noopener noreferrer"')


def inline(text: str, prefix: str) -> str:
    """Make an SVG file a part of a page: no prolog, and ids that no other picture has.

    >>> print(inline('<?xml version="1.0"?><svg><g id="a"/><use xlink:href="#a"/></svg>', "x-"))
    <svg><g id="x-a"/><use xlink:href="#x-a"/></svg>
    """
    text = text[text.index("<svg") :].strip()
    own = set(re.findall(r'<[^<>]*? id="([^"]+)"', text))
    text = re.sub(r'(<[^<>]*? id=")', rf"\1{prefix}", text)

    def renamed(found: re.Match[str]) -> str:
        return f"{found[1]}{prefix}{found[2]}" if found[2] in own else found[0]

    return re.sub(r'(href="#|url\(#)([^")]+)', renamed, text)

"""Lineage as pictures: DOT, Mermaid, SVG, PNG and PDF."""

"""Lineage files: written, checked, and computed anew."""

"""Epoch AI's tables, read as facts."""

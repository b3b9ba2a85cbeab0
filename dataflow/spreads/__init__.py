"""Ranges as draws through the graph: the interval of every answer, and the facts that it comes from."""

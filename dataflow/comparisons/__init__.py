"""Nodes that compare two figures of one quantity and return their ratio, a subject a file."""

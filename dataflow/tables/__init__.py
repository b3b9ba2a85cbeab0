"""The same nodes over the columns of a table, in the engine that it came in."""

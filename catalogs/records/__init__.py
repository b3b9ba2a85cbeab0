"""A fact with its source, and the record of each catalog."""

"""From facts as people state them to what flows into the graph."""

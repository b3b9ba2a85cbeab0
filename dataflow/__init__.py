"""From facts to results: inputs, node modules, routes, graph, results, lineage, scenarios."""

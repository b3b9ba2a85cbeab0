"""Build and run the graph, and keep where each number came from."""

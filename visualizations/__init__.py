"""Ways to look at results: lineage text, diagrams, pictures, answers and the command line."""

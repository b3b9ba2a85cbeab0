"""A published run: its facts, its stages, its metrics, its catalogue and its verdicts."""

"""A published run: its facts, its metrics, its catalogue and its verdicts."""

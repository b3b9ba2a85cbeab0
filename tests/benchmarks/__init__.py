"""Speed as ratios against named baselines, measured in one run: `make bench`. They are no timed tests."""

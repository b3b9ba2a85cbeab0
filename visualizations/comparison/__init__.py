"""Several runs side by side: their answers, the ratio of each to the first, and why an answer is missing."""

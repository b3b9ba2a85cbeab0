"""Published figures held against each other: which cannot all be true, why, and which fact to doubt first."""

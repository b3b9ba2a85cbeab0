"""Model cards and config.json, read as runs."""

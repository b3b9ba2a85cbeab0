"""What codecarbon measured and wrote to emissions.csv, read as runs."""

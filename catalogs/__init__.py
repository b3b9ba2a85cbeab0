"""What others have stated: units, kinds of quantity, sources, accelerators, workloads and runs, and their readers."""

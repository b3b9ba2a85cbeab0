"""Which ways lead to a quantity, which of them is taken, and why another is not open."""

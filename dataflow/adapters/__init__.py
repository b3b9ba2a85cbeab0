"""What Hamilton must be told about our quantities, and the marks on our nodes."""

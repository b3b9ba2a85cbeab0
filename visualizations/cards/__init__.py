"""Cards that a run writes, for model hubs, bills of materials and papers."""

"""Units, kinds and fields; the one reader of what people write, and the one formatter of what they read."""

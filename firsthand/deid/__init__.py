"""To be described by its engineer."""

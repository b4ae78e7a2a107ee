"""The `firsthand` command; `firsthand.cli.main` is its root."""

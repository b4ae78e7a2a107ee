"""`python -m firsthand` is the `firsthand` command."""

from firsthand.cli import main

main()

"""`python -m firsthand` is the `firsthand` command."""

from firsthand.cli.main import main

main()

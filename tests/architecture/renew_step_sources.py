"""Record the sources of the steps anew: `python -m tests.architecture.renew_step_sources`.

A step whose sources changed needs a new version, or a waiver with its reason:
`--waive <step> "<why the same inputs still give the same result>"`, once for each step.
"""

import argparse
import sys

from tasks.steps import STEPS
from tests.architecture.step_sources import (
    StepRecord,
    complaint,
    read_records,
    source_digest,
    write_records,
)

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Renew the record; return 1 if a step needs a version or a waiver first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waive", nargs=2, action="append", default=[], metavar=("STEP", "REASON"))
    waivers = {name: reason for name, reason in parser.parse_args(arguments).waive if reason}
    before = read_records()
    after: dict[str, StepRecord] = {}
    refused = []
    for spec in STEPS:
        old = before.get(spec.name)
        digest = source_digest(spec)
        changed = old is not None and old.version == spec.version and old.digest != digest
        if changed and spec.name not in waivers:
            refused.append(str(complaint(spec, old)))
        waiver = waivers.get(spec.name, "") if changed else ""
        kept = old.waiver if old is not None and old.digest == digest else ""
        after[spec.name] = StepRecord(spec.version, digest, waiver or kept)
    if refused:
        sys.stderr.write("\n".join(refused) + "\n")
        return 1
    write_records(after)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

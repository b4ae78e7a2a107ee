import numpy as np

from firsthand.metrics.decomposition import (
    FAILURES,
    Failure,
    FailureColumns,
    decompose,
    failure_counts,
)

# answered, right, late, failed a probe, moment hits (-1 unknown), right with the evidence
ROWS = {
    (0, 0, 0, 0, -1, 1): Failure.NO_ANSWER,
    (1, 1, 1, 0, 1, 1): Failure.TIMING,
    (1, 1, 0, 1, 1, -1): Failure.RETENTION,
    (1, 1, 0, 0, 1, -1): Failure.NONE,
    (1, 1, 0, 0, -1, -1): Failure.NONE,
    (1, 1, 0, 1, 0, -1): Failure.ALIGNMENT,
    (1, 0, 0, 0, 1, 1): Failure.ALIGNMENT,
    (1, 0, 0, 0, 0, 1): Failure.RETRIEVAL,
    (1, 0, 1, 0, -1, 1): Failure.RETRIEVAL,
    (1, 0, 0, 0, 0, 0): Failure.CAPABILITY,
    (1, 0, 0, 0, -1, -1): Failure.UNDETERMINED,
}


def test_every_failure_has_one_cause() -> None:
    table = np.array(list(ROWS), np.int8)
    answered, right, late, failed = (table[:, place].astype(np.bool_) for place in range(4))
    known = FailureColumns(answered, right, late, failed, table[:, 4], table[:, 5])
    found = decompose(known)
    assert [FAILURES[code] for code in found] == list(ROWS.values())
    counts = failure_counts(found)
    assert sum(counts.values()) == len(ROWS)
    assert set(counts) == set(Failure)

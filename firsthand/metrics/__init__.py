"""Metrics: columns in, mergeable tallies out.

The names that every metric shares; each metric is a module of its own (`rta`,
`persistence`, `survival`, `ecog`, `lifelong`, `agreement`, `decomposition`), as are the
statistics (`intervals`, `comparison`) and the list of metrics (`catalogue`).
"""

from firsthand.metrics.columns import (
    ANSWERED,
    NOT_MEASURED,
    AskColumns,
    Grouping,
    VerdictColumns,
    outcome_codes,
)
from firsthand.metrics.groups import (
    OVERALL,
    GroupKey,
    group_tallies,
    macro_mean,
    merge_groups,
    tally,
)
from firsthand.metrics.tally import Tally

__all__ = [
    "ANSWERED",
    "NOT_MEASURED",
    "OVERALL",
    "AskColumns",
    "GroupKey",
    "Grouping",
    "Tally",
    "VerdictColumns",
    "group_tallies",
    "macro_mean",
    "merge_groups",
    "outcome_codes",
    "tally",
]

"""What shards of every protocol have in common, for the stages that carry them."""

from typing import Protocol

from firsthand.core.identity import Json
from firsthand.core.outcomes import RuleSet
from firsthand.subjects.configuration import SubjectConfiguration

__all__ = ["PlannedShard", "RunPolicy"]


class RunPolicy(Protocol):
    """The numbers of a protocol; frozen, and fit to be pickled."""

    @property
    def rule_sets(self) -> tuple[RuleSet, ...]:
        """Rule sets under which replies are read and scored."""
        ...

    def to_json(self) -> dict[str, Json]:
        """Return every field under its name; it travels with the results."""
        ...


class PlannedShard(Protocol):
    """Asks of one run that belong together; small, so that they travel to any worker."""

    @property
    def protocol(self) -> str:
        """Name in the registry `PROTOCOLS`."""
        ...

    @property
    def run_id(self) -> str:
        """The run."""
        ...

    @property
    def shard_id(self) -> str:
        """Unique in an evaluation; begins with the run."""
        ...

    @property
    def subject(self) -> SubjectConfiguration:
        """The subject, as configured."""
        ...

    @property
    def policy(self) -> RunPolicy:
        """The protocol's numbers."""
        ...

    @property
    def stream_id(self) -> str:
        """The stream that is asked about."""
        ...

    @property
    def question_ids(self) -> tuple[str, ...]:
        """What is asked, in order."""
        ...

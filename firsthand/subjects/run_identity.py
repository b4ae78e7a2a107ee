"""What makes a run the one it is: what was asked, of whom, under which numbers."""

from collections.abc import Mapping

from firsthand.answers import READER_VERSIONS
from firsthand.core.identity import Json, digest_json
from firsthand.subjects.planned_shard import RunPolicy
from firsthand.subjects.subject import SubjectFacts

__all__ = ["READERS", "run_id_of"]

READERS: Mapping[str, Json] = {str(name): version for name, version in READER_VERSIONS.items()}
"""Version of each rule set's reader of answers to questions."""


def run_id_of(
    release_id: str,
    facts: SubjectFacts,
    policy: RunPolicy,
    versions: Mapping[str, Json],
    limit: int | None = None,
) -> str:
    """Return the digest of release, subject, policy and versions, as 24 digits.

    Args:
        release_id: The release asked about.
        facts: The subject.
        policy: The protocol's numbers.
        versions: The protocol and the versions of what reads its replies, by name.
        limit: How many questions of each stream are asked; such a run has an identity of its own.
    """
    return digest_json(
        {
            "release": release_id,
            "subject": [facts.subject_id, facts.revision, dict(facts.arguments)],
            "policy": policy.to_json(),
            **versions,
            **({} if limit is None else {"limit": limit}),
        }
    )[:24]

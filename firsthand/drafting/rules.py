"""The rule-based drafter: offline, deterministic, from narrations and speech alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from firsthand.curation.drafts import Draft
from firsthand.drafting.material import Material
from firsthand.drafting.templates import TEMPLATES

__all__ = ["RulesPolicy", "draft_by_rules"]


@dataclass(frozen=True, slots=True)
class RulesPolicy:
    """How much the drafter proposes.

    Args:
        per_template: Most drafts that one template makes of a stream.
        templates: Names of the templates to use; empty for all.
    """

    per_template: int = 3
    templates: tuple[str, ...] = ()


def draft_by_rules(material: Material, policy: RulesPolicy | None = None) -> tuple[Draft, ...]:
    """Return drafts of one stream in order of due time, the same ones for the same material.

    Of what a template could ask, drafts spread evenly over the stream are taken.

    Raises:
        UnknownNameError: If the policy names a template that does not exist.
    """
    policy = policy or RulesPolicy()
    drafts: dict[str, Draft] = {}
    for name in policy.templates or tuple(TEMPLATES):
        for draft in _spread(tuple(TEMPLATES[name](material)), policy.per_template):
            drafts[draft.draft_id] = draft
    return tuple(sorted(drafts.values(), key=lambda draft: (draft.due_us, draft.draft_id)))


def _spread(drafts: Sequence[Draft], most: int) -> list[Draft]:
    if len(drafts) <= most:
        return list(drafts)
    return [drafts[number * len(drafts) // most] for number in range(most)]

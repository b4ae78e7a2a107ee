"""From a template's plan to a draft: identifier, order of options, truth of a statement."""

from collections.abc import Sequence
from dataclasses import dataclass

from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.curation.drafts import Draft, arranged_options, mint_draft_id
from firsthand.drafting.material import Event, Material

__all__ = ["RULES", "Plan", "choice", "draft_id_of", "statement"]

RULES = "rules"
"""Name of the rule-based drafter."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a template is about to ask.

    Args:
        template: Name of the template.
        subcategory: What it tests.
        events: What it rests on, in order of time.
        modalities: What a subject must receive.
        variant: Tells apart what the template makes of the same events.
    """

    template: str
    subcategory: Subcategory
    events: tuple[Event, ...]
    modalities: tuple[Modality, ...] = (Modality.VIDEO,)
    variant: str = ""


def draft_id_of(material: Material, plan: Plan) -> str:
    """Return the identifier that the plan's draft will have."""
    evidence = [event.evidence for event in plan.events]
    return mint_draft_id(material.stream_id, plan.template, evidence, plan.variant)


def choice(
    material: Material, plan: Plan, text: str, right: Sequence[str], wrong: Sequence[str]
) -> Draft:
    """Return a multiple choice; several answers may be right in an `mc_multi` one.

    A plan of several right options is `mc_multi`, of one `mc_single`.
    """
    kind = QuestionType.MC_SINGLE if len(right) == 1 else QuestionType.MC_MULTI
    options, answer = arranged_options(draft_id_of(material, plan), right, wrong)
    return _draft(material, plan, kind, text, options, answer)


def statement(material: Material, plan: Plan, true_text: str, false_text: str) -> Draft:
    """Return a true or a false statement; the draft's identifier decides which."""
    is_true = int(draft_id_of(material, plan)[-1], 16) % 2 == 0
    text, answer = (true_text, "true") if is_true else (false_text, "false")
    return _draft(material, plan, QuestionType.BINARY, text, (), (answer,))


def _draft(
    material: Material,
    plan: Plan,
    kind: QuestionType,
    text: str,
    options: tuple[str, ...],
    answer: tuple[str, ...],
) -> Draft:
    scenario = plan.events[-1].scenario
    return Draft(
        draft_id=draft_id_of(material, plan),
        participant_id=material.participant_id,
        stream_id=material.stream_id,
        question_type=kind,
        subcategory=plan.subcategory,
        text=text[:1].upper() + text[1:],
        options=options,
        answer=answer,
        evidence=tuple(sorted(event.evidence for event in plan.events)),
        required_modalities=tuple(sorted(plan.modalities)),
        scenario=None if scenario is None else scenario.name,
        drafter=RULES,
    )

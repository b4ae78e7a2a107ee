"""Proposing questions: from the text of a stream, by rules or by a model."""

from firsthand.drafting.llm import (
    LITELLM,
    ModelDrafting,
    ModelDrafts,
    RefusedProposal,
    draft_with_model,
)
from firsthand.drafting.material import Event, HeardWord, Material, Scenario, material_from_rows
from firsthand.drafting.plans import RULES
from firsthand.drafting.prompts import Prompt, load_prompt
from firsthand.drafting.rules import RulesPolicy, draft_by_rules
from firsthand.drafting.sentences import Clause, read_clause
from firsthand.drafting.windows import WindowPolicy

__all__ = [
    "LITELLM",
    "RULES",
    "Clause",
    "Event",
    "HeardWord",
    "Material",
    "ModelDrafting",
    "ModelDrafts",
    "Prompt",
    "RefusedProposal",
    "RulesPolicy",
    "Scenario",
    "WindowPolicy",
    "draft_by_rules",
    "draft_with_model",
    "load_prompt",
    "material_from_rows",
    "read_clause",
]

"""Proposing questions: from the text of a stream, by rules or by a model."""

from firsthand.drafting.material import Event, HeardWord, Material, Scenario, material_from_rows
from firsthand.drafting.rules import RulesPolicy, draft_by_rules
from firsthand.drafting.sentences import Clause, read_clause

__all__ = [
    "Clause",
    "Event",
    "HeardWord",
    "Material",
    "RulesPolicy",
    "Scenario",
    "draft_by_rules",
    "material_from_rows",
    "read_clause",
]

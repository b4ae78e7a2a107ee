"""The closed vocabularies of questions: types, categories, subcategories, modalities."""

from enum import StrEnum
from types import MappingProxyType

__all__ = ["CATEGORY_OF", "Category", "Modality", "QuestionType", "Subcategory"]


class QuestionType(StrEnum):
    """How a question is to be answered (TeleEgo's `QA_type`)."""

    MC_SINGLE = "mc_single"
    MC_MULTI = "mc_multi"
    BINARY = "binary"
    OPEN_ENDED = "open_ended"


class Modality(StrEnum):
    """What a subject must receive to be able to answer."""

    VIDEO = "video"
    SPEECH = "speech"
    NARRATION = "narration"


class Category(StrEnum):
    """TeleEgo's three categories."""

    MEMORY = "Memory"
    UNDERSTANDING = "Understanding"
    CROSS_MEMORY_REASONING = "Cross-Memory Reasoning"


class Subcategory(StrEnum):
    """TeleEgo's twelve subcategories, spelt as in its question files."""

    ULTRA_LONG_MEMORY = "Ultra-long Memory"
    SHORT_TERM_MEMORY = "Short-term Memory"
    ENTITY_TRACKING = "Entity Tracking"
    TEMPORAL_COMPARISON = "Temporal Comparison & Interval"
    LONG_TERM_MEMORY = "Long-term Memory"
    INTENT_INFERENCE = "Intent Inference"
    CAUSAL_UNDERSTANDING = "Causal Understanding"
    CROSS_MODAL_UNDERSTANDING = "Cross-modal Understanding"
    MULTI_STEP_REASONING = "Multi-step Reasoning"
    CROSS_ENTITY_RELATION = "Cross-entity Relation"
    TEMPORAL_CHAIN = "Temporal Chain Understanding"
    CROSS_TEMPORAL_CAUSALITY = "Cross-temporal Causality"


_MEMBERS = {
    Category.MEMORY: (
        Subcategory.ULTRA_LONG_MEMORY,
        Subcategory.SHORT_TERM_MEMORY,
        Subcategory.ENTITY_TRACKING,
        Subcategory.TEMPORAL_COMPARISON,
        Subcategory.LONG_TERM_MEMORY,
    ),
    Category.UNDERSTANDING: (
        Subcategory.INTENT_INFERENCE,
        Subcategory.CAUSAL_UNDERSTANDING,
        Subcategory.CROSS_MODAL_UNDERSTANDING,
        Subcategory.MULTI_STEP_REASONING,
    ),
    Category.CROSS_MEMORY_REASONING: (
        Subcategory.CROSS_ENTITY_RELATION,
        Subcategory.TEMPORAL_CHAIN,
        Subcategory.CROSS_TEMPORAL_CAUSALITY,
    ),
}

CATEGORY_OF = MappingProxyType(
    {member: category for category, members in _MEMBERS.items() for member in members}
)

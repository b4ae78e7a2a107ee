"""Drafts, checks on them, and the states of review: pure values, no files and no clock.

Reviewing lives in `firsthand.curation.reviewing`; import it from there.
"""

from firsthand.curation.checks import CHECKS, CheckContext, CheckedDraft, check_drafts
from firsthand.curation.drafts import (
    Draft,
    arranged_options,
    draft_row,
    mint_draft_id,
    whole_seconds,
)

__all__ = [
    "CHECKS",
    "CheckContext",
    "CheckedDraft",
    "Draft",
    "arranged_options",
    "check_drafts",
    "draft_row",
    "mint_draft_id",
    "whole_seconds",
]

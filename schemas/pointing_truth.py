"""The `pointing_truth` table: its Arrow schema and what its rows must satisfy."""

from firsthand.store.tables import POINTING_TRUTH
from schemas.suite import Between, Ordered, suite_of

__all__ = ["SCHEMA", "SUITE"]

SCHEMA = POINTING_TRUTH.schema

# Windows, points and boxes are kept as the official files write them, mistakes included, so
# only what the import itself works out is held to a rule.
SUITE = suite_of(
    POINTING_TRUTH,
    Between("referent_index", low=0),
    Between("template", low=1, high=6),
    Between("crop_left_px", low=0),
    Between("crop_top_px", low=0),
    Ordered("crop_width_px", "picture_width_px"),
    Ordered("crop_height_px", "picture_height_px"),
)

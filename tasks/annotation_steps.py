"""Steps of annotation: what people clicked, set up and pointed at, as `tasks.steps` has them."""

from firsthand.store import StepSpec

__all__ = ["MASK", "PROPOSE_STROKES"]

PROPOSE_STROKES = StepSpec(
    "propose_strokes",
    2,
    (
        "firsthand.curation.clip_setup",
        "firsthand.curation.deictic",
        "firsthand.curation.stillness",
        "firsthand.curation.stroke_proposals",
        "firsthand.drafting.deictic_model",
        "firsthand.endpoints.prompted",
        "firsthand.masks.palm_detection",
        "firsthand.media.frames",
        "firsthand.media.tones",
        "tasks.pointing",
        "tasks.stages.propose_strokes",
    ),
)
MASK = StepSpec(
    "mask",
    5,
    (
        "firsthand.core.rle",
        "firsthand.curation.click_items",
        "firsthand.curation.mask_items",
        "firsthand.curation.standing",
        "firsthand.curation.stroke_items",
        "firsthand.masks.engines",
        "firsthand.masks.grabcut",
        "firsthand.masks.rows",
        "firsthand.masks.sam",
        "firsthand.masks.sam_checkpoint",
        "firsthand.masks.sam_onnx",
        "firsthand.masks.sam_prompts",
        "firsthand.media.feed_index",
        "tasks.cutting_out",
        "tasks.pointing",
        "tasks.stages.mask",
    ),
)

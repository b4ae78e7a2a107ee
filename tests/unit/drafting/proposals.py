"""What a model proposes about the made-up stream, as its reply is written."""

import json
from typing import Any

SOUND: dict[str, Any] = {
    "type": "mc_single",
    "subcategory": "Short-term Memory",
    "text": "On day 1, what does the wearer pick up first?",
    "right": ["tea pot"],
    "wrong": ["lemon", "spoon", "ball"],
    "evidence_s": [[0.4, 3.4]],
    "modalities": ["video"],
}
"""Nothing is wrong with it."""


def reply(*proposals: object) -> str:
    """A reply with these proposals."""
    return json.dumps({"questions": proposals})

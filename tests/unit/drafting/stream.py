"""One made-up stream: two days, four recordings, told and spoken."""

from firsthand.core.time import DAY_US, SECOND_US
from firsthand.core.timeline import Placement, Timeline, build_timeline
from firsthand.drafting.material import Material, material_from_rows

Row = dict[str, object]

TOLD = {
    "r1": (
        "The wearer picks up the tea pot.",
        "The wearer puts the tea pot on the stove.",
        "The wearer holds a spoon beside the sink.",
        "The wearer picks up the lemon.",
    ),
    "r2": (
        "A friend in a red coat sits on the bench.",
        "The wearer picks up the ball.",
        "The wearer puts the ball under the bench.",
        "The wearer talks about a journey.",
    ),
    "r3": (
        "The wearer opens the window in the hall.",
        "The wearer picks up the letter.",
        "The wearer puts the letter into the drawer.",
    ),
    "r4": ("The wearer picks up the hammer.", "The wearer waves.", "The wearer holds the rope."),
}
SAID = {
    "r1": ("Water boils slowly here", "Cinnamon helps", "nothing", "Grandmother planted lemons"),
    "r2": ("Sparrows gather", "Catch this quickly", "Secret", "Portugal maybe"),
    "r3": ("Breeze outside", "Telegram arrived", "Private", ""),
    "r4": ("Carpenter borrowed", "", "", ""),
}
SCENES = {"r1": "Making breakfast", "r2": "A walk in the park", "r3": "Morning at home"}
STEP_S = 4
LENGTH_S = 20


def timeline() -> Timeline:
    """Two recordings on each of two days."""
    starts_us = (0, 3_600 * SECOND_US, DAY_US, DAY_US + 3_600 * SECOND_US)
    return build_timeline(
        Placement(name, start_us, 0, LENGTH_S * SECOND_US, "person")
        for name, start_us in zip(TOLD, starts_us, strict=True)
    )


def rows(jitter_us: int = 0) -> dict[str, list[Row]]:
    """Rows of the three tables; every second word line belongs to a bystander and is redacted."""
    narrations: list[Row] = []
    words: list[Row] = []
    for recording_id, sentences in TOLD.items():
        for number, sentence in enumerate(sentences):
            begin_us = number * STEP_S * SECOND_US + 400_000
            place: Row = {"participant_id": "p", "recording_id": recording_id}
            span: Row = {"begin_us": begin_us, "end_us": begin_us + 3_000_000}
            narrations.append(place | span | {"text": sentence})
            for index, word in enumerate(SAID[recording_id][number].split()):
                heard_us = begin_us + 300_000 + 600_000 * index + jitter_us
                hidden = number == 2
                words.append(
                    place
                    | {"begin_us": heard_us, "end_us": heard_us + 500_000}
                    | {"text": word, "speaker": "bystander" if hidden else "p"}
                    | {"confidence": 0.9, "redacted": hidden}
                )
    scenes: list[Row] = [
        {"participant_id": "p", "recording_id": name, "name": f"{name}-scene", "description": text}
        for name, text in SCENES.items()
    ]
    return {"narrations": narrations, "words": words, "scenarios": scenes}


def material(jitter_us: int = 0) -> Material:
    """The stream's material, spoken words moved by `jitter_us`."""
    return material_from_rows(timeline(), "s", **rows(jitter_us))

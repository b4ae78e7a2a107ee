"""Which options are put about a clip: its own, or names from other clips."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.unit.endpoints.chat_server import ChatServer, chat_server, says
from tests.unit.subjects.endpoints import configured
from tests.unit.subjects.kitchen import Kitchen
from tests.unit.subjects.test_grounding import (
    CELL,
    FRAMES,
    GROUNDING,
    LOOKS,
    baseline,
    outcomes,
    prompt_of,
    run,
    scores,
)
from tests.unit.subjects.workshop import said, workshop


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


def options_of(clip: str, *texts: str, **positions: Sequence[int]) -> list[Any]:
    """Rows of table `clip_options`; a text in capitals is a place."""
    lettered = zip(
        [*"ABCDEFGH"[: sum(not t.isupper() for t in texts)], *"abcdefgh"], texts, strict=False
    )
    return [
        {
            "participant_id": "pa",
            "recording_id": clip,
            "option_index": place,
            "letter": letter,
            "text": text,
            "positions": positions.get(text, []),
        }
        for place, (letter, text) in enumerate(lettered)
    ]


def with_options(*rows: Any) -> Kitchen:
    release = workshop()
    return replace(release, tables={**release.tables, "clip_options": list(rows)})


OWN = options_of("wa", "saw", "tool", "nail", "glue", "FLOOR", "RACK", tool=[1], RACK=[2])
OTHER = options_of("wb", "disc", "ring", "patch", "cross", "star", "bar", patch=[1])


def test_the_options_that_a_clip_was_set_up_with_are_put_and_no_others(
    chat: ChatServer, tmp_path: Path
) -> None:
    release = with_options(*OWN, *OTHER)
    chat.answering = lambda request: says(
        said(("C", (125, 94), 2200))
        if "5900 ms" in prompt_of(request)
        else said(("B", (592, 472), 1500), ("b", (150, 140), 3500))
    )
    result = run(tmp_path, configured(chat, receives=LOOKS), release=release)
    told = {
        prompt.partition("Options:\n")[2].partition("\n\n")[0]
        for prompt in map(prompt_of, chat.requests)
    }
    assert told == {
        "A. saw\nB. tool\nC. nail\nD. glue\na. FLOOR\nb. RACK",
        "A. disc\nB. ring\nC. patch\nD. cross\nE. star\nF. bar",
    }
    # Right are the options that hold the referents' positions, whatever these are called now.
    assert set(scores(result).values()) == set(scores(result, "official").values()) == {1.0}
    oracle = run(tmp_path / "oracle", baseline("oracle"), release=release)
    assert set(scores(oracle).values()) == {1.0}


def test_a_run_knows_where_its_options_come_from() -> None:
    found = {
        name: GROUNDING.plan(release, [baseline("blind")], FRAMES)[0]
        for name, release in {
            "clip_options": with_options(*OWN, *OTHER),
            "both": with_options(*OWN),
            "other_clips": workshop(),
        }.items()
    }
    assert {name: shard.policy.to_json()["options"] for name, shard in found.items()} == {
        name: name for name in found
    }
    assert len({shard.run_id for shard in found.values()}) == 3


def test_a_clip_whose_options_lack_what_is_meant_is_not_asked(tmp_path: Path) -> None:
    without = [row for row in OWN if row["text"] != "RACK"]
    result = run(tmp_path, baseline("blind"), release=with_options(*without, *OTHER))
    assert outcomes(result) == {
        f"wa-clip@{CELL}": "not_asked(truth_not_whole)",
        f"wb-clip@{CELL}": "answered",
    }

"""Who looks at a frame in which a face was spared is told what to decide."""

from pathlib import Path

import pytest

from firsthand.store import Store
from tests.unit.review_app.desk_store import KEY, RECORDING, Reviewer, commit
from tests.unit.review_app.every_queue import FRAME_US, OWN, make_full_store

TOLD = "who let it be seen"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_full_store(tmp_path / "store")


def frame(store: Store) -> str:
    answer = Reviewer(store, "anna").client.get(f"/review/small/audit/item/{RECORDING}/{FRAME_US}")
    assert answer.status_code == 200
    return answer.text


def spared(name: str, begin_us: int, end_us: int) -> dict[str, object]:
    seen = {"looks": 3, "nearest": 0.1, "median": 0.2, "farthest": 0.3, "farthest_us": begin_us}
    return {
        **OWN,
        "track_id": 0,
        "shown_participant_id": name,
        "begin_us": begin_us,
        "end_us": end_us,
        **seen,
    }


def test_only_a_spared_face_is_spoken_of(store: Store) -> None:
    assert TOLD not in frame(store)
    commit(store, "spared_faces", [spared("P2", FRAME_US - 1, FRAME_US)])
    assert TOLD not in frame(store), "covered again at this frame"
    commit(store, "spared_faces", [spared("P<2>", FRAME_US, FRAME_US + 1)], KEY[::-1])
    assert "took a face in this frame for that of <b>P&lt;2&gt;</b>, who let it be seen" in frame(
        store
    )


def test_each_participant_whose_face_is_seen_is_named_once(store: Store) -> None:
    rows = [
        {**spared(name, FRAME_US, FRAME_US + 9), "track_id": track}
        for track, name in enumerate(("P3", "P1", "P3"))
    ]
    commit(store, "spared_faces", rows)
    assert "took faces in this frame for that of <b>P1</b> and of <b>P3</b>" in frame(store)

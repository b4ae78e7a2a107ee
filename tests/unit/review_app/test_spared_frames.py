"""Who looks at a frame in which a face was spared is told what to decide."""

from pathlib import Path

import pytest

from firsthand.store import Store, Zone, commit_table, read_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.tables import AUDIT_FRAMES
from tests.unit.review_app.desk_store import KEY, RECORDING, Reviewer
from tests.unit.review_app.every_queue import FRAME_US, make_full_store

TOLD = "that of a participant who let it be seen"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_full_store(tmp_path / "store")


def frame(store: Store) -> str:
    answer = Reviewer(store, "anna").client.get(f"/review/small/audit/item/{RECORDING}/{FRAME_US}")
    assert answer.status_code == 200
    return answer.text


def test_only_a_spared_face_is_spoken_of(store: Store) -> None:
    assert TOLD not in frame(store)
    (row,) = read_table(store, "small", AUDIT_FRAMES, Zone.PRIVATE).to_pylist()
    rows = table_from_rows(AUDIT_FRAMES, [{**row, "stratum": "spared_face"}])
    part = write_part(store, AUDIT_FRAMES, rows, Zone.PRIVATE, KEY[::-1])
    commit_table(store, "small", AUDIT_FRAMES, [part])
    assert TOLD in frame(store)

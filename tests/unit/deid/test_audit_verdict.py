"""When an audit lets a release be made, and what is said of one that did not."""

from dataclasses import replace

import pytest

from firsthand.core.identity import Json
from firsthand.curation.audit_items import AuditedFrame
from firsthand.deid.audit_verdict import (
    AuditNotPassedError,
    AuditOverride,
    audit_result_rows,
    audit_tally,
    require_audit,
)
from firsthand.store import TABLES, table_from_rows

CLEAN = AuditedFrame("r1", 0, "other", judged=True, faces_left=0, texts_left=0)
ENDS = replace(CLEAN, pts_us=40_000, stratum="track_end")
ROWS: list[dict[str, Json]] = [
    {"recording_id": "r1", "stratum": "other", "stratum_frames": 900},
    {"recording_id": "r1", "stratum": "track_end", "stratum_frames": 100},
    {"recording_id": "r2", "stratum": "track_end", "stratum_frames": 50},
    # A second frame of the same kind says the same size again; it counts once.
    {"recording_id": "r1", "stratum": "track_end", "stratum_frames": 100},
]


def test_a_release_may_be_made_when_every_frame_was_looked_at_and_is_clean() -> None:
    require_audit("demo", audit_tally(ROWS, [CLEAN, ENDS]), None)


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        ([], "0 of 0"),
        ([CLEAN, replace(ENDS, judged=False)], "1 of 2"),
        ([CLEAN, replace(ENDS, faces_left=1)], "1 leaks"),
        ([CLEAN, replace(ENDS, texts_left=2)], "2 leaks"),
    ],
)
def test_otherwise_somebody_must_take_it_upon_themselves(
    frames: list[AuditedFrame], told: str
) -> None:
    tally = audit_tally(ROWS, frames)
    with pytest.raises(AuditNotPassedError, match=told):
        require_audit("demo", tally, None)
    override = AuditOverride("Eva", "Nobody is in it but the two of us.")
    require_audit("demo", tally, override)
    said = tally.to_json(override)
    assert said["passed"] is False
    assert said["override"] == {"name": "Eva", "reason": "Nobody is in it but the two of us."}


def test_an_override_that_was_not_needed_is_not_published() -> None:
    said = audit_tally(ROWS, [CLEAN, ENDS]).to_json(AuditOverride("Eva", "Just in case it fails."))
    assert (said["passed"], said["override"]) == (True, None)


def test_what_was_found_stands_for_all_frames_of_its_kind() -> None:
    tally = audit_tally(ROWS, [CLEAN, replace(ENDS, faces_left=2), ENDS])
    # One face a frame in 150 of 1050 frames, hence 1/7 of every hour's 3600 s.
    assert tally.face_rate.per_hour == pytest.approx(3_600 / 7)
    assert tally.text_rate.per_hour == 0
    rows = list(audit_result_rows("p1", tally, signed_off=False))
    table = table_from_rows(TABLES["audit_results"], rows).to_pylist()
    assert [(row["stratum"], row["frames"], row["faces_left"]) for row in table] == [
        ("all", 1_050, 2),
        ("other", 900, 0),
        ("track_end", 150, 2),
    ]
    assert [row["originals_kept"] for row in table] == [row["sampled"] for row in table]
    gone = audit_result_rows("p1", tally, signed_off=True)
    assert {row["originals_kept"] for row in gone} == {0}
    assert table[0]["face_s_per_hour"] == pytest.approx(3_600 / 7)
    assert table[1]["face_s_per_hour"] is None


@pytest.mark.parametrize(("judged", "left"), [(False, 0), (True, 1)])
def test_no_override_releases_a_spared_face_that_nobody_has_found_to_be_the_participants(
    judged: bool, left: int
) -> None:
    override = AuditOverride("Eva", "Nobody is in it but the two of us.")
    seen = replace(CLEAN, pts_us=80_000, stratum="spared_face")
    require_audit("demo", audit_tally(ROWS, [replace(CLEAN, judged=False), seen]), override)
    doubted = audit_tally(ROWS, [CLEAN, replace(seen, judged=judged, faces_left=left)])
    with pytest.raises(AuditNotPassedError, match="spared faces"):
        require_audit("demo", doubted, override)

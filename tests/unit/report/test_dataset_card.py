"""The card of a release and its Croissant description."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from firsthand.core.identity import Json, digest_file
from firsthand.curation.agreement import (
    AgreementOverride,
    QueueAgreement,
    agreement_of,
    review_json,
)
from firsthand.curation.audit_items import AuditedFrame
from firsthand.curation.double_review import Annotation, Verdict
from firsthand.curation.revisions import ReviewItem
from firsthand.deid.audit_verdict import AuditOverride, audit_tally
from firsthand.report.croissant import croissant
from firsthand.report.dataset_card import CardText, dataset_card
from firsthand.store import TABLES, table_from_rows
from firsthand.store.releases import Release, ReleaseFile
from tests.unit.subjects.kitchen import kitchen

ITEM = ReviewItem("draft", "d1", 0, {})
TEXT = CardText("Kitchen | test", "Two people in a kitchen.", "CC0-1.0", "privacy@example.org")


@pytest.fixture
def release(tmp_path: Path) -> Release:
    held = kitchen()
    (tmp_path / "tables").mkdir()
    files = []
    for name in sorted(held.tables):
        path = tmp_path / "tables" / f"{name}.parquet"
        table = held.table(name)
        pq.write_table(table, path)
        size_bytes, sha256 = path.stat().st_size, digest_file(path)
        files.append(
            ReleaseFile(f"tables/{name}.parquet", sha256, size_bytes, "table", table.num_rows)
        )
    manifest = {"engines": {"faces": {"name": "centerface", "version": "1"}}}
    return Release(tmp_path, held.release_id, held.digest, tuple(files), manifest)


def test_the_card_counts_questions_and_names_the_licence(release: Release) -> None:
    card = dataset_card(release, TEXT)
    assert card.startswith("# Kitchen \\| test\n")
    assert "| Questions | 6 |" in card
    assert "| Memory | Short\\-term Memory | 3 |" in card
    assert "By type: 2 binary, 1 mc_multi, 2 mc_single, 1 open_ended." in card
    assert "| Licence | CC0\\-1.0 |" in card
    assert "| faces | centerface 1 |" in card
    assert "privacy@example.org" in card


def test_croissant_describes_every_table_with_its_digest_and_columns(release: Release) -> None:
    described = json.loads(json.dumps(croissant(release, TEXT)))
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    files = {file["@id"]: file for file in described["distribution"]}
    assert set(files) == {f"tables/{name}.parquet" for name in kitchen().tables}
    for name, file in files.items():
        assert file["sha256"] == digest_file(release.path / name)
    questions = next(records for records in described["recordSet"] if records["@id"] == "questions")
    fields = {field["name"]: field for field in questions["field"]}
    assert fields["due_us"]["dataType"] == "sc:Integer"
    assert fields["answer"]["repeated"] is True
    assert fields["text"]["source"]["fileObject"]["@id"] in files


def test_the_card_says_whose_faces_are_not_covered(release: Release) -> None:
    assert "Faces are covered. Writing" in dataset_card(release, TEXT)
    measure = {
        "participant_id": "P1",
        "measure": "spared_faces",
        "unit": "face-s",
        "engine": "dlib",
    }
    rows = [{**measure, "recording_id": name, "value": 1.25} for name in ("r1", "r2")]
    path = release.path / "tables/deid_audit.parquet"
    pq.write_table(table_from_rows(TABLES["deid_audit"], rows), path)
    size_bytes, sha256 = path.stat().st_size, digest_file(path)
    audit = ReleaseFile("tables/deid_audit.parquet", sha256, size_bytes, "table", 2)
    kept = (one for one in release.files if one.path != audit.path)
    card = dataset_card(replace(release, files=(*kept, audit)), TEXT)
    assert "participants who let their own be seen: 2.5 face-seconds in all" in card


def test_the_card_says_how_far_reviewers_agree_and_who_signed_when(release: Release) -> None:
    assert "How the questions were reviewed is not recorded." in dataset_card(release, TEXT)
    sides = ["accept"] * 6 + ["reject"] * 6, ["accept"] * 5 + ["reject"] * 7
    found = agreement_of(
        [
            Annotation(name, Verdict(said), ITEM, settled=True)
            for name, said in zip("ab", both, strict=True)
        ]
        for both in zip(*sides, strict=True)
    )
    signature: dict[str, Json] = {
        "name": "Vera | V.",
        "decision": "accept",
        "reason": "Read all of them.",
        # 30 November 2026, 10:47:00 UTC.
        "signed_utc_us": 1_796_035_620_000_000,
        "outcome": "a" * 64,
    }
    window = replace(ITEM, item_kind="stroke")
    kept = [[Annotation(name, Verdict.REJECT, window, settled=True) for name in "ab"]] * 4
    queues = [
        QueueAgreement("draft", 0.25, 0.8, found),
        QueueAgreement("stroke", 0.5, 0.9, agreement_of(kept)),
        QueueAgreement("click", 0.5, None, agreement_of([])),
    ]
    review = {**review_json(queues, None), "sign_off": signature}
    card = dataset_card(replace(release, manifest={**release.manifest, "review": review}), TEXT)
    assert "| questions | 12 (25% asked for) | 12 | 11 |" in card
    # Chance agreement is one half: kappa is 2 * 11 / 12 - 1. Wilson's interval of 11 of 12 is
    # 0.6461 to 0.9851.
    assert "Cohen's kappa 0.833 (95% interval 0.292 to 0.970, n 12)" in card
    # By 11 and 13 of 24 ratings: chance is 2 * (11 * 10 + 13 * 12) / 2 / (24 * 23).
    assert "Krippendorff's alpha 0.839 (95% interval 0.317 to 0.971, n 12) | above 0.8: met" in card
    # Wilson's lower end of 4 of 4 is 4 / (4 + 1.96^2).
    assert "share alike 1.000 (95% interval 0.510 to 1.000, n 4) | at least 0.9: met |" in card
    assert "| clicks |" not in card
    assert "Signed off by Vera \\| V. on 30 Nov 2026, 10:47 UTC: Read all of them." in card
    unasked = {**review_json([QueueAgreement("draft", 0.0, None, agreement_of([]))], None)}
    manifest = {"review": {**unasked, "sign_off": None}}
    card = dataset_card(replace(release, manifest=manifest), TEXT)
    assert "how far two agree was not measured" in card
    assert "No signature under the outcome was demanded." in card


def test_the_card_says_who_released_without_the_demanded_agreement(release: Release) -> None:
    half = QueueAgreement("stroke", 0.5, 0.9, agreement_of([()]))
    review = {
        **review_json([half], AgreementOverride("Eva | B.", "One person was ill.")),
        "sign_off": None,
    }
    card = dataset_card(replace(release, manifest={"review": review}), TEXT)
    assert "| strokes | 1 (50% asked for) | 0 | 0 | share alike is not defined (n 0) |" in card
    assert "| at least 0.9: not met |" in card
    assert "that was demanded, by Eva \\| B.: One person was ill." in card
    assert "One person decided on each question" in card


def test_the_card_says_how_the_audit_stands(release: Release) -> None:
    assert "No privacy audit is recorded." in dataset_card(release, TEXT)
    frame = AuditedFrame("r1", 0, "other", judged=True, faces_left=0, texts_left=0)
    row: dict[str, Json] = {"recording_id": "r1", "stratum": "other", "stratum_frames": 9_000}
    passed = audit_tally([row], [frame] * 60)
    override = AuditOverride("Eva | B.", "Nobody is in it but the two of us.")
    manifest = {**release.manifest, "audit": passed.to_json(override)}
    card = dataset_card(replace(release, manifest=manifest), TEXT)
    assert "Privacy audit: passed. People looked at 60 of 60 sampled frames" in card
    # The upper end is -ln(0.025) / 60 faces a frame, for 3600 s.
    assert "0.00 face-seconds left per hour (95% interval 0.00 to 221.33)" in card
    assert "Eva" not in card
    waiting = audit_tally([row], [replace(frame, judged=False)])
    manifest = {**release.manifest, "audit": waiting.to_json(override)}
    card = dataset_card(replace(release, manifest=manifest), TEXT)
    assert "Privacy audit: not passed. People looked at 0 of 1 sampled frames" in card
    assert "The rate of what is left is not known." in card
    assert "by Eva \\| B.: Nobody is in it but the two of us." in card

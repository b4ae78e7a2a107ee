"""The card of a release and its Croissant description."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from firsthand.core.identity import digest_file
from firsthand.report.croissant import croissant
from firsthand.report.dataset_card import CardText, dataset_card
from firsthand.store.releases import Release, ReleaseFile
from tests.unit.subjects.kitchen import kitchen

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

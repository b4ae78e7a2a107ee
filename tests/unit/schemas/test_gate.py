"""The gate: a sound benchmark passes, and every kind of fault is named with its row."""

from typing import Any

import pyarrow as pa
import pytest

from firsthand.store import TABLES, Store
from schemas.expectations import Engine
from schemas.gate import DataQualityError, GateReport, check_tables
from schemas.suite import Suite
from schemas.suites import SUITES
from tests.unit.store.small_benchmark import DURATION_US, tables_of

Tables = dict[str, pa.Table]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return tables_of(Store.opened(tmp_path_factory.mktemp("store")))


def changed(tables: Tables, name: str, **values: Any) -> Tables:
    """The tables with the first row of one of them changed."""
    first, *others = tables[name].to_pylist()
    rows = pa.Table.from_pylist([{**first, **values}, *others], schema=tables[name].schema)
    return {**tables, name: rows}


def broken(engine: Engine, suite: Suite, tables: Tables) -> dict[str, tuple[str, ...]]:
    """The columns blamed in a table, each with the first key that is blamed."""
    return {
        failed.rule.column: failed.keys[0] if failed.keys else ()
        for failed in engine.failures(suite, tables)
    }


def test_every_table_has_a_suite_of_its_own() -> None:
    assert list(SUITES) == list(TABLES)
    assert all(suite.spec is TABLES[name] for name, suite in SUITES.items())


def test_rules_speak_of_columns_that_are_there() -> None:
    for name, suite in SUITES.items():
        there = {*suite.spec.schema.names, *(borrowed.name for borrowed in suite.borrowed)}
        for borrowed in suite.borrowed:
            assert {borrowed.on, borrowed.column} <= set(TABLES[borrowed.table].schema.names)
        named = {part for rule in suite.rules for part in rule.column.split(", ")}
        assert named <= there, name


def test_a_sound_benchmark_passes(sound: Tables) -> None:
    report = check_tables(sound)
    assert report.failures == ()
    assert report.checked["questions"] == 2
    report.require_passed()


@pytest.mark.parametrize(
    ("table", "values", "column"),
    [
        ("words", {"end_us": 0}, "begin_us"),
        ("words", {"begin_us": -1}, "begin_us"),
        ("words", {"end_us": DURATION_US + 1}, "end_us"),
        ("words", {"confidence": 1.5}, "confidence"),
        ("words", {"confidence": None}, "confidence"),
        ("words", {"timing": "guessed"}, "timing"),
        ("words", {"redacted": True}, "text"),
        ("words", {"text": ""}, "text"),
        ("words", {"speaker": "bystander"}, "text"),
        ("words", {"recording_id": "c3" * 32}, "recording_duration_us"),
        ("masks", {"width_px": 360, "height_px": 640}, "height_px"),
        ("masks", {"area_share": 1.01}, "area_share"),
        ("masks", {"flags": ["ugly"]}, "flags"),
        ("masks", {"pts_us": DURATION_US + 1}, "pts_us"),
        ("clips", {"end_us": 0}, "end_us"),
        ("clips", {"end_us": DURATION_US + 1}, "end_us"),
        ("clips", {"proxy_sha256": "x"}, "proxy_sha256"),
        ("clips", {"participant_id": "p9"}, "participant_id"),
        ("recordings", {"rotation_deg": 45}, "rotation_deg"),
        ("recordings", {"duration_us": 0}, "duration_us"),
        ("timeline", {"start_label": "D0-08:00:00"}, "start_label"),
        ("timeline", {"end_label": "D1-24:00:00"}, "end_label"),
        ("timeline", {"stream_end_us": DURATION_US - 1}, "duration_us"),
        ("streams", {"recorded_us": DURATION_US + 1}, "recorded_us"),
        ("streams", {"recordings": 2}, "recorded_us"),
        ("drafts", {"answer": ["C"]}, "answer"),
        ("drafts", {"answer": ["A", "B"]}, "answer"),
        ("drafts", {"question_type": "binary"}, "answer"),
        ("drafts", {"evidence": [{"begin_us": 0, "end_us": DURATION_US + 1}]}, "evidence"),
        ("drafts", {"evidence": []}, "evidence"),
        ("questions", {"question_type": "multiple"}, "question_type"),
        ("questions", {"subcategory": "Guessing"}, "subcategory"),
        ("questions", {"category": "Understanding"}, "category"),
        ("questions", {"answer": ["C"]}, "answer"),
        ("questions", {"answer": []}, "answer"),
        ("questions", {"due_us": 2_500_000}, "due_us"),
        ("questions", {"revision": 1}, "content_digest"),
        ("questions", {"content_digest": "0" * 64}, "content_digest"),
        ("questions", {"required_modalities": ["smell"]}, "required_modalities"),
        ("questions", {"text": " "}, "text"),
        ("questions", {"stream_id": "stream-p9"}, "stream_recorded_us"),
        ("options", {"letter": "B"}, "letter"),
        ("options", {"question_id": "question-p9"}, "own_question"),
        ("evidence", {"begin_us": 3_000_000}, "begin_us"),
        ("evidence", {"end_us": DURATION_US + 1}, "end_us"),
        ("evidence", {"stream_id": "stream-p2"}, "stream_id"),
        ("consents", {"scope": "everything"}, "scope"),
        ("reviews", {"decision": "maybe"}, "decision"),
    ],
)
def test_a_fault_is_blamed_on_its_column_and_row(
    engine: Engine, sound: Tables, table: str, values: dict[str, Any], column: str
) -> None:
    tables = changed(sound, table, **values)
    found = broken(engine, SUITES[table], tables)
    assert column in found
    first = tables[table].to_pylist()[0]
    assert found[column] == tuple(str(first[name]) for name in TABLES[table].key)


def test_a_repeated_key_is_named(engine: Engine, sound: Tables) -> None:
    words = sound["words"]
    tables = {**sound, "words": pa.concat_tables([words, words.slice(0, 1)]).combine_chunks()}
    assert "recording_id, word_index" in broken(engine, SUITES["words"], tables)


def test_a_draft_that_a_check_rejected_may_be_faulty(engine: Engine, sound: Tables) -> None:
    tables = changed(sound, "drafts", answer=["C"], rejected_by=["answer_exists"])
    assert broken(engine, SUITES["drafts"], tables) == {}


def test_an_unreviewed_question_does_not_pass(engine: Engine, sound: Tables) -> None:
    tables = changed(sound, "reviews", decision="reject")
    assert "content_digest" in broken(engine, SUITES["questions"], tables)


def test_a_withdrawn_consent_stops_the_clips(engine: Engine, sound: Tables) -> None:
    rows = sound["consents"].to_pylist()
    for row in rows:
        row["withdrawn_on"] = row["granted_on"]
    withdrawn = pa.Table.from_pylist(rows, schema=sound["consents"].schema)
    tables = {**sound, "consents": withdrawn}
    assert "participant_id" in broken(engine, SUITES["clips"], tables)
    assert "participant_id" in broken(engine, SUITES["recordings"], tables)


def failed_report(sound: Tables) -> GateReport:
    return check_tables(changed(sound, "words", confidence=2.0, text="a word that was said"))


def test_a_report_lists_tables_columns_and_keys_but_no_content(sound: Tables) -> None:
    report = failed_report(sound)
    assert [(one.table, one.column, one.rows) for one in report.failures] == [
        ("words", "confidence", 1)
    ]
    text = report.to_markdown()
    assert "1 expectations failed" in text
    assert f"- {'a1' * 32} / 0" in text
    assert "between 0 and 1" in text
    with pytest.raises(DataQualityError, match=r"words\.confidence: 1 rows") as caught:
        report.require_passed()
    assert "a word that was said" not in text + str(caught.value)


def test_a_table_is_not_checked_without_those_it_refers_to(sound: Tables) -> None:
    with pytest.raises(ValueError, match="recordings"):
        check_tables({"words": sound["words"]})
    with pytest.raises(ValueError, match="no table 'secrets'"):
        check_tables({"secrets": sound["words"]})
    with pytest.raises(ValueError, match="declared schema"):
        check_tables({"participants": sound["words"]})


@pytest.mark.parametrize("name", sorted(SUITES))
def test_an_empty_table_breaks_nothing(engine: Engine, name: str) -> None:
    empty = {table: spec.schema.empty_table() for table, spec in TABLES.items()}
    assert broken(engine, SUITES[name], empty) == {}

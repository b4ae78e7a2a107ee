"""Steps: what is finished is not computed again, and what is torn is."""

import json
import multiprocessing
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthand.core.identity import Json, canonical_json
from firsthand.core.metering import count_engine_call
from firsthand.store import (
    TABLES,
    Outputs,
    Receipt,
    StepRequest,
    StepSpec,
    Store,
    Zone,
    commit_table,
    read_table,
    run_step,
    steps,
)
from firsthand.store.journal import read_journal, summarise
from tests.unit.store.words_heard import words_heard

HEAR = StepSpec("hear", 1)
WORDS = TABLES["words"]
ROWS = 100


def request(recording: str = "r1", **changes: Json) -> StepRequest:
    return StepRequest(HEAR, {"recording": recording}, {"beam": 5, **changes}, subject=recording)


def hear(folder: Path) -> Outputs:
    count_engine_call("ear", 3)
    sound = folder / "sound.wav"
    sound.write_bytes(b"sound")
    return Outputs(
        tables=((WORDS, Zone.PUBLIC, words_heard("r1", ROWS)),),
        files={"sound": (sound, Zone.PRIVATE)},
        values={"words": ROWS},
    )


def never(folder: Path) -> Outputs:
    raise AssertionError("a finished step ran again")


def test_a_finished_step_is_not_run_again_and_its_engine_is_not_asked(store: Store) -> None:
    first = run_step(store, request(), hear, job="one")
    again = run_step(store, request(), never, job="two")
    assert again == first
    assert summarise(read_journal(store, "one")).engine_calls == {"ear": 3}
    two = summarise(read_journal(store, "two"))
    assert (two.executed, two.reused, dict(two.engine_calls)) == (0, 1, {})


@pytest.mark.parametrize("change", ["input", "parameter", "version", "engine"])
def test_a_step_runs_again_when_anything_its_result_depends_on_changes(change: str) -> None:
    changed = {
        "input": request("r2"),
        "parameter": request(beam=6),
        "version": StepRequest(StepSpec("hear", 2), {"recording": "r1"}, {"beam": 5}),
        "engine": StepRequest(HEAR, {"recording": "r1"}, {"beam": 5}, {"name": "ear"}),
    }[change]
    assert changed.key != request().key


def test_what_a_step_is_about_is_for_the_log_alone() -> None:
    assert StepRequest(HEAR, {"a": "1"}, subject="x").key == StepRequest(HEAR, {"a": "1"}).key


def test_a_kill_between_part_and_receipt_leaves_the_step_unfinished_and_its_redoing_equal(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """The process is gone."""

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(steps, "write_json", kill)
        with pytest.raises(Killed):
            run_step(store, request(), hear, job="one")
    assert store.part(Zone.PUBLIC, "words", request().key).exists()
    assert not store.receipt("hear", request().key).exists()
    redone = run_step(store, request(), hear, job="two")
    undisturbed = run_step(Store.opened(tmp_path / "other"), request(), hear, job="one")
    assert redone == undisturbed


def test_a_kill_inside_the_work_leaves_neither_part_nor_scratch(store: Store) -> None:
    def break_off(folder: Path) -> Outputs:
        (folder / "half").write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_step(store, request(), break_off, job="one")
    assert list(store.scratch.iterdir()) == []
    assert not list(store.zone(Zone.PUBLIC).rglob("*.parquet"))


@pytest.mark.parametrize("torn", ["empty", "half", "last byte lost", "gone"])
def test_a_torn_part_is_made_again(store: Store, torn: str) -> None:
    first = run_step(store, request(), hear, job="one")
    path = store.root / first.parts[0].path
    whole = path.read_bytes()
    damaged = {"empty": b"", "half": whole[: len(whole) // 2], "last byte lost": whole[:-1]}
    path.unlink()
    if torn in damaged:
        path.write_bytes(damaged[torn])
    again = run_step(store, request(), hear, job="two")
    assert again == first
    assert path.read_bytes() == whole


def test_a_lost_blob_is_made_again(store: Store) -> None:
    first = run_step(store, request(), hear, job="one")
    first.blobs["sound"].path(store).unlink()
    run_step(store, request(), hear, job="two")
    assert first.blobs["sound"].is_whole(store)


def _run_in_a_process(root: Path, barrier: object, receipts: object) -> None:
    barrier.wait()  # type: ignore[attr-defined] # a barrier of another process
    store = Store.opened(root)
    receipt = run_step(store, request(), hear, job="together")
    commit_table(store, "demo", WORDS, receipt.parts)
    receipts.put(receipt.digest)  # type: ignore[attr-defined] # a queue of another process


def test_two_processes_that_run_one_step_at_once_leave_its_rows_once(store: Store) -> None:
    spawn = multiprocessing.get_context("fork")
    barrier, receipts = spawn.Barrier(2), spawn.Queue()
    both = [
        spawn.Process(target=_run_in_a_process, args=(store.root, barrier, receipts))
        for _ in range(2)
    ]
    for process in both:
        process.start()
    digests = {receipts.get(timeout=60) for _ in both}
    for process in both:
        process.join(60)
        assert process.exitcode == 0
    assert len(digests) == 1
    assert read_table(store, "demo", WORDS).num_rows == ROWS
    assert len(list((store.zone(Zone.PUBLIC) / "tables" / "words").rglob("*.parquet"))) == 1
    assert summarise(read_journal(store, "together")).executed == 1


def test_a_zombie_that_writes_late_changes_nothing(store: Store) -> None:
    """The interleaving in which a lost worker finishes after its successor."""
    receipts: list[Receipt] = []

    def overtaken(folder: Path) -> Outputs:
        receipts.append(run_step(store, request(), hear, job="second"))
        commit_table(store, "demo", WORDS, receipts[0].parts)
        return hear(folder)

    zombie = run_step(store, request(), overtaken, job="first")
    assert [zombie] == receipts
    assert read_table(store, "demo", WORDS).num_rows == ROWS


def test_receipts_are_equal_byte_for_byte_whoever_ran_the_step(tmp_path: Path) -> None:
    texts = set()
    for name in ("one", "two"):
        store = Store.opened(tmp_path / name)
        run_step(store, request(), hear, job=name)
        texts.add(store.receipt("hear", request().key).read_bytes())
    assert len(texts) == 1
    assert str(tmp_path).encode() not in texts.pop()


@settings(max_examples=15)
@given(
    values=st.dictionaries(
        st.text(max_size=5), st.integers() | st.text(max_size=5) | st.none(), max_size=3
    )
)
def test_values_come_back_from_a_receipt_as_they_went_in(
    values: dict[str, Json], tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = Store.opened(tmp_path_factory.mktemp("store"))
    run_step(store, request(), lambda _: Outputs(values=values), job="one")
    again = run_step(store, request(), never, job="one")
    assert canonical_json(again.values) == canonical_json(values)


def test_a_part_holds_the_declared_types(store: Store) -> None:
    receipt = run_step(store, request(), hear, job="one")
    assert pq.read_schema(store.root / receipt.parts[0].path).equals(WORDS.schema)


def test_a_journal_line_torn_by_a_kill_is_left_out(store: Store) -> None:
    run_step(store, request(), hear, job="one")
    with store.journal("one").open("ab") as file:
        file.write(json.dumps({"step": "hear"}).encode()[:-3])
    assert len(read_journal(store, "one")) == 1

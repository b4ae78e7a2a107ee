"""Faults of runs that were killed, doubled or locked out, each with what was asked for.

55: a killed writer leaves a part file that is torn. 56: a worker that was given up finishes
after its successor. 57: another process keeps the catalog open for writing.
"""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from firsthand.core.metering import count_engine_call
from firsthand.endpoints import Reply, ReplyLog, ReplyOwner
from firsthand.store import (
    TABLES,
    Outputs,
    StepRequest,
    StepSpec,
    Store,
    Zone,
    commit_table,
    read_table,
    run_step,
)
from firsthand.store.catalog import CatalogBusyError, query, rebuild_catalog
from firsthand.store.commits import Part, write_part
from firsthand.store.journal import read_journal, summarise
from tests.unit.store.words_heard import words_heard

WORDS = TABLES["words"]
HEAR = StepSpec("hear", 1)
_FORK = multiprocessing.get_context("fork")


def request(clip: str) -> StepRequest:
    return StepRequest(HEAR, {"recording": clip}, subject=clip)


def heard(store: Store, clip: str, job: str) -> Part:
    """Run the step of one clip, whose output has 50 rows, and return its part."""

    def hear(_: Path) -> Outputs:
        count_engine_call("ear")
        return Outputs(tables=((WORDS, Zone.PUBLIC, words_heard(clip, 50)),))

    (part,) = run_step(store, request(clip), hear, job=job).parts
    return part


CLIPS = ("good", "torn", "lost_last_byte", "empty")


def test_55_steps_whose_files_are_torn_are_done_again_by_name_and_the_good_one_is_kept(
    store: Store,
) -> None:
    files = {clip: store.root / heard(store, clip, "first").path for clip in CLIPS}
    whole = {clip: path.read_bytes() for clip, path in files.items()}
    files["torn"].write_bytes(whole["torn"][: len(whole["torn"]) // 2])
    files["lost_last_byte"].write_bytes(whole["lost_last_byte"][:-1])
    files["empty"].write_bytes(b"")
    for clip in CLIPS[1:]:
        with pytest.raises(pa.ArrowInvalid):
            pq.read_table(files[clip])
    kept = files["good"].stat()
    for clip in CLIPS:
        heard(store, clip, "second")
    assert {clip: path.read_bytes() for clip, path in files.items()} == whole
    assert files["good"].stat() == kept
    journal = read_journal(store, "second")
    assert summarise(journal).engine_calls == {"ear": 3}
    named = {line.subject: list(line.damaged) for line in journal if line.executed}
    assert named == {clip: [files[clip].relative_to(store.root).as_posix()] for clip in CLIPS[1:]}


def test_55_no_leftover_file_stands_in_the_way_of_a_query(store: Store) -> None:
    for clip in CLIPS:
        commit_table(store, f"demo {clip}", WORDS, [heard(store, clip, "first")])
    folder = (store.zone(Zone.PUBLIC) / "tables" / "words") / request("good").key
    (folder / "part-1.parquet.tmp").write_bytes(b"PAR1")
    (folder / "part-9.parquet").write_bytes(b"PAR1half")
    rebuild_catalog(store)
    assert query(store, "SELECT count(*) AS n FROM words").to_pylist() == [{"n": 200}]


def _write_for_ever(root: Path, tables: Sequence[pa.Table], begun: Event) -> None:
    store = Store.opened(root)
    while True:
        for table in tables:
            write_part(store, WORDS, table, Zone.PUBLIC, "key")
            begun.set()


def test_55_a_writer_killed_at_any_time_leaves_the_old_file_or_the_new_one(store: Store) -> None:
    draw = random.Random(20261130)
    path = store.part(Zone.PUBLIC, "words", "key")
    tables = [words_heard("old", 5_000), words_heard("new", 7_000)]
    for _ in range(8):
        begun = _FORK.Event()
        writer = _FORK.Process(target=_write_for_ever, args=(store.root, tables, begun))
        writer.start()
        assert begun.wait(60)
        time.sleep(draw.random() * 0.02)
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        assert pq.read_table(path).num_rows in (5_000, 7_000)
        assert list(path.parent.iterdir()) == [path]
    # What the killed writers left under temporary names is swept by the next job.
    store.sweep_scratch()
    assert list(store.scratch.iterdir()) == []


ROWS = 100
BEFORE_LOSS = 41


class Attempts:
    """The two attempts at one task, and the moments at which they wait for each other."""

    def __init__(self, root: Path, order: str) -> None:
        self.root = root
        self.order = order
        self.lost, self.resumed, self.second_done = (_FORK.Event() for _ in range(3))

    def run(self, attempt: int) -> None:
        store = Store.opened(self.root)
        log = ReplyLog(store.replies, f"w{attempt}")

        def work(_: Path) -> Outputs:
            for row in range(ROWS):
                if attempt == 1 and row == BEFORE_LOSS:
                    self.lost.set()
                    self.wait_as_a_zombie()
                self.pay(log, row, attempt)
            return Outputs(tables=((WORDS, Zone.PUBLIC, words_heard("clip7", ROWS)),))

        receipt = run_step(store, request("clip7"), work, job="job")
        commit_table(store, "demo", WORDS, receipt.parts)
        if attempt == 2:
            self.second_done.set()

    def wait_as_a_zombie(self) -> None:
        last = self.second_done if self.order == "zombie writes last" else self.resumed
        assert last.wait(60)

    def pay(self, log: ReplyLog, row: int, attempt: int) -> None:
        if log.get(f"row-{row}") is None:
            count_engine_call("paid model")
            with (self.root / "paid.txt").open("a") as paid:
                paid.write(f"{row} {attempt}\n")
            log.put(f"row-{row}", Reply("word", "stop", 1), ReplyOwner("p1", "paid model"))
        if attempt == 2 and row == ROWS // 2:
            self.resumed.set()


@pytest.mark.parametrize("order", ["zombie writes first", "zombie writes last"])
def test_56_a_task_run_twice_leaves_each_row_once_and_pays_for_no_stored_reply_again(
    store: Store, order: str
) -> None:
    attempts = Attempts(store.root, order)
    first = _FORK.Process(target=attempts.run, args=(1,))
    first.start()
    assert attempts.lost.wait(60)
    second = _FORK.Process(target=attempts.run, args=(2,))
    second.start()
    for process in (first, second):
        process.join(60)
        assert process.exitcode == 0
    assert read_table(store, "demo", WORDS).num_rows == ROWS
    parts = list((store.zone(Zone.PUBLIC) / "tables" / "words").rglob("*.parquet"))
    assert len(parts) == 1
    assert pq.read_table(parts[0]).num_rows == ROWS
    paid = [line.split() for line in (store.root / "paid.txt").read_text().splitlines()]
    by_row = Counter(int(row) for row, _ in paid)
    assert set(by_row) == set(range(ROWS))
    # What the first attempt had stored before it was given up, the second one did not pay for.
    assert {row for row, attempt in paid if attempt == "2"}.isdisjoint(
        {str(row) for row in range(BEFORE_LOSS)}
    )
    # Reports count the step once, however many attempts there were.
    assert summarise(read_journal(store, "job")).executed == 1
    assert len(ReplyLog(store.replies, "reader")) == ROWS


_HOLD = (
    "import duckdb,sys\n"
    "c = duckdb.connect(sys.argv[1])\n"
    "c.execute('create table if not exists t(a int)')\n"
    "print('held', flush=True)\n"
    "sys.stdin.read()\n"
)


@contextmanager
def held(catalog: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Keep a connection for writing open in another process until its input is closed."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(catalog)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        yield holder


def test_57_a_reader_waits_for_whoever_holds_the_catalog_and_says_who(store: Store) -> None:
    rebuild_catalog(store)
    with held(store.catalog) as holder:
        with pytest.raises(CatalogBusyError, match=f"process {holder.pid}"):
            query(store, "SELECT count(*) AS n FROM words", patience_s=0.2)
        assert holder.stdin is not None
        threading.Timer(0.3, holder.stdin.close).start()
        found = query(store, "SELECT count(*) AS n FROM words", patience_s=60)
    assert found.to_pylist() == [{"n": 0}]


def test_57_a_step_and_its_commit_are_not_held_up_by_a_locked_catalog(store: Store) -> None:
    rebuild_catalog(store)
    with held(store.catalog) as holder:
        commit_table(store, "demo", WORDS, [heard(store, "r1", "job")])
        # The catalog is built aside and swapped in, so that the lock holds the old file.
        rebuild_catalog(store)
        found = query(store, "SELECT count(*) AS n FROM words", patience_s=0.0)
        assert holder.poll() is None
    assert found.to_pylist() == [{"n": 50}]
    # Nobody keeps the file open behind our back: another process can write to it now.
    duckdb.connect(str(store.catalog)).close()

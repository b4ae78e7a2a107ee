"""Everything the pages show, read from the store once and again when a build has committed."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from firsthand.core.errors import UnknownNameError
from firsthand.core.identity import digest_bytes, digest_file
from firsthand.curation.double_review import standing_under
from firsthand.curation.judgement_items import JUDGEMENT_KIND
from firsthand.curation.reviewing import ITEM_KINDS
from firsthand.judging import AuditAgreement
from firsthand.review_app.desk import Desk
from firsthand.review_app.footage import FOOTAGE_TABLES, Footage
from firsthand.review_app.ledger import Ledger
from firsthand.review_app.queue import QUEUES
from firsthand.store import TABLES, Store, Zone, scopes_of
from firsthand.store.review_demands import read_demand
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import JUDGEMENTS
from firsthand.subjects.judged_sample import JudgedRun, judged_run, release_name

__all__ = ["Archive", "Holdings"]

JudgeFigures = Mapping[tuple[str, str], AuditAgreement]


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is shown of one benchmark.

    Args:
        name: The benchmark.
        footage: Its media, clocks and words.
        desks: Its queues by kind, those without items left out.
        judged: The runs over its releases whose open answers were judged.
    """

    name: str
    footage: Footage
    desks: Mapping[str, Desk]
    judged: Sequence[JudgedRun] = ()

    def desk(self, kind: str) -> Desk:
        """Return a queue.

        Raises:
            UnknownNameError: If nothing of that kind waits here.
        """
        if kind not in self.desks:
            raise UnknownNameError(
                f"queue {kind!r} of benchmark {self.name!r}",
                "no item of that kind",
                f"one of {', '.join(self.desks) or 'none yet'}",
                "Go back to the overview.",
            )
        return self.desks[kind]


class Archive:
    """The benchmarks of a store.

    Args:
        store: The store.
        now_s: The clock that decisions are noted by, in Unix seconds.
    """

    def __init__(self, store: Store, now_s: Callable[[], float]) -> None:
        self.store = store
        self.ledger = Ledger(ReviewStore.open(store.reviews, now_s))
        self._holdings: dict[str, Holdings] = {}
        self._prints: dict[str, str] = {}
        self._made_at: dict[str, int] = {}
        self._lock = threading.Lock()
        self.renew()

    def renew(self) -> bool:
        """Read the benchmarks whose tables were committed anew; return whether any was.

        Pages are served from what was read before until all of it is read.
        """
        with self._lock:
            self.ledger.catch_up()
            changed = False
            names = {*scopes_of(self.store, "starts"), *scopes_of(self.store, "drafts")}
            for name in sorted(name for name in names if "/" not in name):
                found = self._print_of(name)
                if self._prints.get(name) != found:
                    self._holdings[name] = self._read(name)
                    self._prints[name] = found
                    changed = True
            return changed

    def names(self) -> list[str]:
        """Return the benchmarks in order of name."""
        return sorted(self._holdings)

    def benchmark(self, name: str) -> Holdings:
        """Return a benchmark with all decisions taken in.

        Raises:
            UnknownNameError: If the store holds no such benchmark.
        """
        if name not in self._holdings:
            raise UnknownNameError(
                f"benchmark {name!r}",
                "no such benchmark in the store",
                f"one of {', '.join(self.names()) or 'none yet'}",
                "Go back to the overview, or build it first.",
            )
        self.ledger.catch_up()
        holdings = self._remade(self._holdings[name])
        for desk in holdings.desks.values():
            desk.catch_up()
        return holdings

    def judges(self, holdings: Holdings) -> Sequence[tuple[JudgedRun, JudgeFigures]]:
        """Return how far the judges of each run agree with the people who graded."""
        desk = holdings.desks.get(JUDGEMENT_KIND)
        if desk is None:
            return ()
        stander = standing_under(desk.demand)
        decisions = self.ledger.of_kind(JUDGEMENT_KIND)
        return [(run, run.figures(decisions, stander)) for run in holdings.judged]

    def _remade(self, holdings: Holdings) -> Holdings:
        """Return the holdings with the items made anew that follow from newer decisions."""
        with self._lock:
            made = self._made_at[holdings.name]
            stale = {
                kind
                for kind, desk in holdings.desks.items()
                if any(self.ledger.last_of(one) > made for one in desk.queue.made_of)
            }
            if not stale:
                return self._holdings[holdings.name]
            self._made_at[holdings.name] = self.ledger.last
            desks = {
                kind: self._desk(holdings.name, kind) if kind in stale else desk
                for kind, desk in holdings.desks.items()
            }
            self._holdings[holdings.name] = replace(holdings, desks=desks)
            return self._holdings[holdings.name]

    def _desk(self, name: str, kind: str) -> Desk:
        queue = QUEUES[kind]
        demand, are_alike = read_demand(self.store, name), queue.alike(self.store, name)
        return Desk(queue, queue.entries(self.store, name), self.ledger, demand, are_alike)

    def _read(self, name: str) -> Holdings:
        footage = Footage(self.store, name)
        self._made_at[name] = self.ledger.last
        desks = {kind: self._desk(name, kind) for kind in ITEM_KINDS if kind in QUEUES}
        judged = [
            judged_run(self.store, scope)
            for scope in scopes_of(self.store, JUDGEMENTS.name)
            if release_name(self.store, scope) == name
        ]
        filled = {kind: desk for kind, desk in desks.items() if len(desk)}
        return Holdings(name, footage, filled, [one for one in judged if one.answers])

    def _print_of(self, name: str) -> str:
        tables = sorted({*FOOTAGE_TABLES, *(t for kind in QUEUES for t in QUEUES[kind].tables)})
        pointers = [
            self.store.pointer(name, TABLES[table].name, zone) for table in tables for zone in Zone
        ]
        of_runs = sorted({table for kind in QUEUES for table in QUEUES[kind].run_tables})
        pointers += [
            self.store.pointer(scope, table, Zone.PUBLIC)
            for table in of_runs
            for scope in scopes_of(self.store, table)
        ]
        tables_now = digest_bytes(
            path.read_bytes() if path.exists() else b"\0" for path in pointers
        )
        newest = self.store.root / "pointers" / "newest" / f"{name}.json"
        released = digest_file(newest) if newest.exists() else ""
        return f"{tables_now} {released} {read_demand(self.store, name)}"

"""A queue: what a kind of item is to the pages. Each kind is one module that registers one."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.registry import Registry
from firsthand.curation.likeness import Alike, alike
from firsthand.curation.revisions import ReviewItem
from firsthand.review_app.footage import Footage
from firsthand.store import Store

__all__ = ["QUEUES", "Entry", "FormReading", "Queue"]


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in its queue, as it came from the pipeline.

    Args:
        item: The item.
        participant_id: Whose recordings it is about.
        facets: Values that the list can be narrowed by, by facet name.
        is_optional: Whether it waits for nobody until somebody has decided on it.
    """

    item: ReviewItem
    participant_id: str
    facets: Mapping[str, str]
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class FormReading:
    """What a reviewer entered in a form.

    Args:
        content: The item's content with the entered values; where a field could not be
            read, the value it had.
        problems: What is wrong, by field of the form, in words for the reviewer.
        notes: What deserves a second look, and does not stand in the way.
    """

    content: Mapping[str, Json]
    problems: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def edit_of(self, item: ReviewItem) -> dict[str, Json]:
        """Return the fields in which the entered content differs from the item's."""
        return {name: value for name, value in self.content.items() if value != item.content[name]}


def _alike_by_kind(store: Store, benchmark: str) -> Alike:
    del store, benchmark
    return alike


def _plainly(name: str, value: Json) -> str:
    del name
    return str(value)


def _nothing_wrong(item: ReviewItem, footage: Footage) -> Mapping[str, str]:
    del item, footage
    return {}


@dataclass(frozen=True, slots=True)
class Queue:
    """What the pages know of a kind of item.

    Args:
        kind: One of `ITEM_KINDS`.
        name: What its items are called in headings.
        task: What a reviewer is asked to do, as one sentence.
        template: File of the part of the page that shows and edits an item.
        tables: Names of the tables its items are read from.
        facets: Labels of the facets by name, in order.
        reasons: Reasons that are often given, offered for one key each.
        entries: Reads the items from the store, in the order in which they are worked on.
        title: One line that tells an item from others.
        view: Everything its template shows.
        read: Reads its form.
        word: A field's value in words, for lists of changes.
        run_tables: Names of the tables of runs that its items are read from.
        check: What is wrong with an item as it is, by field, in words.
        alike: When two forms of an item of a benchmark say the same.
        keys: Keys of its own, each with what it does.
        on_demand: Whether its items wait for nobody, and are opened where there is need.
        made_of: Kinds of decisions that its items are made of as well.
        is_sitting: Whether each person goes through its items alone, in order and timed.
    """

    kind: str
    name: str
    task: str
    template: str
    tables: tuple[str, ...]
    facets: Mapping[str, str]
    reasons: tuple[str, ...]
    entries: Callable[[Store, str], Iterable[Entry]]
    title: Callable[[ReviewItem], str]
    view: Callable[[ReviewItem, Footage], Mapping[str, object]]
    read: Callable[[FormData, ReviewItem, Footage], FormReading]
    word: Callable[[str, Json], str] = _plainly
    run_tables: tuple[str, ...] = ()
    check: Callable[[ReviewItem, Footage], Mapping[str, str]] = _nothing_wrong
    keys: tuple[tuple[str, str], ...] = ()
    alike: Callable[[Store, str], Alike] = _alike_by_kind
    on_demand: bool = False
    made_of: tuple[str, ...] = ()
    is_sitting: bool = False


QUEUES: Registry[Queue] = Registry("review queue")

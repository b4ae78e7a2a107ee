"""Checking a store: every committed part and every receipt's output is there and whole."""

from collections.abc import Iterator
from dataclasses import dataclass

from firsthand.core.identity import digest_file
from firsthand.store.commits import committed_parts, scopes_of
from firsthand.store.files import read_json
from firsthand.store.location import Store, Zone
from firsthand.store.steps import receipt_from_json
from firsthand.store.tables import TABLES

__all__ = ["Finding", "store_findings"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked.

    Args:
        subject: What was looked at.
        text: What was found, and the remedy if it is bad.
        good: Whether it is as it should be.
    """

    subject: str
    text: str
    good: bool


def store_findings(store: Store) -> Iterator[Finding]:
    """Check a store thoroughly: committed parts by digest, receipts' outputs by length."""
    parts = list(_committed(store))
    bad = [part for part in parts if not _has_digest(store, *part)]
    yield Finding("committed parts", _count(len(parts), [path for path, _ in bad]), good=not bad)
    torn = list(_torn_receipts(store))
    receipts = sum(1 for _ in (store.root / "receipts").glob("*/*.json"))
    yield Finding("receipts", _count(receipts, torn), good=not torn)
    mode = store.zone(Zone.PRIVATE).stat().st_mode & 0o777
    text = f"mode {mode:04o}" + (
        "" if mode == 0o700 else ": run chmod 700 on it"
    )  # a file mode is its own name
    yield Finding("private zone", text, good=mode == 0o700)  # likewise


def _committed(store: Store) -> Iterator[tuple[str, str]]:
    for name in TABLES:
        for zone in Zone:
            for scope in scopes_of(store, name, zone):
                for part in committed_parts(store, scope, name, zone):
                    yield part.path, part.sha256


def _has_digest(store: Store, path: str, sha256: str) -> bool:
    file = store.root / path
    return file.is_file() and digest_file(file) == sha256


def _torn_receipts(store: Store) -> Iterator[str]:
    for path in sorted((store.root / "receipts").glob("*/*.json")):
        receipt = receipt_from_json(read_json(path))
        if not receipt.is_whole(store):
            yield f"{receipt.step} of {receipt.subject}"


def _count(total: int, bad: list[str]) -> str:
    if not bad:
        return f"{total} whole"
    return f"{len(bad)} of {total} missing or torn ({', '.join(bad[:5])}): run the build again"

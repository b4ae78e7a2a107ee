"""The `release_manifest` table: a file of a release."""

import pyarrow as pa

from firsthand.store.table import TableSpec, column

__all__ = ["RELEASE_MANIFEST"]

RELEASE_MANIFEST = TableSpec(
    name="release_manifest",
    version=1,
    meaning="A file of a release.",
    key=("release_id", "path"),
    partition=None,
    schema=pa.schema(
        [
            column("release_id", pa.string(), "Name and content digest of the release."),
            column("path", pa.string(), "Path inside the release."),
            column("sha256", pa.string(), "Digest of the file."),
            column("size_bytes", pa.int64(), "Length."),
            column("kind", pa.string(), "table, media, timeline, record."),
            column("rows", pa.int64(), "Row count of a table.", nullable=True),
        ]
    ),
)

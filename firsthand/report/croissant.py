"""A release described in Croissant, the machine-readable format of dataset search engines."""

from collections.abc import Mapping

import pyarrow as pa

from firsthand.core.identity import Json
from firsthand.report.dataset_card import CardText
from firsthand.store.releases import Release, ReleaseFile
from firsthand.store.tables import TABLES

__all__ = ["croissant"]

_CONTEXT: Mapping[str, Json] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "sc": "https://schema.org/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "recordSet": "cr:recordSet",
    "field": "cr:field",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "source": "cr:source",
    "extract": "cr:extract",
    "column": "cr:column",
    "fileObject": "cr:fileObject",
    "repeated": "cr:repeated",
    "sha256": "cr:sha256",
}


def croissant(release: Release, text: CardText) -> Mapping[str, Json]:
    """Return the Croissant 1.0 description of a release's tables as JSON-LD.

    Every table is a file with its digest and a record set with its columns and their
    meanings; media files are named by the tables that refer to them.
    """
    tables = [file for file in release.files if file.kind == "table"]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": release.release_id,
        "alternateName": text.title,
        "description": text.summary,
        "license": text.licence,
        "version": f"1.0.0+{release.digest[:12]}",
        "distribution": [_file_object(file) for file in tables],
        "recordSet": [_record_set(release, file) for file in tables],
    }


def _file_object(file: ReleaseFile) -> Mapping[str, Json]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path.rsplit("/", 1)[-1],
        "contentUrl": file.path,
        "contentSize": f"{file.size_bytes} B",
        "encodingFormat": "application/vnd.apache.parquet",
        "sha256": file.sha256,
    }


def _record_set(release: Release, file: ReleaseFile) -> Mapping[str, Json]:
    name = file.path.rsplit("/", 1)[-1].removesuffix(".parquet")
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": TABLES[name].meaning,
        "field": [_field(name, file, column) for column in release.table(name).schema],
    }


def _field(table: str, file: ReleaseFile, column: pa.Field) -> Mapping[str, Json]:
    declared = TABLES[table].schema.field(column.name)
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": (declared.metadata or {}).get(b"meaning", b"").decode(),
        "dataType": _data_type(column.type),
        "repeated": pa.types.is_list(column.type),
        "source": {"fileObject": {"@id": file.path}, "extract": {"column": column.name}},
    }


def _data_type(kind: pa.DataType) -> str:
    value = kind.value_type if pa.types.is_list(kind) else kind
    if pa.types.is_integer(value):
        return "sc:Integer"
    if pa.types.is_floating(value):
        return "sc:Float"
    return "sc:Boolean" if pa.types.is_boolean(value) else "sc:Text"

import csv
import json
from pathlib import Path

import pytest

from firsthand.core.errors import DataFileError
from firsthand.formats.textfile import (
    read_csv,
    read_json,
    read_jsonl,
    read_text,
    write_csv,
    write_json,
    write_jsonl,
)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "marked.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n')
    assert read_json(path) == {"a": 1}


def test_records_end_at_line_feeds_only(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    records = ["one\u2028two", "three\u0085four", "five\u2029six\u000b"]
    path.write_text("\r\n".join(json.dumps(text, ensure_ascii=False) for text in records), "utf-8")
    assert read_jsonl(path) == records


def test_written_lines_survive_readers_that_split_at_unicode_separators(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    records = [{"text": "one\u2028two\u2029three\u0085four"}, {"text": "次"}]
    write_jsonl(path, records)
    assert [json.loads(line) for line in path.read_text("utf-8").splitlines()] == records


def test_every_torn_line_is_listed_by_number(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_text('{"a": 1}\n{"a": \n\n{"a": 3}{"a": 4}\n')
    with pytest.raises(DataFileError) as caught:
        read_jsonl(path)
    assert "2 problems" in caught.value.found
    assert "line 2" in caught.value.found
    assert "line 4" in caught.value.found


def test_a_cut_off_file_is_named_with_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text('[\n{"a": 1},\n{"b"')
    with pytest.raises(DataFileError, match=r"cut\.json, line 3, column 5"):
        read_json(path)


def test_an_absent_file_is_a_data_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"absent\.json"):
        read_json(tmp_path / "absent.json")


def test_bytes_of_another_encoding_name_the_line_and_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "chinese.csv"
    path.write_bytes("label\n厨房\n".encode("gbk"))
    with pytest.raises(DataFileError, match=r"line 2.*gbk"):
        read_text(path)
    assert read_csv(path, ["label"], encoding="gbk") == [{"label": "厨房"}]


def test_rows_that_lost_a_value_are_listed_together_with_missing_columns(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("a,b\n1,2\n3\n4,5,6\n")
    with pytest.raises(DataFileError) as caught:
        read_csv(path, ["a", "c"])
    assert "3 problems" in caught.value.found
    assert "a column 'c'" in caught.value.found


@pytest.mark.parametrize("cell", ["a\rb", "a\r\nb", "\r", 'say "x"', "", " padded ", "a\u2028b"])
def test_a_written_cell_comes_back_as_it_was(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "a.csv"
    write_csv(path, ["x", "y"], [{"x": cell, "y": "end"}])
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["x", "y"], [cell, "end"]]


def test_written_files_have_no_byte_order_mark_and_line_feeds_only(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"厨": "房"})
    write_csv(tmp_path / "a.csv", ["x", "y"], [{"x": "1,2", "y": "two\nlines"}])
    for name in ("a.json", "a.csv"):
        payload = (tmp_path / name).read_bytes()
        assert not payload.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in payload
    assert "厨" in (tmp_path / "a.json").read_text("utf-8")
    assert read_csv(tmp_path / "a.csv", ["x"]) == [{"x": "1,2", "y": "two\nlines"}]

"""Text at borders: what a spreadsheet may not run, and when two file names are one."""

import unicodedata

__all__ = ["csv_cell", "same_name"]

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_cell(value: object) -> str:
    """Return a value as a CSV cell that no spreadsheet takes for a formula.

    Text that begins like one is preceded by an apostrophe, as spreadsheets themselves do;
    numbers stay numbers. None is an empty cell.
    """
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return str(value)


def same_name(name: str) -> str:
    """Return the form in which two spellings of a file name are equal.

    Some systems store an accented letter as one character (NFC), others as two (NFD), so a
    name in a configuration may differ from the one on disk in every byte but not in what it
    says. Names compare in this form; paths stay as the file system gives them.
    """
    return unicodedata.normalize("NFC", name)

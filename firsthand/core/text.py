"""Text at borders: what a spreadsheet may not run."""

__all__ = ["csv_cell"]

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

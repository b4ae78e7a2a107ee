"""Regular expressions that several suites share."""

__all__ = ["DAY_LABEL", "HEX_DIGEST", "NOT_EMPTY"]

HEX_DIGEST = r"^[0-9a-f]{64}$"
DAY_LABEL = r"^D[1-9]\d*-(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$"
NOT_EMPTY = r"^[\s\S]*\S"

"""Checking a suite with Great Expectations, over one pandas batch a table."""

import logging
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from schemas.suite import (
    Between,
    Borrowed,
    Holds,
    Matches,
    NotNull,
    OneOf,
    Ordered,
    Rule,
    Suite,
    Tables,
    UniqueKey,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Engine", "FailedRule"]

_RULE = "rule"
_CONDITION = "condition_{}"

_KINDS: Mapping[type[Rule], str] = {
    NotNull: "ExpectColumnValuesToNotBeNull",
    UniqueKey: "ExpectColumnValuesToBeUnique",
    OneOf: "ExpectColumnValuesToBeInSet",
    Between: "ExpectColumnValuesToBeBetween",
    Ordered: "ExpectColumnPairValuesAToBeGreaterThanB",
    Matches: "ExpectColumnValuesToMatchRegex",
    Holds: "ExpectColumnValuesToBeInSet",
}

Keys = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class FailedRule:
    """A rule that some rows break.

    Args:
        rule: The rule.
        keys: Key of each row that breaks it, values as text, sorted, each once.
        rows: How many rows break it.
    """

    rule: Rule
    keys: Keys
    rows: int


_TALKATIVE = "great_expectations.data_context.types.base"


class Engine:
    """An offline Great Expectations context; the package's import takes seconds."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            # The package's own dependencies warn as they are imported.
            warnings.simplefilter("ignore", DeprecationWarning)
            import great_expectations
            from great_expectations.data_context.types.base import ProgressBarsConfig

        # It tells of its temporary folders, which concern nobody.
        logging.getLogger(_TALKATIVE).setLevel(logging.WARNING)
        self._gx = great_expectations
        self._context = great_expectations.get_context(mode="ephemeral")
        self._context.enable_analytics(enable=False)
        self._context.variables.progress_bars = ProgressBarsConfig(globally=False)
        self._source = self._context.data_sources.add_pandas("tables")

    def failures(self, suite: Suite, tables: Tables) -> Iterator[FailedRule]:
        """Yield the rules of a suite that the rows of its table break, in order.

        Raises:
            RuntimeError: If a rule could not be evaluated, which is a mistake in the suite.
        """
        if not tables[suite.spec.name].num_rows:
            return  # every rule speaks of rows
        frame = _frame(suite, tables)
        keys = [name for name in suite.spec.key if name in suite.spec.released_columns]
        results = self._results(suite, frame, keys)
        for number, rule in enumerate(suite.rules):
            result = results[number]
            if not result.success:
                yield _failed(rule, result.result, keys)

    def _results(self, suite: Suite, frame: "pd.DataFrame", keys: list[str]) -> dict[int, Any]:
        batch = (
            self._source.add_dataframe_asset(suite.spec.name)
            .add_batch_definition_whole_dataframe("all")
            .get_batch({"dataframe": frame})
        )
        expectations = [self._expectation(number, rule) for number, rule in enumerate(suite.rules)]
        form = {"result_format": "COMPLETE", "unexpected_index_column_names": keys}
        validation = batch.validate(
            self._gx.ExpectationSuite(name=suite.spec.name, expectations=expectations),
            result_format=form,
        )
        self._source.delete_asset(suite.spec.name)
        configured = [(result.expectation_config, result) for result in validation.results]
        results = {config.meta[_RULE]: result for config, result in configured if config}
        for number, rule in enumerate(suite.rules):
            if number not in results or not results[number].result:
                raise RuntimeError(f"{suite.spec.name}: {rule} could not be evaluated")
        return results

    def _expectation(self, number: int, rule: Rule) -> Any:  # noqa: ANN401 - untyped package
        made = getattr(self._gx.expectations, _kind_of(rule))
        return made(meta={_RULE: number}, **_settings_of(number, rule))


def _kind_of(rule: Rule) -> str:
    if isinstance(rule, UniqueKey) and len(rule.columns) > 1:
        return "ExpectCompoundColumnsToBeUnique"
    return _KINDS[type(rule)]


def _settings_of(number: int, rule: Rule) -> dict[str, object]:
    match rule:
        case UniqueKey(columns) if len(columns) > 1:
            return {"column_list": list(columns)}
        case Ordered(column, later):
            pair = {"column_A": later, "column_B": column, "or_equal": True}
            return {**pair, "ignore_row_if": "either_value_is_missing"}
        case Holds():
            return {"column": _CONDITION.format(number), "value_set": ["yes"]}
        case _:
            return {"column": rule.column, **_bounds_of(rule)}


def _bounds_of(rule: Rule) -> dict[str, object]:
    match rule:
        case OneOf(_, values):
            return {"value_set": list(values)}
        case Between(_, low, high):
            return {"min_value": low, "max_value": high}
        case Matches(_, pattern):
            return {"regex": pattern}
        case _:
            return {}


def _frame(suite: Suite, tables: Tables) -> "pd.DataFrame":
    rows = tables[suite.spec.name]
    plain = [field.name for field in rows.schema if not pa.types.is_nested(field.type)]
    nested = [name for name in rows.column_names if name not in plain]
    frame: pd.DataFrame = rows.select(plain).to_pandas()
    for name in nested:
        # Lists are judged by conditions; the engine need only see whether they are there.
        frame[name] = rows.column(name).is_valid().to_pandas().map({True: "list", False: None})
    for borrowed in suite.borrowed:
        frame[borrowed.name] = _borrowed(borrowed, rows, tables).to_pandas()
    for number, rule in enumerate(suite.rules):
        if isinstance(rule, Holds):
            holds = rule.compute(rows, tables)
            frame[_CONDITION.format(number)] = ["yes" if right else "no" for right in holds]
    return frame


def _borrowed(borrowed: Borrowed, rows: pa.Table, tables: Tables) -> pa.Array:
    columns = dict.fromkeys((borrowed.on, borrowed.column))
    other = tables[borrowed.table].select(list(columns)).to_pylist()
    values = {row[borrowed.on]: row[borrowed.column] for row in other}
    kind = tables[borrowed.table].schema.field(borrowed.column).type
    wanted = rows.column(borrowed.on).to_pylist()
    return pa.array([values.get(name) for name in wanted], kind)


def _failed(rule: Rule, result: Mapping[str, Any], key: list[str]) -> FailedRule:
    unexpected = result.get("unexpected_index_list") or []
    keys = sorted({tuple(str(row[name]) for name in key) for row in unexpected})
    return FailedRule(rule, tuple(keys), int(result["unexpected_count"]))

"""The judge that a run file names, as a value of the library."""

from firsthand.endpoints import Generation
from firsthand.judging import JudgeSettings
from schemas.judge_spec import JudgeSpec
from tasks.subjects import price_of

__all__ = ["judge_settings"]


def judge_settings(spec: JudgeSpec | None) -> JudgeSettings | None:
    """Return the judge's settings, or None if no judge is named.

    Raises:
        DataFileError: If there is no such rubric.
    """
    if spec is None:
        return None
    settings = JudgeSettings(
        model=spec.model,
        revision=spec.revision,
        rubric_id=spec.rubric,
        base_url=spec.base_url,
        api_key_name=spec.api_key_name,
        first_repeats=spec.first_repeats,
        most_repeats=spec.most_repeats,
        generation=Generation(spec.max_output_tokens, spec.temperature),
        price=price_of(spec.price),
        timeout_s=spec.timeout_s,
        attempts=spec.attempts,
        most_calls=spec.most_calls,
        limit_usd=spec.budget_usd,
    )
    # A misspelt rubric is told before the first subject is asked.
    _ = settings.rubric
    return settings

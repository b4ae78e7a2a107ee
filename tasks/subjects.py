"""What a run file means: its subjects as values of the library."""

from collections.abc import Sequence
from dataclasses import replace

from firsthand.answers import CoordinateOrder, PointForm
from firsthand.core.taxonomy import Modality
from firsthand.core.time import s_to_us
from firsthand.endpoints import Generation, Price
from firsthand.store import Store
from firsthand.subjects import (
    EndpointSettings,
    History,
    HistoryKind,
    Limits,
    Loading,
    RemaSettings,
    SubjectConfiguration,
    TransformersSettings,
    subject_from_json,
)
from schemas.run_spec import RunSpec
from schemas.subject_specs import (
    BaselineSpec,
    CalledModelSpec,
    EndpointSpec,
    HistorySpec,
    HumanSpec,
    PointsSpec,
    PriceSpec,
    RemaSpec,
    ReplaySpec,
    SubjectSpec,
    TransformersSpec,
)
from tasks.recordings import human_settings, replay_settings

__all__ = ["configured_subjects", "price_of"]

_MILLION = 1_000_000
_MINUTE_S = 60.0
_GIB = 1 << 30


def configured_subjects(spec: RunSpec, store: Store) -> tuple[SubjectConfiguration, ...]:
    """Return the subjects that a run file names.

    Args:
        spec: The run file.
        store: Where recordings to replay are kept.
    """
    return tuple(_configured(subject, spec, store) for subject in spec.subjects)


def _configured(subject: SubjectSpec, spec: RunSpec, store: Store) -> SubjectConfiguration:
    match subject:
        case BaselineSpec():
            return _baseline(subject)
        case EndpointSpec():
            return SubjectConfiguration("litellm", _followed(subject))
        case RemaSpec():
            return SubjectConfiguration("rema", _rema(subject))
        case TransformersSpec():
            return SubjectConfiguration("transformers", _local(subject), gpus=subject.gpus)
        case HumanSpec():
            settings = human_settings(subject.name, store, spec.benchmark)
            return SubjectConfiguration("replay", settings)
        case ReplaySpec():
            return SubjectConfiguration("replay", replay_settings(subject, store))


def _baseline(subject: BaselineSpec) -> SubjectConfiguration:
    return subject_from_json(
        {
            "subject": subject.kind,
            "subject_id": subject.name,
            "latency_us": subject.declared_latency_us,
            **({} if subject.seed is None else {"seed": subject.seed}),
        }
    )


def _rema(subject: RemaSpec) -> RemaSettings:
    return RemaSettings(
        _endpoint(subject, History()),
        clip_us=s_to_us(subject.clip_s),
        most_pictures=subject.most_pictures,
        most_notes=subject.most_notes,
        condensed=subject.condensed,
        most_note_tokens=subject.most_note_tokens,
        most_rounds=subject.most_rounds,
        most_queries=subject.most_queries,
        most_found=subject.most_found,
        most_ranges=subject.most_ranges,
    )


def _followed(subject: EndpointSpec) -> EndpointSettings:
    return replace(
        _endpoint(subject, _history(subject.history)),
        takes_films=subject.takes_films,
        points=_points(subject.points),
        structured_replies=subject.structured_replies,
    )


def _endpoint(subject: CalledModelSpec, history: History) -> EndpointSettings:
    hears_sound = "sound" in subject.receives
    receives = _modalities(subject.receives)
    declared_s, price, budget = subject.declared_latency_s, subject.price, subject.budget
    return EndpointSettings(
        subject_id=subject.name,
        model=subject.model,
        revision=subject.revision,
        base_url=subject.base_url,
        api_key_name=subject.api_key_name,
        receives=frozenset(receives | ({Modality.SPEECH} if hears_sound else set())),
        hears_sound=hears_sound,
        history=history,
        generation=Generation(subject.max_output_tokens, subject.temperature, subject.seed),
        declared_latency_us=None if declared_s is None else s_to_us(declared_s),
        price=price_of(price),
        timeout_s=subject.timeout_s,
        attempts=subject.attempts,
        most_calls=subject.most_calls,
        limits=Limits(
            budget.usd,
            budget.tokens,
            budget.calls,
            None if budget.minutes is None else budget.minutes * _MINUTE_S,
        ),
    )


def _local(subject: TransformersSpec) -> TransformersSettings:
    declared_s, memory_gib = subject.declared_latency_s, subject.most_memory_gib
    hears_sound = "sound" in subject.receives
    receives = _modalities(subject.receives)
    return TransformersSettings(
        subject_id=subject.name,
        loading=Loading(
            subject.folder,
            subject.device,
            subject.dtype,
            subject.trust_remote_code,
            None if memory_gib is None else round(memory_gib * _GIB),
        ),
        receives=frozenset(receives | ({Modality.SPEECH} if hears_sound else set())),
        hears_sound=hears_sound,
        history=_history(subject.history),
        most_tokens=subject.max_output_tokens,
        points=_points(subject.points),
        declared_latency_us=None if declared_s is None else s_to_us(declared_s),
    )


def _modalities(receives: Sequence[str]) -> set[Modality]:
    return {Modality(one) for one in receives if one != "sound"}


def _points(spec: PointsSpec) -> PointForm:
    return PointForm(CoordinateOrder(spec.order), spec.scale)


def _history(spec: HistorySpec) -> History:
    return History(
        HistoryKind(spec.kind),
        spec.units,
        spec.most_characters,
        spec.passages,
        spec.most_pictures,
        spec.most_summary_tokens,
    )


def price_of(spec: PriceSpec | None) -> Price | None:
    """Return what tokens cost, or None to look it up."""
    if spec is None:
        return None
    return Price(spec.input_usd_per_million / _MILLION, spec.output_usd_per_million / _MILLION)

"""Drafters by name: how a benchmark's choice becomes drafts of a stream."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from firsthand.core.errors import ConfigurationError
from firsthand.core.registry import Registry
from firsthand.core.time import s_to_us
from firsthand.curation import Draft
from firsthand.drafting import (
    LITELLM,
    RULES,
    Material,
    ModelDrafting,
    RefusedProposal,
    RulesPolicy,
    WindowPolicy,
    draft_by_rules,
    draft_with_model,
    load_prompt,
)
from firsthand.drafting.probing import Probing
from firsthand.drafting.windows import CLUES, in_turn
from firsthand.endpoints import Generation
from schemas.drafting_spec import DrafterSpec
from tasks.calls import reply_log
from tasks.job import Job
from tasks.prompted_models import budget_of, endpoint_of
from tasks.settings import as_json

__all__ = ["DRAFTERS", "Drafted", "Drafter", "drafter_of", "probe_identity", "probing_of"]

_POLICY = RulesPolicy()
_PROMPTS = {
    "recordings": "recording-questions",
    "windows": "window-questions",
    "clues": "clue-questions",
}
_WINDOWS = {"windows": WindowPolicy(), "clues": CLUES}
_PROBE_PROMPTS = ("draft-probe", "draft-priors", "draft-rewording")


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a drafter brought.

    Args:
        drafts: Drafts, not yet checked.
        refused: Proposals that could not become drafts.
    """

    drafts: tuple[Draft, ...]
    refused: tuple[RefusedProposal, ...] = ()


@dataclass(frozen=True, slots=True)
class Drafter:
    """A way of drafting.

    Args:
        identity: Everything its drafts depend on besides the material.
        draft: Returns the drafts of a stream.
    """

    identity: Callable[[Job], Mapping[str, str]]
    draft: Callable[[Job, Material], Drafted]


DRAFTERS: Registry[Drafter] = Registry("drafter")


def drafter_of(job: Job) -> Drafter:
    """Return the drafter that a benchmark names.

    Raises:
        UnknownNameError: If there is none of that name.
    """
    return DRAFTERS[job.spec().engines.drafter]


def probing_of(job: Job) -> Probing | None:
    """Return how drafts are tried on a model; None if the benchmark names none.

    Raises:
        MissingSecretError: If the model's key is not set.
    """
    spec = job.spec().draft_probe
    if spec is None:
        return None
    prompt, priors, rewording = map(load_prompt, _PROBE_PROMPTS)
    return Probing(
        endpoint=endpoint_of(spec),
        prompt=prompt,
        priors=priors,
        rewording=rewording,
        replies=reply_log(job.store.replies),
        revision=spec.revision,
        blind_asks=spec.blind_asks,
        budget=budget_of(spec),
    )


def probe_identity(job: Job) -> str:
    """Return everything that decides what a trial on the model finds."""
    spec = job.spec().draft_probe
    if spec is None:
        return "none"
    prompts = " ".join(load_prompt(name).name for name in _PROBE_PROMPTS)
    return f"{spec.model} {spec.revision} {prompts} blind {spec.blind_asks}"


def _rules_identity(job: Job) -> Mapping[str, str]:
    del job
    return {"name": RULES, "policy": str(as_json(_POLICY))}


def _draft_by_rules(job: Job, material: Material) -> Drafted:
    del job
    return Drafted(draft_by_rules(material, _POLICY))


def _model_identity(job: Job) -> Mapping[str, str]:
    spec = _spec(job)
    windows = _windows(spec)
    return {
        "name": LITELLM,
        "version": f"{spec.model} {spec.revision}",
        "prompt": load_prompt(_PROMPTS[spec.plan]).name,
        "windows": "none" if windows is None else str(as_json(windows)),
        "generation": str(as_json(_generation(spec))),
    }


def _draft_with_model(job: Job, material: Material) -> Drafted:
    spec = _spec(job)
    found = draft_with_model(
        material,
        ModelDrafting(
            endpoint=endpoint_of(spec),
            prompt=load_prompt(_PROMPTS[spec.plan]),
            replies=reply_log(job.store.replies),
            revision=spec.revision,
            generation=_generation(spec),
            budget=budget_of(spec),
            windows=_windows(spec),
        ),
    )
    return Drafted(found.drafts, found.refused)


def _windows(spec: DrafterSpec) -> WindowPolicy | None:
    """Return how the stream is divided; None to ask recording by recording."""
    usual, asked = _WINDOWS.get(spec.plan), spec.quotas
    if usual is None or asked is None:
        return usual
    return replace(
        usual,
        window_us=usual.window_us if asked.window_s is None else s_to_us(asked.window_s),
        questions=asked.per_window or usual.questions,
        long_questions=(usual.long_questions if asked.whole_stream is None else asked.whole_stream),
        subcategories=in_turn(asked.subcategories) if asked.subcategories else usual.subcategories,
        types=in_turn(asked.types) if asked.types else usual.types,
        least_clues=asked.least_clues or usual.least_clues,
    )


def _generation(spec: DrafterSpec) -> Generation:
    return Generation(
        most_tokens=spec.max_output_tokens, temperature=spec.temperature, json_reply=True
    )


def _spec(job: Job) -> DrafterSpec:
    spec = job.spec().drafter
    if spec is None:
        raise ConfigurationError(
            f"configuration file {job.spec_path.name}, key drafter",
            "nothing",
            "model, revision and address of the model that drafts",
            f"Add the key `drafter`, or choose `drafter: {RULES}` under `engines`.",
        )
    return spec


DRAFTERS.register(RULES)(Drafter(_rules_identity, _draft_by_rules))
DRAFTERS.register(LITELLM)(Drafter(_model_identity, _draft_with_model))

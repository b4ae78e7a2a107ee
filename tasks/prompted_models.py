"""Models that a benchmark's file names to draft, try or align: how each is reached and paid."""

from firsthand.endpoints import Budget, Endpoint, Patience
from schemas.drafting_spec import PromptedModelSpec
from tasks.secrets import secret

__all__ = ["budget_of", "endpoint_of"]


def endpoint_of(spec: PromptedModelSpec) -> Endpoint:
    """Return where a model is asked.

    Raises:
        MissingSecretError: If its key is not set.
    """
    patience = Patience(timeout_s=spec.timeout_s)
    return Endpoint(spec.model, spec.base_url, secret(spec.api_key_name), patience)


def budget_of(spec: PromptedModelSpec) -> Budget:
    """Return what may be spent on a model."""
    return Budget(limit_calls=spec.most_calls, limit_usd=spec.budget_usd)

"""The funnel of drafting as a page shows it: what each step kept, and why not the rest."""

from dataclasses import dataclass

import pyarrow as pa

__all__ = ["FunnelStep", "funnel_steps"]


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """A step of the funnel.

    Args:
        name: The step.
        kept: How many it kept.
        share: Share of what came to it, in words; "–" for the first, or for nothing.
        lost: Why it did not keep the rest: reason and count, most frequent first.
    """

    name: str
    kept: int
    share: str
    lost: tuple[tuple[str, int], ...]


def funnel_steps(funnel: pa.Table | None) -> tuple[FunnelStep, ...]:
    """Return the steps in order from rows of table `funnel`; none if there are no rows."""
    rows = [] if funnel is None else funnel.to_pylist()
    kept = sorted((row["place"], row["step"], row["count"]) for row in rows if not row["reason"])
    counts = [count for _, _, count in kept]
    lost = sorted(
        ((row["step"], row["reason"], row["count"]) for row in rows if row["reason"]),
        key=lambda one: (-one[2], one[1]),
    )
    return tuple(
        FunnelStep(
            name,
            count,
            f"{count / before:.1%}" if before else "–",
            tuple((reason, number) for step, reason, number in lost if step == name),
        )
        for (_, name, count), before in zip(kept, [0, *counts], strict=False)
    )

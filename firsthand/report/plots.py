"""Plots of the leaderboard page, as SVG that follows the page's light and dark colours."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PersistenceCurve", "ScorePoint", "accuracy_plot", "funnel_plot", "persistence_plot"]

# Colours that the page replaces by its own, so that one drawing serves both themes.
_INK = "#010101"
_GRID = "#020202"
_SERIES = tuple(f"#0{place}0{place}0{place}" for place in range(3, 10))
_THEME = {
    _INK: "currentColor",
    _GRID: "var(--rule)",
    **{sentinel: f"var(--series-{place})" for place, sentinel in enumerate(_SERIES)},
}
_LONG_S = 180.0
_MARKERS = ("o", "s", "D", "^", "v", "P", "X")


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """A score with its interval.

    Args:
        label: The subject.
        value: The score; None if nothing was planned.
        low: Lower end of the interval, or None.
        high: Upper end of the interval, or None.
        series: Number of the subject's colour.
    """

    label: str
    value: float | None
    low: float | None
    high: float | None
    series: int


@dataclass(frozen=True, slots=True)
class PersistenceCurve:
    """A survival curve as steps.

    Args:
        label: The subject.
        moments_s: Seconds since t* at which the curve steps, from 0 to the last observation.
        remembered: Share still remembered from each moment on, in [0, 1].
        censored_s: Seconds at which questions went out of sight.
        series: Number of the subject's colour.
    """

    label: str
    moments_s: Sequence[float]
    remembered: Sequence[float]
    censored_s: Sequence[float]
    series: int


def accuracy_plot(groups: Sequence[tuple[str, Sequence[ScorePoint]]], *, title: str) -> str:
    """Return a dot plot of RTA: one line a group, one dot with its interval a subject."""
    rows = len(groups)
    subjects = max((len(points) for _, points in groups), default=1)
    figure, axes = _canvas(height_in=1.0 + rows * max(0.34, 0.17 * subjects))
    step = 0.62 / max(subjects, 1)
    for row, (_, points) in enumerate(groups):
        for place, point in enumerate(points):
            _draw_score(axes, point, row + (place - (len(points) - 1) / 2) * step)
    axes.set_yticks(range(rows), [_plain(name) for name, _ in groups])
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_xlim(-2, 102)
    axes.set_xlabel("RTA (% of planned questions)")
    _legend(axes, [point for _, points in groups[:1] for point in points])
    return _svg(figure, title)


def persistence_plot(curves: Sequence[PersistenceCurve], *, title: str, horizon_s: float) -> str:
    """Return survival curves: the share of questions still remembered, by time since t*.

    Args:
        curves: One a subject; each ends where its last question was observed.
        title: What the drawing shows, for those who cannot see it.
        horizon_s: When the last probe is due.
    """
    figure, axes = _canvas(height_in=3.6)
    unit, unit_s = ("minutes", 60.0) if horizon_s >= _LONG_S else ("seconds", 1.0)
    for place, curve in enumerate(curves):
        _draw_curve(axes, curve, unit_s, width=2.0 + 2.0 * (len(curves) - 1 - place))
    # Without probes nothing is seen after the first answer.
    axes.set_xlim(0, (horizon_s or 1.0) / unit_s * 1.02)
    axes.set_ylim(-4, 104)
    axes.set_xlabel(f"{unit} since the question was answered correctly")
    axes.set_ylabel("still remembered (%)")
    if curves:
        axes.legend(frameon=False, labelcolor=_INK, loc="lower left")
    return _svg(figure, title)


def funnel_plot(steps: Sequence[tuple[str, int]], *, title: str) -> str:
    """Return bars from the widest to the narrowest: how many each step of a funnel kept.

    Args:
        steps: Each step's name and count, in order.
        title: What the drawing shows, for those who cannot see it.
    """
    from matplotlib.ticker import MaxNLocator

    figure, axes = _canvas(height_in=0.8 + 0.42 * len(steps))
    bars = axes.barh(range(len(steps)), [count for _, count in steps], 0.62, color=_SERIES[0])
    axes.bar_label(bars, [str(count) for _, count in steps], padding=4, color=_INK)
    axes.set_yticks(range(len(steps)), [_plain(name) for name, _ in steps])
    axes.set_ylim(len(steps) - 0.5, -0.5)
    axes.set_xlim(0, max((count for _, count in steps), default=0) * 1.08 or 1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("questions")
    return _svg(figure, title)


def _draw_curve(axes: "Axes", curve: PersistenceCurve, unit_s: float, *, width: float) -> None:
    colour = _SERIES[curve.series % len(_SERIES)]
    # Later curves are thinner, so that of coinciding ones each is seen.
    axes.step(
        [moment_s / unit_s for moment_s in curve.moments_s],
        [100 * share for share in curve.remembered],
        where="post",
        color=colour,
        linewidth=width,
        label=_plain(curve.label),
    )
    at = dict(zip(curve.moments_s, curve.remembered, strict=True))
    axes.plot(
        [moment_s / unit_s for moment_s in curve.censored_s],
        [100 * at[moment_s] for moment_s in curve.censored_s],
        linestyle="none",
        marker="|",
        markersize=8 + 2 * width,
        color=colour,
    )


def _plain(label: str) -> str:
    # Dollar signs would begin a formula.
    return label.replace("$", r"\$")


def _draw_score(axes: "Axes", point: ScorePoint, height: float) -> None:
    if point.value is None:
        return
    colour = _SERIES[point.series % len(_SERIES)]
    if point.low is not None and point.high is not None:
        axes.plot([point.low, point.high], [height, height], color=colour, linewidth=1.6)
    marker = _MARKERS[point.series % len(_MARKERS)]
    axes.plot([point.value], [height], marker=marker, markersize=6, color=colour)


def _legend(axes: "Axes", points: Sequence[ScorePoint]) -> None:
    for point in points:
        axes.plot(
            [],
            [],
            marker=_MARKERS[point.series % len(_MARKERS)],
            color=_SERIES[point.series % len(_SERIES)],
            linewidth=1.6,
            label=_plain(point.label),
        )
    if points:
        axes.legend(
            frameon=False,
            labelcolor=_INK,
            ncols=len(points),
            loc="lower center",
            bbox_to_anchor=(0.5, 1.0),
        )


def _canvas(*, height_in: float) -> "tuple[Figure, Axes]":
    # matplotlib takes most of a second to import, which only a page needs to pay.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.4, height_in), layout="constrained")
    axes = figure.add_subplot()
    figure.patch.set_alpha(0)
    axes.patch.set_alpha(0)
    axes.tick_params(colors=_INK, length=0)
    axes.xaxis.label.set_color(_INK)
    axes.yaxis.label.set_color(_INK)
    axes.grid(visible=True, axis="x", color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(_GRID)
    return figure, axes


def _svg(figure: "Figure", title: str) -> str:
    """Return the drawing as an `<svg>` element; the same drawing gives the same text."""
    from matplotlib import rc_context

    buffer = io.StringIO()
    with rc_context({"svg.hashsalt": title, "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    drawing = buffer.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>\s*", "", drawing, flags=re.DOTALL)
    for sentinel, colour in _THEME.items():
        drawing = drawing.replace(sentinel, colour)
    # Text is kept as text, in the page's own font.
    drawing = re.sub(r"font-family: [^;\"]*; ?", "", drawing)
    # Two drawings share a page: only names that are referred to stay, salted by the title.
    drawing = re.sub(r'<g id="[^"]*"', "<g", drawing)
    label = title.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return drawing.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)

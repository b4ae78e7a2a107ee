"""A timeline as rows of the tables `timeline` and `streams`."""

from firsthand.core.timeline import Timeline

__all__ = ["stream_row", "timeline_rows"]

Row = dict[str, object]


def timeline_rows(timeline: Timeline, participant_id: str, stream_id: str) -> list[Row]:
    """Return the rows of table `timeline`, in order of start."""
    return [
        {
            "participant_id": participant_id,
            "recording_id": segment.recording_id,
            "stream_id": stream_id,
            "day": segment.day,
            "start_utc_us": segment.placement.start_utc_us,
            "utc_offset_s": segment.placement.utc_offset_s,
            "start_label": str(timeline.label_at(segment.stream.start_us, "start")),
            "end_label": str(timeline.label_at(segment.stream.end_us, "end")),
            "duration_us": segment.placement.duration_us,
            "stream_start_us": segment.stream.start_us,
            "stream_end_us": segment.stream.end_us,
            "start_source": segment.placement.start_source,
            "doubtful": segment.placement.doubtful,
        }
        for segment in timeline.segments
    ]


def stream_row(timeline: Timeline, participant_id: str, stream_id: str, *, unit_us: int) -> Row:
    """Return the row of table `streams`."""
    return {
        "participant_id": participant_id,
        "stream_id": stream_id,
        "recordings": len(timeline.segments),
        "recorded_us": timeline.recorded_us,
        "spanned_us": timeline.spanned_us,
        "unit_us": unit_us,
    }

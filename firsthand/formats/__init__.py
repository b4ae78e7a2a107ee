"""File formats from outside: the benchmarks' official layouts, subtitles, timed words, masks.

Readers check everything and list all that is wrong; writers give back what was read. The
names here are the readers; writers, rows and columns stand beside them in their modules.
"""

from firsthand.formats.coco import read_coco
from firsthand.formats.ctm import read_ctm
from firsthand.formats.ecog import read_clips
from firsthand.formats.ecog_replies import read_replies
from firsthand.formats.egolife import read_egolife
from firsthand.formats.mm_lifelong import read_lifelong_predictions, read_lifelong_questions
from firsthand.formats.problems import Problem, Problems
from firsthand.formats.rttm import read_rttm
from firsthand.formats.subtitles import read_srt
from firsthand.formats.teleego import read_questions
from firsthand.formats.teleego_run import read_runs
from firsthand.formats.teleego_time import read_timeline
from firsthand.formats.textfile import read_csv, read_json, read_jsonl, read_text
from firsthand.formats.webvtt import read_vtt

__all__ = [
    "Problem",
    "Problems",
    "read_clips",
    "read_coco",
    "read_csv",
    "read_ctm",
    "read_egolife",
    "read_json",
    "read_jsonl",
    "read_lifelong_predictions",
    "read_lifelong_questions",
    "read_questions",
    "read_replies",
    "read_rttm",
    "read_runs",
    "read_srt",
    "read_text",
    "read_timeline",
    "read_vtt",
]

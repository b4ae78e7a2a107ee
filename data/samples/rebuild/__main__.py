"""Rebuild the sample recordings and all that lies beside them: `python data/samples/rebuild`."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from paperwork import write_annotations, write_configuration, write_narrations, write_truth
from record import Recorded, record
from screenplay import CLIPS


def main(folder: Path) -> None:
    """Write everything into `folder`, two clips at a time."""
    with ProcessPoolExecutor(max_workers=2) as pool:
        recorded: list[Recorded] = []
        for made in pool.map(partial(record, folder=folder / "recordings"), CLIPS):
            recorded.append(made)
            print(f"{made.clip.file}: {len(made.frames)} frames, {len(made.words)} words")
    for made in recorded:
        write_narrations(made, folder / "narrations")
    write_annotations(recorded, folder / "annotations")
    write_truth(recorded, folder / "truth.json")
    write_configuration(recorded, folder / "benchmark.yaml")


if __name__ == "__main__":
    main(Path(__file__).resolve().parents[1])

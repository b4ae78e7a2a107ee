"""Rebuild the sample recordings and all that lies beside them: `python data/samples/rebuild`."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from paperwork import write_annotations, write_configuration, write_narrations, write_truth
from record import Recorded, record
from screenplay import CLIPS


def main(folder: Path) -> None:
    """Write everything into `folder`, two clips at a time; a recording appears when complete."""
    recorded: list[Recorded] = []
    with TemporaryDirectory(dir=folder) as made_in, ProcessPoolExecutor(max_workers=2) as pool:
        for made in pool.map(partial(record, folder=Path(made_in)), CLIPS):
            recorded.append(made)
            print(f"{made.clip.file}: {len(made.frames)} frames, {len(made.words)} words")
            target = folder / "recordings" / made.clip.file
            target.parent.mkdir(parents=True, exist_ok=True)
            (Path(made_in) / made.clip.file).replace(target)
    for made in recorded:
        write_narrations(made, folder / "narrations")
    write_annotations(recorded, folder / "annotations")
    write_truth(recorded, folder / "truth.json")
    write_configuration(recorded, folder / "benchmark.yaml")


if __name__ == "__main__":
    main(Path(__file__).resolve().parents[1])

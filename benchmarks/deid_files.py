"""De-identifies files in a process of its own, so that its CPU time and memory can be read.

`python -m benchmarks.deid_files OUT_FOLDER PRESET CRF STYLE COPIES FILE…` writes each file's
copy into a folder that exists: `alone`, or `with-proxy` as a build makes it.
"""

import sys
from pathlib import Path

from firsthand.deid import (
    FACE_DETECTORS,
    SEARCH_SETTINGS,
    Covering,
    CoverStyle,
    DeidTargets,
    FacePlaces,
    FacePolicy,
    Hidden,
    Removal,
    deidentify,
    find_faces,
)
from firsthand.media.encoding import EncoderSettings

_UNIT_US = 1_000_000


def main() -> int:
    """De-identify the files named."""
    folder, preset, factor, style, copies, *files = sys.argv[1:]
    detector = FACE_DETECTORS["centerface"](SEARCH_SETTINGS)
    removal = Removal(
        covering=Covering(CoverStyle(style)),
        encoder=EncoderSettings(preset=preset, constant_rate_factor=int(factor)),
    )
    for source in map(Path, files):
        found = find_faces(source, detector, FacePolicy())
        alone = Path(folder) / source.name
        both = DeidTargets(alone, alone.with_stem(f"proxy_{source.stem}"))
        targets = both if copies == "with-proxy" else alone
        deidentify(source, Hidden(FacePlaces(found.tracks)), targets, _UNIT_US, removal)
    return 0


if __name__ == "__main__":
    sys.exit(main())

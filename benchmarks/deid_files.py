"""De-identifies files in a process of its own, so that its CPU time and memory can be read.

`python -m benchmarks.deid_files OUT_FOLDER PRESET CRF STYLE FILE…` writes each file's copy,
and the proxy that a build makes beside it, into a folder that exists.
"""

import sys
from pathlib import Path

from firsthand.deid import (
    FACE_DETECTORS,
    Covering,
    CoverStyle,
    DeidTargets,
    FacePlaces,
    Hidden,
    Removal,
    deidentify,
    find_faces,
)
from firsthand.media.encoding import EncoderSettings
from tasks.stages.find_faces import FACE_POLICY, FACE_SETTINGS

_UNIT_US = 1_000_000


def main() -> int:
    """De-identify the files named."""
    folder, preset, factor, style, *files = sys.argv[1:]
    detector = FACE_DETECTORS["centerface"](FACE_SETTINGS)
    removal = Removal(
        covering=Covering(CoverStyle(style)),
        encoder=EncoderSettings(preset=preset, constant_rate_factor=int(factor)),
    )
    for source in map(Path, files):
        found = find_faces(source, detector, FACE_POLICY)
        targets = DeidTargets(Path(folder) / source.name, Path(folder) / f"proxy_{source.name}")
        deidentify(source, Hidden(FacePlaces(found.tracks)), targets, _UNIT_US, removal)
    return 0


if __name__ == "__main__":
    sys.exit(main())

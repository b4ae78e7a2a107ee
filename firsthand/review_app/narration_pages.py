"""What the page of narrations asks for: the words of a note that a narrator has just spoken."""

from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.responses import JSONResponse, Response

from firsthand.core.errors import FirsthandError
from firsthand.core.spoken_text import join_words
from firsthand.media.notes import decoded_note
from firsthand.review_app.visit import AForm, AVisit
from firsthand.speech.engines import RECOGNISERS, SpeechChoice

__all__ = ["narration_pages"]

narration_pages = APIRouter()

# A narrator's voice is heard by the engine on this machine alone, and kept nowhere.
_ENGINE = "faster_whisper"


@narration_pages.post("/heard/{benchmark}")
def heard(visit: AVisit, form: AForm, benchmark: str) -> Response:
    """Return what was said in a note."""
    visit.office.archive.benchmark(benchmark)
    note = form.get("note")
    payload = note.file.read() if isinstance(note, UploadFile) else b""
    try:
        sound = decoded_note(payload)
        engine = RECOGNISERS[_ENGINE](SpeechChoice(recogniser=_ENGINE))
        words = engine.words(sound) if sound.size else ()
    except FirsthandError as error:
        return JSONResponse({"problem": str(error)}, 422)
    text = join_words((word.text for word in words), engine.language)
    return JSONResponse({"text": text} if text else {"problem": "No word was heard."})

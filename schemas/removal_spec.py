"""What is taken out of recordings: how faces, writing and voices are covered, and whose stay."""

from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from firsthand.core.errors import UnknownNameError
from firsthand.deid.text_rules import TextRules
from schemas.field_types import Text
from schemas.yaml_records import Record

__all__ = ["FaceRemovalSpec", "RemovalSpec", "SpeechRemovalSpec", "TextRemovalSpec"]


class TextRemovalSpec(Record):
    """Which writing is covered, and how; without a word of it, what the default rules find."""

    rules: tuple[Text, ...] = Field(default=TextRules().rules, strict=False)
    names: tuple[Text, ...] = Field(default=(), strict=False)
    style: Literal["solid", "pixelate", "blur"] = "solid"

    @model_validator(mode="after")
    def _known_rules(self) -> Self:
        try:
            TextRules(self.rules, self.names)
        except UnknownNameError as error:
            raise PydanticCustomError("text_rule", error.expected) from None
        except ValueError as error:
            raise PydanticCustomError("text_rule", "rules and names that fit") from error
        return self


class SpeechRemovalSpec(Record):
    """Words of participants that are taken out of sound and words alike; none by default.

    `bleep` says what is heard in their place.
    """

    numbers: bool = False
    names: tuple[Text, ...] = Field(default=(), strict=False)
    bleep: Literal["silence", "tone"] = "silence"


class FaceRemovalSpec(Record):
    """How faces are covered, and whose are not.

    `spared` names participants whose own faces may stay to be seen: each has marked faces
    (`face_enrolment`), the consent `own_face`, and needs the engine `face_embedder`.
    """

    style: Literal["solid", "pixelate", "blur"] = "blur"
    spared: tuple[Text, ...] = Field(default=(), strict=False)


class RemovalSpec(Record):
    """How faces, voices and private writing are taken out of recordings."""

    faces: FaceRemovalSpec = FaceRemovalSpec()
    text: TextRemovalSpec = TextRemovalSpec()
    speech: SpeechRemovalSpec = SpeechRemovalSpec()
    voices: Literal["silence", "noise"] = "silence"

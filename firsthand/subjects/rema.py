"""ReMA: a recursive agent that turns a stream into a memory and answers from it by steps.

Perception: the stream is cut into clips; the model writes a note on each, which goes into
the memory bank. Control: for a question, the model chooses round by round to search the
memory, to have ranges of the recording inspected, or to answer; what an inspection brings
goes into this question's own copy of the memory. Every call is kept, so a memory is a
function of the stream, and an answer one of the stream and the question.

Source: MM-Lifelong, arXiv 2603.05484; prompts and code are our own.
"""

import threading
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import Json, canonical_json, digest_json
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calls import Call, Generation, Turn
from firsthand.endpoints.replies import Reply
from firsthand.subjects.configuration import SUBJECTS
from firsthand.subjects.endpoint_prompt import Told, stream_clock
from firsthand.subjects.endpoint_settings import History, HistoryKind
from firsthand.subjects.endpoint_subject import EndpointSubject
from firsthand.subjects.following import Telling, told_of
from firsthand.subjects.kept_calls import AgentStep, KeptCalls
from firsthand.subjects.memory_bank import MemoryBank, Note
from firsthand.subjects.rema_actions import Final, Inspect, Malformed, Search, read_action
from firsthand.subjects.rema_prompts import (
    CONDENSE,
    CONTROL,
    FIND,
    INSPECT,
    PERCEIVE,
    REMA_PROMPTS,
    control_text,
    note_lines,
)
from firsthand.subjects.rema_settings import RemaSettings
from firsthand.subjects.subject import Session, SessionInputs, SubjectFacts, SubjectQuestion, Unit

__all__ = ["RemaSubject"]

_VERSION = 1


@SUBJECTS.register("rema")
@dataclass(frozen=True, slots=True)
class RemaSubject:
    """Perceives a stream clip by clip into a memory; answers by steps over it."""

    settings: RemaSettings

    @property
    def facts(self) -> SubjectFacts:
        """Keeps a memory of its own; asks do not wait for each other."""
        model = self.settings.model
        return SubjectFacts(
            model.subject_id,
            f"{model.model} {model.revision} agent-{_VERSION} {REMA_PROMPTS}",
            f"memory agent over a model behind an endpoint: {model.model}",
            receives=model.receives,
            hears_sound=model.hears_sound,
            stateful=True,
            samples=bool(model.generation.temperature),
            latency_source="measured" if model.declared_latency_us is None else "declared",
            arguments=self.settings.arguments,
            asks_side_by_side=True,
            keeps_memory=True,
        )

    def open(self, inputs: SessionInputs) -> Session:
        """Begin to follow a stream.

        Raises:
            ConfigurationError: If the run keeps no calls, or gives it nothing to look at or
                to hear although it looks or listens.
        """
        model = self.settings.model
        needs_media = Modality.VIDEO in model.receives or model.hears_sound
        if inputs.kept is None or (needs_media and inputs.media is None):
            raise ConfigurationError(
                f"subject {model.subject_id!r} on stream {inputs.stream_id!r}",
                "a run that keeps no calls, or gives no pictures and sound",
                "a place for its calls, and all that it receives",
                "Leave out of `receives` what the run cannot give.",
            )
        complete = EndpointSubject(model).completing(inputs.calling)
        return _Watching(self.settings, inputs, _Model(self, inputs.kept, complete))


@dataclass(frozen=True, slots=True)
class _Model:
    """The model, its calls kept."""

    subject: RemaSubject
    kept: KeptCalls
    complete: Callable[[Call], Reply]

    def say(self, system: str, parts: Sequence[str], told: Told, most_tokens: int) -> "_Said":
        settings = self.subject.settings.model
        turns = (Turn("system", system), Turn("user", "\n\n".join(parts), told.media))
        call = Call(turns, replace(settings.generation, most_tokens=most_tokens))
        revision = f"{self.subject.facts.revision} {settings.declared_latency_us}"
        return _Said(*self.kept.reply(call, revision, self.complete))


@dataclass(frozen=True, slots=True)
class _Said:
    key: str
    reply: Reply


@dataclass(slots=True)
class _Thought:
    """Calls towards one answer, or towards the memory, and what they took together."""

    settings: RemaSettings
    model: _Model
    wearer: str
    latency_us: int = 0

    def say(self, system: str, parts: Sequence[str], told: Told | None = None) -> _Said:
        """Return a note, or whatever else may be as long as one."""
        return self._counted(
            self.model.say(system, parts, told or Told(), self.settings.most_note_tokens)
        )

    def choose(self, prompt: str) -> _Said:
        """Return what the controller chose; it may be as long as an answer."""
        most_tokens = self.settings.model.generation.most_tokens
        return self._counted(self.model.say(CONTROL, [prompt], Told(), most_tokens))

    def _counted(self, said: _Said) -> _Said:
        self.latency_us += said.reply.latency_us
        return said

    def noted(self, bank: MemoryBank, note: Note) -> MemoryBank:
        """Return the memory with a note added, condensed where that is called for."""
        return bank.with_note(
            note,
            lambda notes: self.say(CONDENSE, [note_lines(notes)]).reply.text,
            most_notes=self.settings.most_notes,
            condensed=self.settings.condensed,
        )

    def perceived(self, units: Sequence[Unit], told: Told) -> Note:
        """Return the note on a clip."""
        begin_us, end_us = units[0].start_us, units[-1].end_us
        about = f"The clip is from {stream_clock(begin_us)} to {stream_clock(end_us)}."
        said = self.say(PERCEIVE, [about, *told.lines(self.wearer)], told)
        return Note(begin_us, end_us, said.reply.text)


class _Watching:
    """The session that follows the stream; its forks answer."""

    def __init__(self, settings: RemaSettings, inputs: SessionInputs, model: _Model) -> None:
        self.settings = settings
        self.inputs = inputs
        self.model = model
        self.units: list[Unit] = []
        self._clip_ends: list[int] = []
        self._banks: list[MemoryBank] = [MemoryBank()]
        self._remembering = threading.Lock()
        history = History(HistoryKind.FULL, most_pictures=settings.most_pictures)
        generation: Generation = settings.model.generation
        self._telling = Telling(
            history, settings.model.receives, settings.model.hears_sound, generation
        )

    def feed(self, unit: Unit) -> None:
        """Take a unit in; a clip is perceived when something is asked."""
        self.units.append(unit)
        begun = self._clip_ends[-1] if self._clip_ends else 0
        if unit.end_us - self.units[begun].start_us >= self.settings.clip_us:
            self._clip_ends.append(len(self.units))

    def fork(self) -> Session:
        """Return what can be asked about the stream up to here."""
        return _Answering(self, len(self.units))

    def ask(self, question: SubjectQuestion) -> Reply:
        """Answer from what was taken in so far."""
        return self.fork().ask(question)

    def told(self, units: Sequence[Unit]) -> Told:
        """Return what of some units the model is shown and told."""
        return told_of(self._telling, self.inputs, units)

    def thought(self) -> _Thought:
        """Return calls that belong together."""
        return _Thought(self.settings, self.model, self.inputs.wearer)

    def remembered(self, units: int) -> tuple[MemoryBank, int]:
        """Return the memory of all clips that had ended by then, and the units in them."""
        clips = bisect_right(self._clip_ends, units)
        # One after another: each note may be condensed with those before.
        with self._remembering:
            while len(self._banks) <= clips:
                self._banks.append(self._next())
        return self._banks[clips], self._clip_ends[clips - 1] if clips else 0

    def _next(self) -> MemoryBank:
        clip = len(self._banks) - 1
        first = self._clip_ends[clip - 1] if clip else 0
        units = self.units[first : self._clip_ends[clip]]
        thought = self.thought()
        return thought.noted(self._banks[-1], thought.perceived(units, self.told(units)))


@dataclass(frozen=True, slots=True)
class _Answering:
    """The agent at one moment of the stream; nothing later is within its reach."""

    watching: _Watching
    units: int

    def feed(self, unit: Unit) -> None:  # noqa: ARG002 - it takes nothing in
        raise ValueError("a fork stays where it is; the session that it was taken from is fed")

    def fork(self) -> Session:
        return self

    def retrace(self, question: SubjectQuestion) -> None:
        self.ask(question)

    def ask(self, question: SubjectQuestion) -> Reply:
        bank, remembered = self.watching.remembered(self.units)
        thought = self.watching.thought()
        rest = self.watching.units[remembered : self.units]
        if rest:
            # The clip that is still going on is perceived as far as it has come.
            bank = thought.noted(bank, thought.perceived(rest, self.watching.told(rest)))
        loop = _Loop(self, question, thought, bank)
        final = loop.answered()
        self.watching.model.kept.note_steps(
            question.question_id, question.asked_at_us, tuple(loop.steps)
        )
        source = self.watching.model.subject.facts.latency_source
        text = _reply_text(question, final)
        return Reply(text, "length" if final is None else "stop", thought.latency_us, source)

    @property
    def now_us(self) -> int:
        """End of the last unit taken in."""
        return self.watching.units[self.units - 1].end_us if self.units else 0

    def seen(self, begin_us: int, end_us: int) -> Sequence[Unit]:
        """Return the units of a range, never one that was not taken in."""
        units = self.watching.units[: self.units]
        first = bisect_right(units, begin_us, key=lambda unit: unit.end_us)
        last = bisect_right(units, end_us, key=lambda unit: unit.start_us)
        return [unit for unit in units[first:last] if unit.start_us < end_us]


@dataclass(slots=True)
class _Loop:
    """The rounds of one question."""

    agent: _Answering
    question: SubjectQuestion
    thought: _Thought
    bank: MemoryBank
    steps: list[AgentStep] = field(default_factory=list)
    _taken: list[str] = field(default_factory=list)

    def answered(self) -> Final | None:
        """Go through the rounds and return the answer, or None if they end without one."""
        settings = self.thought.settings
        for left in range(settings.most_rounds, 0, -1):
            said = self._controlled(left)
            action = read_action(
                said.reply.text,
                self.question.text,
                now_us=self.agent.now_us,
                most_queries=settings.most_queries,
                most_ranges=settings.most_ranges,
            )
            match action:
                case Final():
                    self._note(said, "answer", action.parameters, "")
                    return action
                case Search() | Inspect() if left == 1:
                    self._note(said, "malformed", action.parameters, "Not done: no round is left.")
                case Search():
                    self._note(said, "search", action.parameters, self._searched(action))
                case Inspect():
                    self._note(said, "inspect", action.parameters, self._inspected(action))
                case Malformed(reason):
                    self._note(said, "malformed", action.parameters, f"Not done: {reason}.")
        return None

    def _controlled(self, left: int) -> _Said:
        prompt = control_text(
            self.question.prompt, self.agent.now_us, self.bank.notes, self._taken, left
        )
        return self.thought.choose(prompt)

    def _searched(self, action: Search) -> str:
        found = self.bank.found(action.queries, self.thought.settings.most_found)
        if not found:
            return "No note speaks of it."
        queries = "\n".join(action.queries)
        parts = [f"Queries:\n{queries}", f"Notes:\n{note_lines(found)}"]
        return self.thought.say(FIND, parts).reply.text

    def _inspected(self, action: Inspect) -> str:
        observed = [self._observed(*span, action.question) for span in action.ranges_us]
        for note in observed:
            self.bank = self.thought.noted(self.bank, note)
        return note_lines(observed)

    def _observed(self, begin_us: int, end_us: int, asked: str) -> Note:
        told = self.agent.watching.told(self.agent.seen(begin_us, end_us))
        parts = [
            f"The part is from {stream_clock(begin_us)} to {stream_clock(end_us)}.",
            *told.lines(self.thought.wearer),
            f"The question:\n{asked}",
        ]
        return Note(begin_us, end_us, self.thought.say(INSPECT, parts, told).reply.text)

    def _note(self, said: _Said, name: str, parameters: Json, observation: str) -> None:
        chosen = canonical_json(parameters).decode()
        self._taken.append(f"{name} {chosen}\n{observation}")
        self.steps.append(AgentStep(name, chosen, digest_json(observation), said.key))


def _reply_text(question: SubjectQuestion, final: Final | None) -> str:
    """Return the reply in the form that was asked for; empty if the rounds ended without one."""
    if final is None:
        return ""
    if not question.names_clues:
        return _as_text(final.answer)
    return canonical_json({"answer": final.answer, "intervals": final.intervals}).decode()


def _as_text(answer: Json) -> str:
    if isinstance(answer, list):
        return ", ".join(_as_text(one) for one in answer)
    return str(answer).lower() if isinstance(answer, bool) else str(answer)

"""Phrases around an option letter: what states an answer, what denies one."""

import re

__all__ = [
    "AFTERTHOUGHT",
    "ALL_BUT",
    "CHOSEN_AFTER",
    "CONCLUSION",
    "LOOSE_BEFORE",
    "STATEMENT",
    "is_denied",
    "is_denied_after",
    "is_denied_before",
    "is_talked_about",
]

_BE = (
    r"(?:is|are|was|be|should be|must be|would be|will be|has to be|seems? to be|appears? to be"
    r"|remains|becomes|:|=|->|→|-)"
)
_ADVERB = (
    r"(?:definitely|probably|likely|most likely|clearly|therefore|thus|still|indeed|actually"
    r"|obviously|surely|certainly|now|hence|in fact|just|simply|only|the|option|choice|letter)"
)

STATEMENT = re.compile(
    r"\bfinal\s*[:=]\s*"
    r"|\b(?:answers?|ans|response|conclusion|verdict)\b\s*(?:option|choice|letter)?\s*[\])】]?\s*"
    rf"(?:(?:{_BE}|{_ADVERB})(?![a-z])\s*)*"
    r"|\b(?:correct|right|best|final|true|my|the)?\s*(?:options?|choices?|ones?|letters?|selections?"
    rf"|picks?)\s*(?:{_BE}(?![a-z])\s*)(?:{_ADVERB}(?![a-z])\s*)*"
    r"|\b(?:choose|chose|choosing|pick(?:ed|ing)?|select(?:ed|ing)?|go(?:ing)? with|went with"
    r"|opt(?:ed|ing)? for|vote for|settled? on|stick with|going for|conclude|vote"
    r"|lock(?:ing|ed)? in|lean(?:s|ing|ed)?(?: more)? (?:towards?|to)|more likely)\b\s*"
    r"(?:(?:that|it is|it's|the answer is|is|option|choice|answer|letter|the|:)(?![a-z])\s*)*"
    r"|(?:正确|最终|最后|最佳|我的|标准|参考)?(?:答案|回答|答)\s*[\])】]?\s*"
    r"(?:(?:应该是|应该为|应为|应是|应该|应当是|就是|还是|可能是|依然是|仍是|是|为|选择|选|:|=|→|-)\s*)*"
    r"|(?:正确的?|对的|最终|最佳)?选项\s*(?:应该是|应该为|应为|应是|就是|是|为|:|=)\s*"
    r"|(?<![不别没未勿非])(?<!不应)(?<!不能)(?<!不该)(?<!不会)(?<!没有)(?<!不应该)(?<!不可)"
    r"(?:故选|应选|可选|改选|选择|选定|选|更?倾向于?|更(?:有?可能|像))(?!项)"
    r"(?:的?是|为|了|定|:|项)*\s*",
    re.IGNORECASE,
)
"""Statements of the answer: the letters that follow are it."""

AFTERTHOUGHT = re.compile(
    r"\b(?:actually|wait|correction|scratch that|on second thought|i mean|make that|rather|instead"
    r"|sorry|hmm+|(?:(?<![\w,;:\-–—] )(?<![\w,;:=])no))\b[\s,.:;!\-–—…]*"
    r"(?:(?:it's|it is|it should be|it must be|the answer is|make that|i choose|so|no|,)\s*)*"
    r"|(?<![\w])不,\s*是?|(?:而是|改为|改成|更正为?|其实是?|等等|等一下|不对)[\s,.:;!。…]*(?:应该是|应该选|应该|是|选)?\s*",
    re.IGNORECASE,
)
"""Openings of a revised answer; it outranks what was said before."""

CONCLUSION = re.compile(
    r"\b(?:so|therefore|thus|hence|ergo|then|finally|ultimately|in the end|but|i think"
    r"|i believe|i guess|i'd say|i would say"
    r"|it's|it is|it must be|it should be|that's|that is)\b[\s,:]*"
    r"(?:(?:that|it's|it is|it must be|option|probably|likely|definitely|only)(?![a-z])\s*)*"
    r"|(?:所以|因此|因而|故|那么|于是|应该|应当|,是|,还是|^是|我认为|我觉得)(?:是|为|选|:|,|应该是)*\s*",
    re.IGNORECASE,
)
"""Openings of a conclusion; weaker than a statement, as a comment may follow them too."""

CHOSEN_AFTER = re.compile(
    r"\s*(?:项|选项)?\s*(?:(?:is|are|'s|’s|seems|looks|appears|must be|should be|as|also|both|all"
    r"|the|most|clearly|definitely|indeed|likely|probably|to be|my|final)\s+)+"
    r"(?:correct|right|true|best|better|preferable|answer|choice|accurate|one\b)(?! or)"
    r"|(?:\s*[.:=,(\-–—]+\s*|\s+)(?:yes|true|correct|right|对|正确|是)(?=\s*(?:[.,;)\n。、]|$)|\s+[A-Z]\b)"
    r"|\s*[:=]\s*[TY](?=\s*[.,;\n]|\s*$|\s+[A-Z]\s*[:=])"
    r"|[\s.:,(\-–—]*[✓✔√✅]"
    r"|\s*(?:项|选项)?(?:才|就|是|最|更|为|都|均|也|的|描述|说法|完全)*"
    r"(?:正确|对(?![应于比着面方])|准确|符合|合适|合理|答案)",
    re.IGNORECASE,
)
"""What follows a letter that is called right."""

_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n't|n’t|\bnor|\bneither|\bnever|\bexclud\w+|\beliminat\w+|\brul\w+ out"
    r"|\brather than|\binstead of|\bexcept(?: for)?"
    r"|\b(?:all|everything|anything|any|every one) but|\bother than|\bdismiss\w*|\breject\w*"
    r"|\bunlike"
    r"|不是|不选|不应选|不应该选|不能选|不该选|不会选|不可选|没有选|没选|并非|而非|排除了?|除了|除去"
    r"|不可能是|不会是|不认为|不觉得|非)"
    r"\s*[\"'“”‘’(\[【]*"
    r"(?:\s*(?:it's|it is|it was|be|been|that|think|believe|choose|pick|select|say"
    r"|option|choice|letter|the|answer|correct|is|likely|necessarily|just|only|either|both|选项|选|是"
    r"|答案)){0,5}\s*[\"'“”‘’(\[【]*$",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"\s*(?:项|选项)?\s*(?:(?:is|are|was|were|seems?|looks?|both|all|also|can be|should be|clearly"
    r"|obviously|definitely|therefore|,?\s*which is|a|an|the|be|to|can|could|must|plain|just)\s+)*"
    r"(?:not\b|isn['’]t|aren['’]t|wasn['’]t|doesn['’]t|don['’]t|does not|do not|cannot|can['’]t"
    r"|couldn['’]t|wrong\b|incorrect|false\b|ruled out|eliminated|excluded|invalid|impossible"
    r"|unlikely|less (?:likely|plausible|suitable|accurate|probable)"
    r"|irrelevant|(?:common |mere )?distractors?|[×✗✘❌✖])"
    r"|\s*(?:项|选项)?(?:都|也|均|是|则|全部?|明显|显然|很|可以?|被|的|应|说法|描述|并|,)*"
    r"(?:不(?!错|[是选]\s*(?:选项)?[A-Z\ue000-\ue0ff])|错|有误"
    r"|排除(?!了?\s*(?:选项)?[A-Z])|无关|没有|未|并非|矛盾|干扰)"
    r"|\s*[:=]\s*[FN](?=\s*[.,;\n]|\s*$|\s+[A-Z]\s*[:=])"
    r"|(?:\s*[.:=,(\-–—]+\s*|\s+)(?:wrong|incorrect|false|no|错误|错|不正确|不对|不符合?)"
    r"(?=\s*(?:[.,;)\n。、]|$)|\s+[A-Z]\b)"
    r"|[\s.:,(\-–—]*[×✗✘❌✖]",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\s+(?:is|are|was|were|has|have|had|shows?|seems?|looks?|could|might|may|can|does|mentions?"
    r"|describes?|refers?|would|also)\b"
)

ALL_BUT = re.compile(
    r"除了?\s*(?:选项)?\s*([A-Z])\s*(?:选项|项)?(?:以外|之外|外)?[\s,]*(?:其他|其余|别的|剩下)?(?:的|选项)*"
    r"(?:都|均|全部?)是?(?:不|错)"
    r"|(?i:\b(?:all(?: (?:the )?options)?|everything|every option)\s+(?:except|but)(?:\s+for)?"
    r"\s+(?:option\s+)?)([A-Z])\s+(?:is|are)\s+(?:wrong|incorrect|false)",
)
"""The one option that is not called wrong: "除了C都不对"."""

LOOSE_BEFORE = re.compile(
    r"(?:^|[^\w\s'’\-]|\n"
    r"|\b(?:is|are|was|be|options?|choices?|letters?|pick|so|say|answers?|think|with|therefore|ergo|select"
    r"|choose|vote|but|and|or|to|not|only|thus|hence|for|than|guess|believe|of|because|would|both|either"
    r"|between|neither|nor|maybe|perhaps|possibly|i|definitely|likely|just|then|it's|that's|consider"
    r"|considered|though|while|whereas|first|finally|if|since|that|leaves?|leaving|means|us|here|remains|probably|\w+ly|all|yes|no|true|false|correct|incorrect|wrong|right|well|ok|okay|hmm|sure)"
    r"|[\u3400-\u9fff])\s*[\"'“”‘’(\[{【「『《$:=]*$",
    re.IGNORECASE,
)
"""What may stand before a letter that is meant as an option: "plan B" is not."""


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether what stands between two places is called wrong or excluded."""
    return is_denied_before(text, start) or is_denied_after(text, end)


def is_denied_before(text: str, start: int) -> bool:
    """Whether words before a place exclude what follows."""
    return _DENIED_BEFORE.search(text[max(0, start - 60) : start]) is not None


def is_denied_after(text: str, end: int) -> bool:
    """Whether words behind a place call wrong what comes before."""
    return _DENIED_AFTER.match(text, end) is not None


def is_talked_about(text: str, end: int) -> bool:
    """Whether a comment on the letters follows ("is a trap"), not praise ("is right")."""
    return bool(_TALK.match(text, end)) and not CHOSEN_AFTER.match(text, end)

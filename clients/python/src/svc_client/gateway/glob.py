"""Globs of routes, as the service reads them. Source: docs/concepts/boundaries.md.

Own code, because packages accept ambiguous globs and compile to expressions that backtrack.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

_CHARACTERS_MAX = 512
_ALTERNATIVES_MAX = 64
_DEPTH_MAX = 8


@dataclass(frozen=True)
class Character:
    """One character of a segment: within one of the ranges, or outside all of them."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def matches(self, character: str) -> bool:
        """Whether it matches this character."""
        return any(low <= character <= high for low, high in self.ranges) != self.negated


_ANY = Character((), negated=True)
#: Any number of characters.
_RUN = None
#: Any number of segments.
_MANY = "**"
#: One segment that is not empty.
_SOME = "*"
Segment = str | tuple[Character | None, ...]
Pattern = tuple[Segment, ...]


def parse_glob(glob: str) -> list[Pattern]:
    """Parses a glob into its patterns, one for each combination of alternatives.

    `*` matches one or more characters within a segment, `**` any number of segments, `?` one character, `{a,b}` either
    alternative, and `[ab]`, `[a-z]` or `[!a]` one character of a class. Raises ValueError for anything ambiguous.
    """
    if not 0 < len(glob) <= _CHARACTERS_MAX:
        raise ValueError(f"a glob has 1 to {_CHARACTERS_MAX} characters")
    if re.search(r"[\x00-\x1f\x7f-\x9f\\\ud800-\udfff]", glob):
        raise ValueError("contains a backslash or a control character; write a literal * as [*]")
    texts, end, _ = _expand(glob, 0, 0)
    if end < len(glob):
        raise ValueError("has a } without its {")
    return [_parse_pattern(text) for text in texts]


def matches(pattern: Pattern, text: str) -> bool:
    """Whether a pattern matches a whole text, in linear time for a given pattern.

    On a mismatch it backtracks to the last `**` only and lets it take one more segment.
    """
    segments = text.split("/")
    index = start = resume_start = 0
    resume_index = -1
    while start < len(segments) or index < len(pattern):
        segment = pattern[index] if index < len(pattern) else None
        if segment == _MANY:
            index += 1
            resume_index, resume_start = index, start
        elif segment is not None and start < len(segments) and _matches_segment(segment, segments[start]):
            index += 1
            start += 1
        elif resume_index < 0 or resume_start >= len(segments):
            return False
        else:
            resume_start += 1
            index, start = resume_index, resume_start
    return True


def _matches_segment(segment: Segment, text: str) -> bool:
    if segment == _SOME:
        return text != ""
    if isinstance(segment, str):
        return segment == "=" + text
    item = at = resume_at = 0
    resume_item = -1
    while at < len(text) or item < len(segment):
        if item < len(segment):
            current = segment[item]
            if current is _RUN:
                item += 1
                resume_item, resume_at = item, at
                continue
            if at < len(text) and current.matches(text[at]):
                item += 1
                at += 1
                continue
        if resume_item < 0 or resume_at >= len(text):
            return False
        resume_at += 1
        item, at = resume_item, resume_at
    return True


def _parse_pattern(text: str) -> Pattern:
    segments = [_parse_segment(segment) for segment in text.split("/")]
    kept = [segments[0], *(after for before, after in pairwise(segments) if not before == after == _MANY)]
    return tuple(kept)


def _parse_segment(text: str) -> Segment:
    """A fixed text begins with `=`, so that it is neither `*` nor `**`."""
    if text in (_MANY, _SOME):
        return text
    items: list[Character | None] = []
    at = 0
    while at < len(text):
        character = text[at]
        if character == "*":
            if text[at + 1 : at + 2] == "*":
                raise ValueError("has ** next to other characters; it must be a whole segment")
            items += [_ANY, _RUN]
        elif character == "?":
            items.append(_ANY)
        elif character == "[":
            end = text.find("]", at + 2)
            if end < 0:
                raise ValueError("has a [ without its ]")
            items.append(_parse_class(text[at + 1 : end]))
            at = end
        else:
            items.append(Character(((character, character),)))
        at += 1
    is_fixed = not any(sign in text for sign in "*?[")
    return "=" + text if is_fixed else tuple(items)


def _parse_class(members: str) -> Character:
    negated = members.startswith("!") and len(members) > 1
    members = members[1:] if negated else members
    ranges: list[tuple[str, str]] = []
    at = 0
    while at < len(members):
        is_range = members[at + 1 : at + 2] == "-" and at + 2 < len(members)
        low, high = members[at], members[at + 2] if is_range else members[at]
        ranges.append((min(low, high), max(low, high)))
        at += 3 if is_range else 1
    return Character(tuple(ranges), negated)


def _expand(glob: str, start: int, depth: int) -> tuple[list[str], int, str]:
    """Expands the alternatives of a sequence: its texts, where it ends, and what ended it. Braces in brackets are literal."""
    if depth > _DEPTH_MAX:
        raise ValueError(f"nests braces deeper than {_DEPTH_MAX} levels")
    texts, at = [""], start
    while at < len(glob):
        character = glob[at]
        if character == "}" or (depth > 0 and character == ","):
            return texts, at + 1 if depth > 0 else at, character
        if character == "{":
            choices, at = _expand_choice(glob, at + 1, depth + 1)
        else:
            end = at + 1
            if character == "[":
                close = glob.find("]", at + 2)
                end = len(glob) if close < 0 else close + 1
            choices, at = [glob[at:end]], end
        if len(texts) * len(choices) > _ALTERNATIVES_MAX:
            raise ValueError(f"expands to more than {_ALTERNATIVES_MAX} alternatives")
        texts = [text + choice for text in texts for choice in choices]
    if depth > 0:
        raise ValueError("has a { without its }")
    return texts, at, ""


def _expand_choice(glob: str, start: int, depth: int) -> tuple[list[str], int]:
    texts: list[str] = []
    end = ","
    while end == ",":
        alternatives, start, end = _expand(glob, start, depth)
        texts += alternatives
        if len(texts) > _ALTERNATIVES_MAX:
            raise ValueError(f"expands to more than {_ALTERNATIVES_MAX} alternatives")
    return texts, start

"""Globs of routes, as the service reads them. Source: docs/concepts/boundaries.md.

Own code, because packages accept ambiguous globs and compile to expressions that backtrack.
"""

import re
from dataclasses import dataclass
from functools import reduce

_CHARACTERS_MAX = 512
_ALTERNATIVES_MAX = 64
_DEPTH_MAX = 8


@dataclass(frozen=True)
class Character:
    """One character except a slash: within one of the ranges, or outside all of them."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def matches(self, character: str) -> bool:
        """Whether it matches this character."""
        return any(low <= character <= high for low, high in self.ranges) != self.negated


@dataclass(frozen=True)
class Choice:
    """The alternatives of a brace."""

    alternatives: tuple["Items", ...]


_ANY = Character((), negated=True)
#: One or more characters of a segment; two in a row are a whole segment `**`, which is any number of segments.
_STAR = None
#: A literal is a text of one character.
Item = str | Character | Choice | None
Items = tuple[Item, ...]


def parse_glob(glob: str) -> Items:
    """Parses a glob.

    `*` matches one or more characters within a segment, `**` any number of segments, `?` one character, `{a,b}` either
    alternative, and `[ab]`, `[a-z]` or `[!a]` one character of a class. Raises ValueError for anything ambiguous.
    """
    if not 0 < len(glob) <= _CHARACTERS_MAX:
        raise ValueError(f"a glob has 1 to {_CHARACTERS_MAX} characters")
    if re.search(r"[\x00-\x1f\x7f-\x9f\\\ud800-\udfff]", glob):
        raise ValueError("contains a backslash or a control character; write a literal * as [*]")
    items, _, end, _ = _read_sequence(glob, 0, 0)
    if end < len(glob):
        raise ValueError("has a } without its {")
    _follow_stars(items, frozenset({_START}))
    return items


class Texts:
    """Texts, each between two slashes, as sets of positions: bit n stands for the position before the n-th character.

    With the added slashes, every segment begins after a slash and ends before one. Nothing matches across two texts.
    """

    def __init__(self, texts: list[str]) -> None:
        places: dict[str, list[int]] = {}
        starts, ends = [], []
        at = 0
        for text in texts:
            starts.append(at + 1)
            for at, character in enumerate(f"/{text}/", at):
                places.setdefault(character, []).append(at)
            ends.append(at)
            # One position is left between two texts.
            at += 2
        self.starts, self.ends = _set_of(starts), _set_of(ends)
        self._characters = {character: _set_of(positions) for character, positions in places.items()}
        self._classes: dict[Character, int] = {}
        self.slashes = self._characters.get("/", 0)
        self.others = reduce(int.__or__, self._characters.values(), 0) ^ self.slashes

    def find(self, item: str | Character) -> int:
        """The positions before characters that an item matches."""
        if isinstance(item, str):
            return self._characters.get(item, 0)
        if item not in self._classes:
            found = (places for character, places in self._characters.items() if item.matches(character))
            self._classes[item] = reduce(int.__or__, found, 0) & self.others
        return self._classes[item]


def matches(items: Items, texts: Texts) -> bool:
    """Whether a glob matches one of the texts.

    All ways to match are followed at once, as a set of positions that each item advances. So an item costs a few operations
    on a set, whatever the other items are, and alternatives cost no more than what is written in them.
    """
    reached, starred = _advance_all(items, texts.starts, 0, texts)
    return (reached | _pass_star(starred, texts)) & texts.ends != 0


def _advance_all(items: Items, reached: int, starred: int, texts: Texts) -> tuple[int, int]:
    """The positions reached, and those before a star that is not passed yet, because it may be the first of `**`."""
    for item in items:
        if item is _STAR:
            reached, starred = _pass_segments(starred, texts), reached
        elif isinstance(item, Choice):
            ends = [_advance_all(each, reached, starred, texts) for each in item.alternatives]
            reached, starred = (reduce(int.__or__, sets) for sets in zip(*ends, strict=True))
        else:
            reached = ((reached | _pass_star(starred, texts)) & texts.find(item)) << 1
            starred = 0
        if not reached and not starred:
            break
    return reached, starred


def _pass_star(before: int, texts: Texts) -> int:
    """The positions after one or more characters of the same segment."""
    return _run_through(texts.others, before & texts.others) << 1


def _pass_segments(before: int, texts: Texts) -> int:
    """The ends of segments from the one before each of these positions, because `**` may also match no segment."""
    last = before >> 1
    inside = (texts.slashes | texts.others) ^ texts.ends
    return (last | _run_through(inside, last & inside) << 1) & texts.slashes


def _run_through(positions: int, start: int) -> int:
    """Extends positions through the consecutive positions of a set: a carry runs through them all in one addition."""
    return (positions & ~(positions + start)) | start


def _set_of(positions: list[int]) -> int:
    digits = bytearray(positions[-1] // 8 + 1 if positions else 0)
    for at in positions:
        digits[at // 8] |= 1 << at % 8
    return int.from_bytes(digits, "little")


def _read_sequence(glob: str, start: int, depth: int) -> tuple[Items, int, int, str]:
    """Reads the items of a sequence: also how many combinations of alternatives it has, where it ends, and what ended it."""
    if depth > _DEPTH_MAX:
        raise ValueError(f"nests braces deeper than {_DEPTH_MAX} levels")
    items: list[Item] = []
    count, at = 1, start
    while at < len(glob):
        character = glob[at]
        if character == "}" or (depth > 0 and character == ","):
            return tuple(items), count, at + 1 if depth > 0 else at, character
        if character == "{":
            choice, choices, at = _read_choice(glob, at + 1, depth + 1)
            items.append(choice)
            count *= choices
            if count > _ALTERNATIVES_MAX:
                raise _too_many()
            continue
        close = glob.find("]", at + 2) if character == "[" else at
        end = len(glob) if close < 0 else close + 1
        items.append(_read_item(glob[at:end], close >= 0))
        at = end
    if depth > 0:
        raise ValueError("has a { without its }")
    return tuple(items), count, at, ""


def _read_choice(glob: str, start: int, depth: int) -> tuple[Choice, int, int]:
    alternatives: list[Items] = []
    count = 0
    end = ","
    while end == ",":
        items, combinations, start, end = _read_sequence(glob, start, depth)
        alternatives.append(items)
        count += combinations
        if count > _ALTERNATIVES_MAX:
            raise _too_many()
    return Choice(tuple(alternatives)), count, start


def _too_many() -> ValueError:
    return ValueError(f"expands to more than {_ALTERNATIVES_MAX} alternatives")


def _read_item(text: str, is_closed: bool) -> Item:
    """Braces inside brackets are literal; a slash is not, because a class matches within a segment."""
    if text == "*":
        return _STAR
    if text == "?":
        return _ANY
    if text[0] != "[":
        return text
    if not is_closed or "/" in text:
        raise ValueError("has a [ without its ]")
    return _parse_class(text[1:-1])


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


_START, _OTHER, _STAR_AT_START, _WHOLE_STARS, _STAR_AFTER_OTHER = range(5)


def _follow_stars(items: Items, before: frozenset[int]) -> frozenset[int]:
    """What may stand before whatever follows the items. Alternatives end differently: `{*,a}*` has both `**` and `a*`."""
    for item in items:
        if isinstance(item, Choice):
            before = frozenset().union(*(_follow_stars(each, before) for each in item.alternatives))
        elif item == "/":
            before = frozenset({_START})
        elif _WHOLE_STARS in before or (item is _STAR and _STAR_AFTER_OTHER in before):
            raise ValueError("has ** next to other characters; it must be a whole segment")
        else:
            before = frozenset(_AFTER_STAR[each] if item is _STAR else _OTHER for each in before)
    return before


_AFTER_STAR = {_START: _STAR_AT_START, _OTHER: _STAR_AFTER_OTHER, _STAR_AT_START: _WHOLE_STARS}

"""Readings of a path: routers are more lenient than globs, so a route matches every path that one of them may route to it."""

import re
from collections.abc import Callable

from .glob import Items, Texts, matches, parse_glob

_ROUNDS_MAX = 4
#: Of all readings together. Only a path made to have many long readings exceeds it.
_READING_CHARS_MAX = 32_768
_ENCODED = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_ENCODED_WITHIN_SEGMENTS = re.compile(r"(?:%(?!2[fF])[0-9a-fA-F]{2})+")
_TRAVERSAL = re.compile(r"[\x00-\x1f\\\x7f-\x9f]|(?:^|/)\.\.?(?:[/;?#]|\Z)")
#: As browsers and Node see it.
_WHITE = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_EXTRAORDINARY = re.compile(r"[A-Z%:;?# \u0080-\U0010ffff]|//|./\Z", re.DOTALL)


def decode_resource(resource: str) -> str | None:
    """Percent-decodes a resource; None when its meaning is ambiguous: encoded too often, or with dot segments."""
    decoded = _decode(resource, _ENCODED)
    return None if decoded is None or _TRAVERSAL.search(decoded) else decoded


class Readings:
    """A resource as sent and decoded, and the paths to which a lenient router may route it."""

    def __init__(self, resource: str, plain: str, folded: set[str]) -> None:
        literal = {resource, plain}
        self.literal = Texts(list(literal))
        self.folded = self.literal if folded == literal else Texts(list(folded))


def read_resource(resource: str) -> Readings | None:
    """Lists the readings of a resource; None when it is ambiguous, or when they are too long together."""
    plain = decode_resource(resource)
    folded = None if plain is None else _list_readings(resource, plain)
    return None if plain is None or folded is None else Readings(resource, plain, folded)


def compile_denied_glob(glob: str) -> Callable[[Readings], bool]:
    """Compiles a glob into a test of whether it matches a resource in any of its readings.

    Raises ValueError for a text that is not a glob.
    """
    literal = parse_glob(glob)
    texts = {_without_trailing_slashes(_fold_case(text)) for text in (glob, _decode_glob(glob))}
    folded = [items for text in texts for items in _parse_or_skip(text)]

    def is_match(readings: Readings) -> bool:
        return matches(literal, readings.literal) or any(matches(items, readings.folded) for items in folded)

    return is_match


def _parse_or_skip(glob: str) -> list[Items]:
    try:
        return [parse_glob(glob)]
    except ValueError:
        return []


def _list_readings(resource: str, plain: str) -> set[str] | None:
    """Every combination of what routers ignore. Encoded slashes, which routers keep, are read both ways."""
    if plain == resource and not _EXTRAORDINARY.search(resource):
        return {resource}
    within = _decode(resource, _ENCODED_WITHIN_SEGMENTS)
    readings = {_fold_case(text) for text in (resource, plain, resource if within is None else within)}
    for ignore in _IGNORED_PARTS:
        readings |= {ignore(reading) or "/" for reading in readings}
        if sum(map(_count_units, readings)) > _READING_CHARS_MAX:
            return None
    return readings


def _count_units(text: str) -> int:
    """The length in UTF-16, by which the service counts characters."""
    return len(text) + sum(character > "\uffff" for character in text)


def _without_trailing_slashes(text: str) -> str:
    return text[:1] + text[1:].rstrip("/")


#: White space around it, the origin of a URL, fragment and query, path parameters, repeated and trailing slashes.
_IGNORED_PARTS: tuple[Callable[[str], str], ...] = (
    lambda text: text.strip(_WHITE),
    lambda text: text.partition("#")[0],
    lambda text: re.split(r"[?#]", text, maxsplit=1)[0],
    # The origin may lack a scheme, as in `//host/path`.
    lambda text: re.sub(r"\A(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", "", text),
    # Browsers accept any number of slashes before a host, older parsers a path without a host.
    lambda text: re.sub(r"\Ahttps?:/*[^/?#]*", "", text),
    lambda text: re.sub(r"\Ahttps?:/?(?!/)", "/", text),
    lambda text: text.partition(";")[0],
    lambda text: re.sub(r";[^/]*", "", text),
    lambda text: re.sub(r"/{2,}", "/", text),
    _without_trailing_slashes,
)


def _fold_case(text: str) -> str:
    """Letter by letter: in a whole text, the lower case of a Greek sigma depends on its position."""
    return "".join(letter.upper().lower() if letter > "\x7f" else letter for letter in text).lower()


def _decode_glob(glob: str) -> str:
    """Unless that would turn a literal character into a wildcard."""
    if re.search(r"%(?:2a|3f|5b|5c|5d|7b|7d)", glob, re.IGNORECASE):
        return glob
    return decode_resource(glob) or glob


def _decode(resource: str, encoded: re.Pattern[str]) -> str | None:
    """Decodes repeatedly, because a server behind a proxy may decode twice.

    A text that is still encoded after four rounds, or whose bytes are not UTF-8, is a disguise: None.
    Source: RFC 3986 §2.1, RFC 3629 §3.
    """
    text = resource
    for _ in range(_ROUNDS_MAX):
        if not encoded.search(text):
            return text
        try:
            text = encoded.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode(), text)
        except UnicodeDecodeError:
            return None
    return None if encoded.search(text) else text

"""`Content-Digest`. Source: RFC 9530."""

import hashlib
import re

from ..encoding import encode_base64

_KEY = r"[a-z*][a-z0-9_.*-]*"
#: The value of a parameter: a text, bytes, a boolean, a number or date, or a token.
_VALUE = (
    r"\"(?:[ !#-\[\]-~]|\\[\"\\])*\"|:[A-Za-z0-9+/=]*:|\?[01]"
    r"|@?-?[0-9]+(?:\.[0-9]+)?|[A-Za-z*][!#-'*+.^_\x60|~0-9A-Za-z:/-]*"
)
#: One member with what follows it. Parameters are allowed and say nothing.
_MEMBER = re.compile(
    rf"[ \t]*({_KEY})=:([A-Za-z0-9+/]*={{0,2}}):(?:; *{_KEY}(?:=(?:{_VALUE}))?)*[ \t]*(,|\Z)"
)
_ALGORITHMS = {"sha-256": hashlib.sha256, "sha-512": hashlib.sha512}


def compute_content_digest(body: bytes) -> str:
    """Returns `Content-Digest` for the bytes of a body."""
    return f"sha-256=:{encode_base64(hashlib.sha256(body).digest())}:"


def is_digest_of(header: str, body: bytes) -> bool | None:
    """Every digest that can be computed must be right, and at least one; None if the header states none of them.

    Parameters of members are ignored. An algorithm that is named twice is refused, although a structured field allows it: it
    must not depend on the reader which digest counts.
    """
    stated: dict[str, str] = {}
    at = 0
    while True:
        found = _MEMBER.match(header, at)
        if found is None or found[1] in stated:
            return None
        stated[found[1]] = found[2]
        at = found.end()
        if not found[3]:
            break
    known = [(algorithm, digest) for algorithm, digest in stated.items() if algorithm in _ALGORITHMS]
    right = [encode_base64(_ALGORITHMS[algorithm](body).digest()) == digest for algorithm, digest in known]
    return all(right) if right else None

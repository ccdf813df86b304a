"""`Content-Digest`. Source: RFC 9530."""

import hashlib
import re

from ..encoding import encode_base64

_MEMBER = re.compile(r"([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):")
_ALGORITHMS = {"sha-256": hashlib.sha256, "sha-512": hashlib.sha512}


def compute_content_digest(body: bytes) -> str:
    """Returns `Content-Digest` for the bytes of a body."""
    return f"sha-256=:{encode_base64(hashlib.sha256(body).digest())}:"


def is_digest_of(header: str, body: bytes) -> bool:
    """Every digest that can be computed must be right, and at least one.

    An algorithm that is named twice, or a member with parameters, is refused, although a structured field allows both: it
    must not depend on the reader which digest counts.
    """
    stated: dict[str, str] = {}
    for member in header.split(","):
        found = _MEMBER.fullmatch(member.strip())
        if found is None or found[1] in stated:
            return False
        stated[found[1]] = found[2]
    known = [(algorithm, digest) for algorithm, digest in stated.items() if algorithm in _ALGORITHMS]
    right = [encode_base64(_ALGORITHMS[algorithm](body).digest()) == digest for algorithm, digest in known]
    return len(right) > 0 and all(right)

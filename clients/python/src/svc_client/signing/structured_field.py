"""Values of structured fields. Source: RFC 9651 §4.1."""

import re

from ..encoding import encode_base64


def write_string(text: str) -> str:
    """Writes a String. Raises ValueError for a character that it cannot contain: anything but printable ASCII."""
    if re.fullmatch(r"[\x20-\x7e]*", text) is None:
        raise ValueError("structured field: not printable ASCII")
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def write_bytes(data: bytes) -> str:
    """Writes a Byte Sequence."""
    return f":{encode_base64(data)}:"


def join_member(header: str | None, key: str, value: str) -> str:
    """Adds a member to a header that is a Dictionary, beside those of other signers.

    Raises ValueError for a key that a Dictionary cannot have, or that the header has already.
    """
    if re.fullmatch(r"[a-z*][a-z0-9_.*-]*", key) is None:
        raise ValueError(f"structured field: {key} is not a key")
    if header is None:
        return f"{key}={value}"
    if re.search(rf"(?:^|,)\s*{re.escape(key)}=", header):
        raise ValueError(f"the request already has a signature {key}")
    return f"{header}, {key}={value}"

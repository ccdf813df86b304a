"""Compact JWS. Source: RFC 7515."""

import json
from dataclasses import dataclass
from typing import Any

from ..encoding import decode_base64url

#: There is no `none` and no HMAC: a public key must never pass as a secret.
_ALGORITHMS = ("EdDSA", "Ed25519", "ES256", "ES256K", "ES384", "RS256", "PS256")
_CHARACTERS_MAX = 32_768
_DEPTH_MAX = 16


@dataclass(frozen=True)
class CompactJws:
    """Parsed but not verified."""

    header: dict[str, Any]
    payload: dict[str, Any]
    #: The bytes that are signed.
    signing_input: bytes
    signature: bytes


def parse_compact_jws(text: object) -> CompactJws | None:
    """Parses a compact JWS whose payload is a JSON object, without verifying it; None for anything else.

    Each token has only one accepted spelling. A header with critical extensions (`crit`) or an unencoded payload (`b64`) is
    refused, and keys in the header or referenced by it are ignored. Source: RFC 7515 §3.1, §4.1.11; RFC 8725 §3.1.
    """
    if not isinstance(text, str) or len(text) > _CHARACTERS_MAX:
        return None
    parts = text.split(".")
    if len(parts) != 3 or parts[2] == "":
        return None
    header, payload, signature = _read_object(parts[0]), _read_object(parts[1]), decode_base64url(parts[2])
    if header is None or payload is None or signature is None or "crit" in header or "b64" in header:
        return None
    if header.get("alg") not in _ALGORITHMS:
        return None
    return CompactJws(header, payload, f"{parts[0]}.{parts[1]}".encode(), signature)


def _read_object(part: str) -> dict[str, Any] | None:
    data = decode_base64url(part)
    if data is None:
        return None
    try:
        value = json.loads(data.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not _is_deeper_than(value, _DEPTH_MAX) else None


def _refuse(name: str) -> None:
    """JSON has neither NaN nor Infinity."""
    raise ValueError(name)


def _is_deeper_than(value: object, levels: int) -> bool:
    pending: list[tuple[object, int]] = [(value, 0)]
    while pending:
        at, depth = pending.pop()
        members = list(at.values()) if isinstance(at, dict) else at if isinstance(at, list) else []
        if members and depth >= levels:
            return True
        pending.extend((member, depth + 1) for member in members)
    return False

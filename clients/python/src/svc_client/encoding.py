"""Encodes bytes as text: base64 and base64url, each with one accepted spelling."""

import base64
import re
import secrets

_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


def encode_base64(data: bytes) -> str:
    """Source: RFC 4648 §4."""
    return base64.b64encode(data).decode("ascii")


def encode_base64url(data: bytes) -> str:
    """Without padding. Source: RFC 7515 §2."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_base64url(text: str) -> bytes | None:
    """Returns None for a text that no encoder would produce."""
    if _BASE64URL.fullmatch(text) is None or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if encode_base64url(data) == text else None


def create_nonce() -> str:
    """Creates a random value that is used once, in signatures and intent proofs: 22 characters."""
    return encode_base64url(secrets.token_bytes(16))

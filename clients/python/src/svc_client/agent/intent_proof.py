"""Intent proofs: what an agent commits to, signed. Source: RFC 7515; docs/agents.md."""

import json
import math
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from ..encoding import create_nonce, encode_base64url
from ..signing.content_digest import compute_content_digest
from .agent_key import AgentSigner

INTENT_TYPE = "svc-intent+jwt"
#: The longest time from `iat` to `exp`.
INTENT_SECONDS_MAX = 60
_JWS_ALGORITHMS = {"ed25519": "EdDSA", "ecdsa-p256-sha256": "ES256"}
_MONEY_MAX = 1e15
_SESSION_SECONDS_MAX = 31_536_000
_POLICY_NAME = re.compile(r"[A-Za-z0-9_-]+(?:[.:][A-Za-z0-9_-]+)?")
_DECIMAL = re.compile(r"\d{1,16}(?:\.\d{1,30})?", re.ASCII)
_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def create_intent_proof(
    signer: AgentSigner,
    *,
    agent_id: str,
    audience: str,
    purpose: str | None = None,
    action: str | None = None,
    resource: str | None = None,
    amount: int | float | str | None = None,
    currency: str | None = None,
    session_duration: int | None = None,
    attempt_id: str | None = None,
    body: bytes | None = None,
    lifetime_seconds: int = INTENT_SECONDS_MAX,
    now: Callable[[], float] = time.time,
    new_nonce: Callable[[], str] = create_nonce,
) -> str:
    """Creates an intent proof, which the agent presents on any transport (`X-Svc-Proof`). It can be used once.

    `audience` is the counterparty: its endpoint, `SVCE-…`, or its origin. `amount` as a text holds what a float cannot;
    `session_duration` is in seconds; `body` is the body of the request, whose hash is stated.

    A request that the counterparty reports with other facts is denied, so state only facts that it reports as well.
    Raises ValueError for an Ethereum account, and if a fact is invalid.
    """
    if signer.algorithm is None:
        raise ValueError("an intent proof needs an Ed25519 or P-256 key")
    issued = int(now())
    stated = {
        "iss": agent_id,
        "aud": audience,
        "iat": issued,
        "exp": issued + int(lifetime_seconds),
        "jti": new_nonce(),
        "purpose": purpose,
        "action": action,
        "resource": resource,
        "amount": amount,
        "currency": currency,
        "sessionDuration": session_duration,
        "attemptId": attempt_id,
        "bodyHash": None if body is None else compute_content_digest(body),
    }
    claims = {name: value for name, value in stated.items() if value is not None}
    invalid = [_OPTIONS.get(name, name) for name, value in claims.items() if not _is_valid(name, value)]
    if not 1 <= lifetime_seconds <= INTENT_SECONDS_MAX:
        invalid.append("lifetime_seconds")
    if invalid:
        raise ValueError(f"the intent is invalid: {', '.join(invalid)}")
    header = {"typ": INTENT_TYPE, "alg": _JWS_ALGORITHMS[signer.algorithm], "kid": signer.keyid}
    text = f"{_encode(header)}.{_encode(claims)}"
    return f"{text}.{encode_base64url(signer.sign(text.encode()))}"


#: Names of options that differ from those of their claims.
_OPTIONS = {
    "iss": "agent_id",
    "aud": "audience",
    "sessionDuration": "session_duration",
    "attemptId": "attempt_id",
}


def _encode(part: dict[str, Any]) -> str:
    return encode_base64url(json.dumps(part, separators=(",", ":"), ensure_ascii=False).encode())


def _is_valid(claim: str, value: Any) -> bool:
    match claim:
        case "iss":
            return isinstance(value, str) and re.fullmatch(r"SVC-[0-9A-Za-z]{22}", value) is not None
        case "aud":
            return isinstance(value, str) and _is_audience(value)
        case "jti":
            return isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]{16,128}", value) is not None
        case "purpose" | "action":
            return isinstance(value, str) and len(value) <= 200 and _POLICY_NAME.fullmatch(value) is not None
        case "resource":
            return isinstance(value, str) and 0 < len(value) <= 2048
        case "amount":
            return _is_amount(value)
        case "currency":
            return isinstance(value, str) and re.fullmatch(r"[A-Za-z]{3,10}", value) is not None
        case "sessionDuration":
            return (
                isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _SESSION_SECONDS_MAX
            )
        case "attemptId":
            return isinstance(value, str) and _GUID.fullmatch(value) is not None
        case _:
            return True


def _is_audience(value: str) -> bool:
    if re.fullmatch(r"SVCE-[0-9A-Za-z]{22}", value):
        return True
    try:
        parts = urlsplit(value)
        default = {"http": 80, "https": 443}.get(parts.scheme)
        is_plain = parts.port != default and "@" not in parts.netloc and parts.netloc == parts.netloc.lower()
    except ValueError:
        return False
    return (
        default is not None
        and bool(parts.hostname)
        and is_plain
        and value == f"{parts.scheme}://{parts.netloc}"
    )


def _is_amount(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, str):
        return _DECIMAL.fullmatch(value) is not None and float(value) <= _MONEY_MAX
    return isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= _MONEY_MAX

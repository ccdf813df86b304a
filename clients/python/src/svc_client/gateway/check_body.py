"""Compares the body of a request with what its proofs state. Source: RFC 9530 §2; RFC 9421 §7.2.8."""

import json
from dataclasses import dataclass

from ..agent.presented_identity import read_presented_identity
from ..encoding import decode_base64url
from ..signing.content_digest import compute_content_digest, is_digest_of
from .refusal import Refusal, refuse_body_too_long, refuse_digest_mismatch
from .request_facts import RequestFacts

#: Handed over for a body whose digest is not known, so that no proof without a digest of the body counts for it.
_UNKNOWN_DIGEST = "unknown"


@dataclass(frozen=True)
class CheckedBody:
    """The digest to hand over, or why the request is refused without asking the service."""

    content_digest: str | None = None
    refusal: Refusal | None = None
    is_consumed: bool = False


def check_body(facts: RequestFacts) -> CheckedBody:
    """Compares the body with the `Content-Digest` that a signature covers and with the hash that an intent proof states.

    The digest to hand over is the header if a signature covers it. Otherwise it is computed, so that the service refuses a
    signature that leaves the body open. A body that nobody can read has no digest: a signature that covers it cannot be
    verified, and neither another signature nor an intent proof may count for it.
    """
    headers, body, lists = facts.headers, facts.body, facts.covered
    if body is None:
        return CheckedBody()
    presented = read_presented_identity(facts.metadata or {}).get("intentProof")
    proof = presented or headers.get("x-svc-proof")
    if "signature" not in headers and not proof:
        return CheckedBody()
    covering = [names for names in lists if "content-digest" in names]
    if isinstance(body, str):
        if body == "too_long" and covering:
            return CheckedBody(refusal=refuse_body_too_long())
        # Anyone on the way can add a signature, so one that covers the body says nothing about the others.
        is_open = len(covering) < len(lists) or not lists or proof is not None
        return CheckedBody(_UNKNOWN_DIGEST if is_open else None, is_consumed=body == "consumed")
    digest = headers.get("content-digest") if covering else None
    if digest is not None and not (is_right := is_digest_of(digest, body)):
        return CheckedBody(refusal=refuse_digest_mismatch("unreadable" if is_right is None else "signature"))
    body_hash = _read_body_hash(proof)
    if body_hash is not None and not is_digest_of(body_hash, body):
        return CheckedBody(refusal=refuse_digest_mismatch("proof"))
    if digest is not None:
        return CheckedBody(digest)
    return CheckedBody(compute_content_digest(body) if body else None)


def _read_body_hash(proof: str | None) -> str | None:
    """Reads the hash in an intent proof. The service verifies the proof, and refuses one that cannot be read."""
    parts = (proof or "").split(".")
    payload = decode_base64url(parts[1].rstrip("=")) if len(parts) > 1 else None
    try:
        claims = json.loads(payload or b"")
    except (ValueError, RecursionError):
        return None
    stated = claims.get("bodyHash") if isinstance(claims, dict) else None
    return stated if isinstance(stated, str) else None

"""The claims of a receipt. Source: RFC 7519 §4.1; docs/receipts.md."""

from collections.abc import Mapping
from typing import Any

RECOMMENDATIONS = ("grant", "deny", "step_up_required", "audit")
ACCESS_LEVELS = ("none", "restricted", "read-only", "standard", "full", "internal")
IDENTITY_PROOFS = ("none", "challenge", "token", "signature")

_REQUIRED_TEXTS = ("iss", "sub", "aud", "jti")
_OPTIONAL_TEXTS = ("purpose", "action", "resource", "currency", "sessionId")


def is_receipt(payload: Mapping[str, Any]) -> bool:
    """Whether a payload is that of a receipt. Unknown members are ignored."""
    texts = [payload.get(name) for name in _REQUIRED_TEXTS]
    texts += [payload[name] for name in _OPTIONAL_TEXTS if name in payload]
    return (
        all(_is_text(text) for text in texts)
        and payload.get("recommendation") in RECOMMENDATIONS
        and payload.get("accessLevel") in ACCESS_LEVELS
        and payload.get("identityProof") in IDENTITY_PROOFS
        and all(_is_whole(payload.get(name)) for name in ("iat", "exp"))
        and ("value" not in payload or _is_amount(payload["value"]))
        and ("cnf" not in payload or _is_confirmation(payload["cnf"]))
        and ("status" not in payload or _is_status(payload["status"]))
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_whole(value: object) -> bool:
    """Compared first: an integer may be too large for a float, and a float may be infinite or no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= 2**53 - 1 and value == int(value)


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_confirmation(value: object) -> bool:
    return isinstance(value, dict) and _is_text(value.get("jkt"))


def _is_status(value: object) -> bool:
    reference = value.get("status_list") if isinstance(value, dict) else None
    return isinstance(reference, dict) and _is_whole(reference.get("idx")) and _is_text(reference.get("uri"))

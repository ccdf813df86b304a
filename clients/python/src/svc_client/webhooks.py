"""Webhooks of the service. Source: Spec: Authentication 11; docs/webhooks.md."""

import hashlib
import hmac
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

TOLERANCE_SECONDS_DEFAULT = 300
_SIGNATURES_MAX = 16

#: Why a webhook is rejected, in the order of the checks. `missing_secret` is a mistake in the receiver's configuration.
WebhookFault = Literal[
    "missing_secret",
    "missing_body",
    "missing_header",
    "malformed_header",
    "signature_mismatch",
    "timestamp_out_of_tolerance",
]


@dataclass(frozen=True)
class WebhookVerdict:
    """Whether a webhook comes from the service, and if not, why."""

    ok: bool
    reason: WebhookFault | None

    def __bool__(self) -> bool:
        return self.ok


def verify_webhook(
    raw_body: bytes | str | None,
    headers: Mapping[str, str],
    secret: str | Sequence[str] | None,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS_DEFAULT,
    now: float | None = None,
) -> WebhookVerdict:
    """Checks whether a webhook was signed with the endpoint's secret, and recently. Respond with 401 if it was not.

    `raw_body` is the body as received, before any parsing; `secret` the endpoint's `whsec_…`, or both secrets during a
    rotation; `now` in Unix seconds. One valid signature is enough if there are several, because a rotated secret keeps
    signing for a while. Signatures are compared in constant time. Never raises.
    """
    secrets = [one for one in ([secret] if isinstance(secret, str) else (secret or ())) if one]
    if not secrets:
        return _reject("missing_secret")
    if not isinstance(raw_body, bytes | bytearray | str):
        return _reject("missing_body")
    body = raw_body.encode("utf-8", "replace") if isinstance(raw_body, str) else bytes(raw_body)
    header = next((value for name, value in headers.items() if name.lower() == "x-svc-signature"), "")
    if not header:
        return _reject("missing_header")
    parts = [part.strip() for part in header.split(",")]
    timestamp = next((part[2:] for part in parts if re.fullmatch(r"t=[0-9]{1,12}", part)), None)
    signatures = [part[3:] for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)][:_SIGNATURES_MAX]
    if timestamp is None or not signatures:
        return _reject("malformed_header")
    expected = [
        hmac.new(one.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest() for one in secrets
    ]
    if not any([hmac.compare_digest(digest, signature) for digest in expected for signature in signatures]):
        return _reject("signature_mismatch")
    is_recent = abs((time.time() if now is None else now) - int(timestamp)) <= tolerance_seconds
    return WebhookVerdict(True, None) if is_recent else _reject("timestamp_out_of_tolerance")


def _reject(reason: WebhookFault) -> WebhookVerdict:
    return WebhookVerdict(False, reason)

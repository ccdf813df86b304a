"""The responses with which a gateway refuses requests. Source: Spec: Verification response; Spec: Step-up approval object."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..http.errors import SvcApiError
from ..verify_client import VerificationAnswer

#: Seconds after which an agent may send a held request again.
_RESEND_AFTER_SECONDS = 5
_RETRY_AFTER_SECONDS_DEFAULT = 5
#: Message and guidance for a digest that is another one, or that cannot be compared.
_DIGEST_TEXTS = {
    "signature": (
        "The body does not match the Content-Digest that was signed.",
        "Sign the bytes that are sent.",
    ),
    "unreadable": (
        "The Content-Digest that was signed states no digest that can be compared with the body.",
        "Send sha-256=:…:, the SHA-256 of the bytes that are sent, in base64 (RFC 9530).",
    ),
    "proof": (
        "The body does not match the bodyHash of the intent proof.",
        "State sha-256=:…:, the SHA-256 of the bytes that are sent, in base64, or no bodyHash.",
    ),
}


@dataclass(frozen=True)
class Refusal:
    """The response to a refused request."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def content(self) -> bytes:
        """The body as JSON."""
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":")).encode()


def refuse_denied(answer: VerificationAnswer) -> Refusal:
    """403: names the failed dimensions, and where callers without an identity can get one."""
    access = answer["access"]
    members = _pick(
        answer, "recommendation", "recommendationReasons", "advisory", "sessionId", "correlationId"
    )
    return _build(403, "access_denied", access.get("reason", ""), {**members, **_pick(access, "failures")})


def refuse_held(answer: VerificationAnswer) -> Refusal:
    """202: received but not carried out; the agent sends it again with `X-Svc-Attempt-Id` once the owner has approved."""
    approval = answer.get("stepUpApproval") or {}
    members = {
        **_pick(answer, "recommendation", "recommendationReasons"),
        **_pick(answer["access"], "failures"),
        "stepUpApproval": _pick(
            approval, "approvalId", "pollUrl", "approvalUrl", "expiresAt", "status", "attemptId"
        ),
    }
    message = "The agent’s owner must approve this request; send it again with X-Svc-Attempt-Id."
    return _build(202, "step_up_required", message, members, {"Retry-After": str(_RESEND_AFTER_SECONDS)})


def refuse_level_too_low(answer: VerificationAnswer) -> Refusal:
    """403: the route requires a higher access level."""
    level = answer["access"]["accessLevel"]
    message = f"The access level {level} is too low for this route."
    return _build(403, "access_level_too_low", message, {"accessLevel": level})


def refuse_proof_too_weak(answer: VerificationAnswer, min_identity_proof: str) -> Refusal:
    """403: the route requires a stronger proof."""
    token = "" if min_identity_proof == "signature" else ", or an agent token in X-Svc-Token"
    guidance = (
        "Sign the request with a key of the agent (RFC 9421), or present an intent proof in X-Svc-Proof"
    )
    members = {
        "identityProof": answer.get("identityProof", "none"),
        "minIdentityProof": min_identity_proof,
        "guidance": f"{guidance}{token}.",
    }
    return _build(
        403, "identity_proof_too_weak", "This route requires a stronger proof of identity.", members
    )


def refuse_agent_mismatch() -> Refusal:
    """400: headers and metadata name different agents."""
    message = "The headers and the metadata of the request name different agents."
    return _build(400, "agent_mismatch", message, {"guidance": "Send one X-Svc-Id, or the same in both."})


def refuse_digest_mismatch(fault: Literal["signature", "unreadable", "proof"]) -> Refusal:
    """403: the body is not the signed one, or the signed digest cannot be compared with it."""
    message, guidance = _DIGEST_TEXTS[fault]
    return _build(403, "content_digest_mismatch", message, {"guidance": guidance})


def refuse_body_too_long() -> Refusal:
    """413: the body cannot be compared with the signed digest."""
    return _build(
        413, "content_digest_unverifiable", "The body is too long to be compared with its Content-Digest.", {}
    )


def refuse_unread(unread: Literal["too_long", "consumed"]) -> Refusal:
    """413 or 400: the body, which says what is requested, was not read whole."""
    if unread == "too_long":
        return _build(413, "body_too_long", "The body is too long to be checked.", {})
    return _build(
        400, "body_unreadable", "The body cannot be read; send it whole, with a Content-Length.", {}
    )


def refuse_fragment() -> Refusal:
    """400: the target of a request has no fragment."""
    return _build(400, "invalid_target", "The target of the request contains a fragment (#).", {})


def refuse_other_host() -> Refusal:
    """400: the target is a URL with another host than the `Host` header, or with a user."""
    message = "The target of the request does not name the host of its Host header, or names a user."
    return _build(400, "invalid_target", message, {})


def refuse_failed(error: BaseException) -> Refusal:
    """Without a decision: 400 or 409 if the caller's own headers were at fault, otherwise 503 without the cause."""
    if isinstance(error, SvcApiError):
        if error.code == "VALIDATION_ERROR" and not _is_host_fault(error):
            return _build(400, error.code, error.message, {"errors": list(error.errors)})
        if error.code == "ATTEMPT_MISMATCH":
            return _build(409, error.code, error.message, {})
    asked = error.retry_after_seconds if isinstance(error, SvcApiError) else None
    headers = {"Retry-After": str(asked or _RETRY_AFTER_SECONDS_DEFAULT)}
    message = "The request could not be verified; try again later."
    return _build(503, "verification_unavailable", message, {}, headers)


def _is_host_fault(error: SvcApiError) -> bool:
    """The host names the counterparty, never its caller."""
    pointers = [str(field["pointer"]) for field in error.errors]
    return any(pointer == "" or pointer.startswith("/counterparty") for pointer in pointers)


def _pick(value: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value[name] for name in names if name in value}


def _build(
    status: int, code: str, message: str, members: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> Refusal:
    all_headers = {"Content-Type": "application/json; charset=utf-8", **(headers or {})}
    return Refusal(
        status, all_headers, {"success": False, "error": code, "code": code, "message": message, **members}
    )

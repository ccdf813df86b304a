"""The decision on one request, as steps for a blocking or an asynchronous gateway."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from ..http.check_number import check_number
from ..http.errors import SvcApiError, is_unavailable
from ..http.sender import TIMEOUT_SECONDS_MAX
from ..http.steps import Steps
from ..verify_client import VerificationAnswer, VerifyCalls
from .check_body import check_body
from .hold_step_up import hold_step_up
from .refusal import (
    Refusal,
    refuse_denied,
    refuse_failed,
    refuse_held,
    refuse_level_too_low,
    refuse_proof_too_weak,
)
from .request_facts import BODY_BYTES_MAX, RequestFacts
from .route_gate import RouteGates
from .session_tokens import SessionToken, find_session_tokens
from .verification_fields_of import verification_fields_of


@dataclass(frozen=True, kw_only=True)
class Verified:
    """The result of verifying a request. Source: Spec: Client library contract."""

    #: True if the caller is a registered agent and was let in as one.
    verified: bool = False
    #: As decided by the service.
    access_level: str = "none"
    #: What the request proves of the registered agent: `none`, `challenge`, `token` or `signature`.
    identity_proof: str | None = None
    #: The registered agent, or the recognised platform of an anonymous caller, which is the one with an `ial`.
    agent: dict[str, Any] | None = None
    advisory: dict[str, Any] | None = None
    #: The boundary that applied, when the counterparty is the agent's owner.
    pdlss: dict[str, Any] | None = None
    token_guidance: dict[str, Any] | None = None
    recommendation: str | None = None
    #: What the request carries of other systems' sessions; nothing of it is validated.
    session_tokens: list[SessionToken] = field(default_factory=list)
    #: The whole answer, with `sessionId` or `correlationId` and `auditRecordId`; None if there is no decision.
    verification: VerificationAnswer | None = None
    #: For the response: a warning that the service asked for.
    response_headers: dict[str, str] = field(default_factory=dict)


#: The service waits 3 seconds for the answer to a challenge: an agent could let a shorter call end without a decision.
_TIMEOUT_SECONDS_MIN = 4


class GatewayCalls:
    """Decides on requests. `grant` and `audit` pass if they reach the route's access level and identity proof.

    Everything else is refused, including unknown recommendations and every failure to get a decision.

    - `routes`: what routes require; default those that the service stores for `counterparty_id`.
    - `hold_step_up_seconds`: how long a request is held while the agent's owner is asked; with 0 the caller gets 202
      immediately. Held or not, nothing passes before the owner has approved.
    - `when_unavailable`: what happens without a decision: `refuse` fails closed; `pass` lets the request through as
      unverified while the service is unavailable. A used-up rate limit does not make the service unavailable.
      `pass` needs a `timeout_seconds` of at least 4: an agent that answers the challenge of the service slowly must not end
      the call without a decision.
    - `set_pass_through_header`: passes the decision on to the application in `X-Svc-…` headers.
    - `body_bytes_max`: how many bytes of a signed body are read to compare them with `Content-Digest`.

    Raises ValueError at once for an invalid URL, key, number, choice or route, and if neither `counterparty_id` nor
    `counterparty_url` names the counterparty.
    """

    def __init__(
        self,
        *,
        routes: Iterable[Mapping[str, Any]] | None = None,
        hold_step_up_seconds: float = 0,
        when_unavailable: Literal["refuse", "pass"] = "refuse",
        set_pass_through_header: bool = False,
        body_bytes_max: int = BODY_BYTES_MAX,
        **settings: Any,
    ) -> None:
        self.calls = VerifyCalls(**settings)
        if not self.calls.counterparty_id and not self.calls.counterparty_url:
            raise ValueError(
                "pass counterparty_id (SVCE-…) or counterparty_url: one must name the counterparty"
            )
        if not self.calls.counterparty_id and not _is_http_url(self.calls.counterparty_url):
            raise ValueError(f"counterparty_url must be an http(s) URL, got {self.calls.counterparty_url}")
        check_number("hold_step_up_seconds", hold_step_up_seconds, 0, TIMEOUT_SECONDS_MAX)
        check_number("body_bytes_max", body_bytes_max, 0, sys.maxsize)
        if when_unavailable not in ("refuse", "pass"):
            raise ValueError(f"when_unavailable must be refuse or pass, got {when_unavailable}")
        if when_unavailable == "pass" and self.calls.timeout_seconds < _TIMEOUT_SECONDS_MIN:
            raise ValueError(
                f"when_unavailable=pass needs a timeout_seconds of at least {_TIMEOUT_SECONDS_MIN}"
            )
        self._gates = RouteGates(self.calls, routes)
        self._are_routes_given = routes is not None
        self._hold_seconds = hold_step_up_seconds
        self._may_be_open = when_unavailable == "pass"
        self._is_consumption_named = False
        self.set_pass_through_header = set_pass_through_header
        self.body_bytes_max = body_bytes_max

    def verify(self, facts: RequestFacts) -> Steps[Verified | Refusal]:
        """Decides on one request; never raises."""
        try:
            return (yield from self._decide(facts))
        except Exception as error:  # noqa: BLE001 - without a decision, nothing passes
            return self.fail(error)

    def fail(self, error: Exception) -> Verified | Refusal:
        """Handles a request without a decision, for example because its facts could not be read."""
        self.calls.warn(f"a request could not be verified: {self._describe(error)}")
        # Any caller can use up the rate limit, so doing that must not open the gate.
        is_outage = isinstance(error, SvcApiError) and is_unavailable(error) and error.status != 429
        return Verified() if is_outage and self._may_be_open else refuse_failed(error)

    def check_at_start(self) -> Steps[bool]:
        """Whether the service is at `api_base_url` and the key owns `counterparty_id`; warns if not, and never raises."""
        try:
            if self.calls.counterparty_id and self._are_routes_given:
                yield from self.calls.read_routes(self.calls.counterparty_id)
            elif self.calls.counterparty_id:
                yield from self._gates.current()
            if (yield from self.calls.probe()):
                return True
            self.calls.warn(
                f"the check at start failed: verify-access does not respond at {self.calls.base_url}"
            )
        except Exception as error:  # noqa: BLE001 - the service may start later
            self.calls.warn(f"the check at start failed: {self._describe(error)}")
        return False

    def _decide(self, facts: RequestFacts) -> Steps[Verified | Refusal]:
        find_fault = yield from self._gates.current()
        checked = check_body(facts)
        if checked.refusal is not None:
            return checked.refusal
        if checked.is_consumed and not self._is_consumption_named:
            self._is_consumption_named = True
            self.calls.warn(
                "the body of a signed request was consumed before the gateway, and so proves nothing"
            )
        fields = verification_fields_of(facts, checked.content_digest)
        answer = yield from self.calls.verify_access(fields)
        if self._hold_seconds > 0:
            answer = yield from hold_step_up(
                self.calls,
                answer,
                fields,
                hold_seconds=self._hold_seconds,
                is_disconnected=facts.is_disconnected,
            )
        access, recommendation = answer["access"], answer["recommendation"]
        if recommendation == "step_up_required":
            return refuse_held(answer)
        if access["allowed"] is not True or recommendation not in ("grant", "audit"):
            return refuse_denied(answer)
        proof = str(answer.get("identityProof") or "none")
        fault = find_fault(facts.method, facts.path, str(access["accessLevel"]), proof)
        if fault is not None and fault.min_identity_proof is not None:
            return refuse_proof_too_weak(answer, fault.min_identity_proof)
        return _verified_of(answer, facts) if fault is None else refuse_level_too_low(answer)

    def _describe(self, error: Exception) -> str:
        """Describes a failed call to the operator: the service's error code and request id, and the likely cause."""
        if not isinstance(error, SvcApiError):
            return f"{type(error).__name__}: {error}"
        hints = {
            "NETWORK_ERROR": f" Is the service running at {self.calls.base_url}?",
            "UNAUTHENTICATED": " Is api_key correct?",
            "NOT_FOUND": f" Does api_key own {self.calls.counterparty_id}?"
            if self.calls.counterparty_id
            else "",
        }
        request = "" if error.request_id is None else f" (request {error.request_id})"
        return f"{error}{hints.get(error.code, '')}{request}"


def _is_http_url(url: str | None) -> bool:
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _verified_of(answer: VerificationAnswer, facts: RequestFacts) -> Verified:
    warning = answer.get("warningHeader")
    return Verified(
        verified=answer.get("agent") is not None and answer.get("correlationId") is None,
        access_level=answer["access"]["accessLevel"],
        identity_proof=answer.get("identityProof"),
        agent=answer.get("agent"),
        advisory=answer.get("advisory"),
        pdlss=answer["access"].get("appliedPolicy"),
        token_guidance=answer.get("tokenGuidance"),
        recommendation=answer["recommendation"],
        session_tokens=find_session_tokens(facts),
        verification=answer,
        response_headers={} if warning is None else {warning["name"]: warning["value"]},
    )

"""The identity that an agent presents."""

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Presenter:
    """Presents an agent's identity over HTTP, A2A and MCP, which share the names.

    The identifier proves nothing: sign requests, or pass a `proof` with each of them. No value is secret, except a token.
    Source: Spec: Client library contract; Spec: Agent-side request headers.
    """

    #: `SVC-…`
    svc_id: str
    #: URL of the verify-access operation.
    verify_url: str
    #: The agent's own challenge URL.
    challenge_url: str | None = None
    #: URL of the agent's card; the counterparty sees it in its activity.
    agent_card_url: str | None = None
    #: `<category>:<action>`.
    purpose: str | None = None
    #: Longest session.
    duration_seconds: int | None = None
    #: Jurisdiction code.
    jurisdiction: str | None = None
    #: From an earlier answer that required an approval.
    attempt_id: str | None = None
    #: From `create_intent_proof`; can be used once.
    proof: str | None = None
    #: A token for this counterparty. Whoever reads it can use it there until it expires.
    agent_token: str | None = None

    def headers(self, **per_request: Any) -> dict[str, str]:
        """Returns the credentials as headers; arguments replace the members of the same names for this request."""
        presented = replace(self, **per_request)
        duration = presented.duration_seconds
        credentials = {
            "X-Svc-Id": presented.svc_id,
            "X-Svc-Verify": presented.verify_url,
            "X-Svc-Challenge": presented.challenge_url,
            "X-Svc-Agent-Card": presented.agent_card_url,
            "X-Svc-Purpose": presented.purpose,
            "X-Svc-Duration": None if duration is None else str(duration),
            "X-Svc-Scope": presented.jurisdiction,
            "X-Svc-Attempt-Id": presented.attempt_id,
            "X-Svc-Proof": presented.proof,
            "X-Svc-Token": presented.agent_token,
        }
        return {name: value for name, value in credentials.items() if value is not None}

    def a2a_metadata(self, **per_request: Any) -> dict[str, dict[str, str]]:
        """Returns the credentials for `message.metadata` of an A2A request."""
        return {"metadata": self.headers(**per_request)}

    def mcp_meta(self, **per_request: Any) -> dict[str, dict[str, str]]:
        """Returns the credentials for `params` of an MCP request."""
        return {"_meta": self.headers(**per_request)}

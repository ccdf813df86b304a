"""The identity that a request presents."""

import re
from collections.abc import Mapping
from typing import Any

#: What must not be dropped if it cannot be read: without it, another proof, or none, would count in its place.
_PROVING = ("x-svc-id", "x-svc-proof", "x-svc-token", "x-svc-attempt-id")
#: Stands for what cannot be read. No agent, attempt, proof or token is a control character, so the service refuses it.
_UNREADABLE = "\x7f"


def read_presented_identity(block: Mapping[str, Any]) -> dict[str, Any]:
    """Reads an agent's credentials from HTTP headers, an A2A `metadata` block or an MCP `_meta` block.

    Returned are the fields of verify-access, and `agentCardUrl`; what is missing is left out. `X-Svc-Verify` and
    `X-Svc-Challenge` are ignored on purpose: the configuration decides where to verify and the registry where to challenge,
    never the caller. A duration that is not a whole number of seconds is left out. An agent, attempt, proof or token that is
    neither text nor a number, or one of several, is read as a text that the service refuses.
    Source: Spec: Agent-side request headers.
    """
    found = {name.lower(): text for name, value in block.items() if (text := _read_text(name.lower(), value))}
    duration = found.get("x-svc-duration", "")
    presented = {
        "agentId": found.get("x-svc-id"),
        "purpose": found.get("x-svc-purpose"),
        "jurisdiction": found.get("x-svc-scope"),
        "sessionDuration": int(duration) if re.fullmatch(r"[1-9][0-9]{0,8}", duration) else None,
        "attemptId": found.get("x-svc-attempt-id"),
        "agentCardUrl": found.get("x-svc-agent-card"),
        "intentProof": found.get("x-svc-proof"),
        "agentToken": found.get("x-svc-token") or _read_agent_token(found.get("authorization", "")),
    }
    return {name: value for name, value in presented.items() if value is not None}


def _read_agent_token(authorization: str) -> str | None:
    if not re.search(r"(^|,) *AgentToken( |,|$)", authorization, re.IGNORECASE):
        return None
    # Beside another scheme, it is one of several.
    token = re.fullmatch(r"AgentToken +(.+)", authorization, re.IGNORECASE)
    return token[1] if token else _UNREADABLE


def _read_text(name: str, value: object) -> str:
    texts = list(value) if isinstance(value, list | tuple) else [value]
    if name == "authorization" and len(texts) > 1:
        return ", ".join(map(str, texts))
    is_text = len(texts) == 1 and isinstance(texts[0], str | int | float)
    is_readable = is_text and not isinstance(texts[0], bool)
    if name in _PROVING and value is not None and not is_readable:
        return _UNREADABLE
    return first_text(value)


def first_text(value: object) -> str:
    """The text of a value, or of the first in a list; a number as its text; empty for anything else."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    return str(first) if is_number else first if isinstance(first, str) else ""

"""The identity that a request presents."""

import re
from collections.abc import Mapping
from typing import Any


def read_presented_identity(block: Mapping[str, Any]) -> dict[str, Any]:
    """Reads an agent's credentials from HTTP headers, an A2A `metadata` block or an MCP `_meta` block.

    Returned are the fields of verify-access, and `agentCardUrl`; what is missing is left out. `X-Svc-Verify` and
    `X-Svc-Challenge` are ignored on purpose: the configuration decides where to verify and the registry where to challenge,
    never the caller. A duration that is not a whole number of seconds is left out.
    Source: Spec: Agent-side request headers.
    """
    found = {name.lower(): text for name, value in block.items() if (text := first_text(value))}
    duration = found.get("x-svc-duration", "")
    token = re.fullmatch(r"AgentToken +(\S+)", found.get("authorization", ""), re.IGNORECASE)
    presented = {
        "agentId": found.get("x-svc-id"),
        "purpose": found.get("x-svc-purpose"),
        "jurisdiction": found.get("x-svc-scope"),
        "sessionDuration": int(duration) if re.fullmatch(r"[1-9][0-9]{0,8}", duration) else None,
        "attemptId": found.get("x-svc-attempt-id"),
        "agentCardUrl": found.get("x-svc-agent-card"),
        "intentProof": found.get("x-svc-proof"),
        "agentToken": found.get("x-svc-token") or (token[1] if token else None),
    }
    return {name: value for name, value in presented.items() if value is not None}


def first_text(value: object) -> str:
    """The text of a value, or of the first in a list; a number as its text; empty for anything else."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    return str(first) if is_number else first if isinstance(first, str) else ""

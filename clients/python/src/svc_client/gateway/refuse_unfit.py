"""Requests that are refused before anything is asked about them."""

from ..agent.presented_identity import read_presented_identity
from .refusal import Refusal, refuse_agent_mismatch, refuse_fragment, refuse_other_host, refuse_unread
from .request_facts import RequestFacts
from .url_path import contradicts_host


def refuse_unfit(facts: RequestFacts, *, is_described: bool) -> Refusal | None:
    """Returns the refusal of a request of which the application may see something else than what is decided on.

    A target has no fragment: if one is sent, some parsers cut it off, and others take it for a part of the path. A target
    that is a URL has to name the host of the `Host` header, which applications read in its place, and no user. A body that
    the application describes must have been read, because the application itself can still read all of it. Headers and
    metadata that name different agents would let the application take the decision on one for one on the other.

    Source: RFC 9112 §3.2, §3.2.2; RFC 3986 §3.5.
    """
    if "#" in facts.target:
        return refuse_fragment()
    if contradicts_host(facts.target, facts.headers.get("host")):
        return refuse_other_host()
    named = read_presented_identity(facts.metadata or {}).get("agentId")
    if named and facts.headers.get("x-svc-id", named) not in ("", named):
        return refuse_agent_mismatch()
    if is_described and isinstance(facts.body, str):
        return refuse_unread(facts.body)
    return None

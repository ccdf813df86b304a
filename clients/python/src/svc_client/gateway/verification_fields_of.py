"""The fields of verify-access for a request."""

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from ..agent.presented_identity import read_presented_identity
from ..verify_client import defined_of
from .request_facts import RequestFacts

#: The service takes no more headers, and no longer values.
_COVERED_MAX = 40
_CHARACTERS_MAX = 8_192
#: What these carry is a secret of the caller, so the service must not see it.
_SECRET = re.compile(r"authorization|cookie|token|secret|passw|api-?key|credential")
#: Handed over under names of their own.
_HANDED_OVER = ("content-digest", "signature", "signature-input")
#: The newer version first.
_PAYMENT_HEADERS = ("payment-signature", "x-payment")


def verification_fields_of(facts: RequestFacts, content_digest: str | None) -> dict[str, Any]:
    """Returns the fields of verify-access for a request.

    Fields of the application take precedence unless they are None: a missing `resource` must not remove the path, or the
    request would be decided without a resource. So do the members of its `callerMetadata`, one by one: the service needs
    the others to recognise a platform and to verify a signature. `content_digest` comes from `check_body`.

    Source: Spec: Agent-side request headers.
    """
    presented = {**read_presented_identity(facts.headers), **read_presented_identity(facts.metadata or {})}
    caller = _describe_caller(facts, presented.pop("agentCardUrl", None), content_digest)
    stated = defined_of(facts.fields or {})
    more = defined_of(stated.pop("callerMetadata", {}))
    return {**presented, "resource": facts.path, **stated, "callerMetadata": {**caller, **more}}


def _describe_caller(
    facts: RequestFacts, agent_card_url: str | None, content_digest: str | None
) -> dict[str, Any]:
    """What is known of the caller and, if the request has a signature, what that may cover (Web Bot Auth).

    Behind a proxy that terminates TLS, the scheme is correct only if the server trusts the proxy.
    """
    headers, target = facts.headers, facts.target
    caller = {
        "sourceIp": facts.source_ip,
        "userAgent": headers.get("user-agent"),
        "referer": headers.get("referer"),
        "host": headers.get("host"),
        "forwardedFor": headers.get("x-forwarded-for"),
        "agentCardUrl": agent_card_url,
        "contentDigest": content_digest,
    }
    payment = _read_payment(headers)
    # A part alone is handed over, too, because the service refuses it.
    if "signature" not in headers and "signature-input" not in headers:
        return {**payment, **defined_of(caller)}
    url = f"{facts.scheme}://{headers.get('host', '')}{target}" if target.startswith("/") else target
    signed = {
        "signature": headers.get("signature"),
        "signatureInput": headers.get("signature-input"),
        "signatureAgent": headers.get("signature-agent"),
        "method": facts.method,
        "targetUri": url,
    }
    # No header replaces what has a name of its own.
    own = {**caller, **signed}
    covered = {name: value for name, value in _read_covered_headers(facts).items() if name not in own}
    return {**covered, **payment, **defined_of(own)}


def _read_payment(headers: Mapping[str, str]) -> dict[str, str]:
    """The payment of x402 that a request carries, for the service to check. Source: x402 v1 and v2, Transport: HTTP."""
    for name in _PAYMENT_HEADERS:
        value = headers.get(name)
        if value is not None and len(value) <= _CHARACTERS_MAX:
            return {name: value}
    return {}


def _read_covered_headers(facts: RequestFacts) -> dict[str, str]:
    """A header whose name says that it is secret is left out, and so a signature that covers it is denied.

    Signatures take turns, so that one that covers many headers, and may be of a proxy, leaves room for those of another.
    """
    covered: dict[str, str] = {}
    for turn in zip_longest(*(names[:_COVERED_MAX] for names in facts.covered)):
        for name in turn:
            value = None if name is None or name in _HANDED_OVER else facts.headers.get(name)
            if value is not None and len(value) <= _CHARACTERS_MAX and not _SECRET.search(name):
                covered.setdefault(name, value)
                if len(covered) == _COVERED_MAX:
                    return covered
    return covered

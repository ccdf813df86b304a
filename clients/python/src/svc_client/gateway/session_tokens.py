"""Tokens of other systems' sessions that a request carries. Source: Spec: Third-party credentials and session tokens."""

import re
from typing import Any

from .request_facts import RequestFacts

#: A compact SD-JWT, with or without disclosures and a key binding. Source: RFC 9901 §4.
_SD_JWT = re.compile(r"[\w-]+\.[\w-]+\.[\w-]*~(?:[\w-]+~)*(?:[\w-]+\.[\w-]+\.[\w-]*)?", re.ASCII)
#: The webhooks of this service and of Stripe, and Standard Webhooks.
_WEBHOOK_SIGNATURES = {
    "x-svc-signature": re.compile(r"t=[0-9]+,.*v1="),
    "stripe-signature": re.compile(r"t=[0-9]+,.*v1="),
    "webhook-signature": re.compile(r"v1a?,"),
}
#: ACP writes `checkout_sessions`, UCP `checkout-sessions`.
_CHECKOUT_PATH = re.compile(r"/checkout[_-]sessions?/([\w.~-]{1,200})(?:/|\Z)", re.IGNORECASE | re.ASCII)
_CHECKOUT_NAME = re.compile(r"(?:x-)?checkout[_-]?session(?:[_-]?id)?")
_CHECKOUT_ID = re.compile(r"[\w.~:-]{1,200}", re.ASCII)
_TOKENS_MAX = 32

SessionToken = dict[str, Any]


def find_session_tokens(facts: RequestFacts) -> list[SessionToken]:
    """Finds SD-JWT chains, HTTP message signatures, signatures of webhooks and checkout sessions.

    They are passed on to the application and never influence the decision. Nothing has been checked: neither a signature,
    nor who issued a token, nor that it belongs to the caller. Headers, metadata and path are searched, not the body.
    """
    tokens: list[SessionToken] = []
    in_path = _CHECKOUT_PATH.search(facts.path)
    if in_path is not None:
        tokens.append(_token("checkout_session", "path", id=in_path[1]))
    signature, signature_input = (facts.headers.get(name) for name in ("signature", "signature-input"))
    if signature is not None and signature_input is not None:
        members = {"signature": signature, "signatureInput": signature_input}
        tokens.append(_token("http_signature", "signature", **members))
    for name, value in [*facts.headers.items(), *(facts.metadata or {}).items()]:
        tokens += _find_in_value(name.lower(), value)
    return tokens[:_TOKENS_MAX]


def _find_in_value(source: str, value: object) -> list[SessionToken]:
    """A value is the text of a header, or text or a list of texts in metadata."""
    texts = [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]
    if not texts:
        return []
    words = [word for text in texts if "~" in text for word in re.split(r"[\s,;]+", text)]
    chain = [word for word in words if _SD_JWT.fullmatch(word)]
    tokens = [_token("sd_jwt", source, chain=chain)] if chain else []
    shape = _WEBHOOK_SIGNATURES.get(source)
    if shape is not None and shape.match(texts[0]):
        tokens.append(_token("signed_webhook", source, signature=texts[0]))
    if _CHECKOUT_NAME.fullmatch(source) and _CHECKOUT_ID.fullmatch(texts[0]):
        tokens.append(_token("checkout_session", source, id=texts[0]))
    return tokens


def _token(kind: str, source: str, **members: Any) -> SessionToken:
    return {"isValidated": False, "source": source, "type": kind, **members}

"""Signed requests of an agent. Source: RFC 9421; RFC 9530; docs/agents.md."""

import re
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import httpx

from ..encoding import create_nonce
from ..signing.content_digest import compute_content_digest
from ..signing.structured_field import join_member, write_bytes, write_string
from .agent_key import AgentSigner

SignatureTag = Literal["web-bot-auth", "agent-browser-auth", "agent-payer-auth"]

#: The longest time from `created` to `expires`.
SIGNATURE_SECONDS_MAX = 300
_ALWAYS_COVERED = ("@authority", "@method", "@path", "x-svc-id")
#: Headers in which an agent states facts; its signature covers those that it sends.
_STATED_HEADERS = ("x-svc-purpose", "x-svc-duration", "x-svc-scope", "x-svc-attempt-id")


@dataclass(frozen=True, kw_only=True)
class SignatureOptions:
    """Whose requests are signed, and how."""

    #: `SVC-…`: the signature says that this agent sends the request.
    agent_id: str
    #: Visa's Trusted Agent Protocol has `agent-browser-auth` and `agent-payer-auth`.
    tag: SignatureTag = "web-bot-auth"
    #: Origin with the directory of the agent's keys, for verifiers that do not know the agent.
    signature_agent: str | None = None
    #: Names of further headers to cover; each must be there.
    covers: Sequence[str] = ()
    #: How long the signature is valid.
    lifetime_seconds: int = SIGNATURE_SECONDS_MAX
    #: Names the signature among others of the request.
    label: str = "svc"
    #: Unix seconds.
    now: Callable[[], float] = field(default=time.time)
    #: Creates the nonce, a value that is used once.
    create_nonce: Callable[[], str] = field(default=create_nonce)


def sign_http_request(
    signer: AgentSigner,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
    options: SignatureOptions,
) -> dict[str, str]:
    """Signs a request, exactly as it will be sent, and returns the headers to set, which replace those of the same names.

    Covered are the authority, the method in upper case, in which HTTP clients send it, the path and the query, the agent's
    identifier and what it states (`X-Svc-Purpose` …), and the digest of the body. Each signature is good for one request:
    sign again before sending again, and do not follow redirects with it.

    Raises ValueError without an agent, for a URL that cannot be sent, a header that is to be covered and missing, a signature of the same
    label, or the `X-Svc-Id` of another agent.
    """
    if not options.agent_id:
        raise ValueError("agent_id is missing: pass the identifier of the agent, SVC-…")
    target = _parse_target(url)
    given = {name.lower(): value.strip() for name, value in (headers or {}).items()}
    if given.get("x-svc-id", options.agent_id) != options.agent_id:
        raise ValueError(f"X-Svc-Id is {given['x-svc-id']}, but {options.agent_id} signs the request")
    own = {"x-svc-id": options.agent_id}
    if body:
        own["content-digest"] = compute_content_digest(body)
    member = None if options.signature_agent is None else _write_origin(options.signature_agent)
    if member is not None:
        own["signature-agent"] = join_member(given.get("signature-agent"), options.label, member)

    all_headers = {**given, **own}
    names = _list_components(all_headers, "@query" in target, options)
    values = {**all_headers, **target, "@method": method.upper()}
    identifiers = []
    lines = []
    for name in names:
        is_member = name == "signature-agent" and member is not None
        identifier = write_string(name) + (f";key={write_string(options.label)}" if is_member else "")
        value = member if is_member else values.get(name)
        if value is None:
            raise ValueError(f"signature: the request has no {name}")
        if "\r" in value or "\n" in value:
            raise ValueError(f"signature: {name} contains a line break")
        identifiers.append(identifier)
        lines.append(f"{identifier}: {value}")
    params = f"({' '.join(identifiers)}){_write_parameters(signer, options)}"
    base = "\n".join([*lines, f'"@signature-params": {params}'])
    signature = write_bytes(signer.sign(base.encode()))
    return {
        **own,
        "signature-input": join_member(given.get("signature-input"), options.label, params),
        "signature": join_member(given.get("signature"), options.label, signature),
    }


class SignatureAuth(httpx.Auth):
    """Signs each request of an httpx client: `httpx.Client(auth=SignatureAuth(key, SignatureOptions(agent_id=…)))`.

    The whole body is read, because its digest is covered. Leave `follow_redirects` off: a signature is valid for one URL,
    and another site must not choose what the agent signs.
    """

    requires_request_body = True

    def __init__(self, signer: AgentSigner, options: SignatureOptions) -> None:
        self._signer = signer
        self._options = options

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Sets the headers of the signature."""
        request.headers.update(self.sign(request))
        yield request

    def sign(self, request: httpx.Request) -> dict[str, str]:
        """Returns the headers of the signature of a request whose body has been read."""
        return sign_http_request(
            self._signer,
            request.method,
            str(request.url),
            headers=dict(request.headers.items()),
            body=request.content,
            options=self._options,
        )


def _parse_target(url: str) -> dict[str, str]:
    """The components of a URL, as httpx sends it."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        parsed = httpx.URL("")
    if parsed.scheme not in ("http", "https") or not parsed.host or parsed.userinfo:
        raise ValueError("url must be an absolute http(s) URL without user name and password")
    path, mark, query = parsed.raw_path.decode("ascii").partition("?")
    authority = parsed.netloc.decode("ascii").lower()
    target = {"@authority": authority, "@path": path or "/"}
    return {**target, "@query": f"?{query}"} if mark and query else target


def _write_origin(origin: str) -> str:
    parsed = httpx.URL(origin)
    if f"{parsed.scheme}://{parsed.netloc.decode('ascii')}" != origin or parsed.scheme not in (
        "http",
        "https",
    ):
        raise ValueError(f"signature_agent must be an origin, got {origin}")
    return write_string(origin)


def _list_components(headers: Mapping[str, str], has_query: bool, options: SignatureOptions) -> list[str]:
    required = [*_ALWAYS_COVERED, *(["@query"] if has_query else [])]
    present = [name for name in ("content-digest", "signature-agent", *_STATED_HEADERS) if name in headers]
    further = [name.lower() for name in options.covers]
    return list(dict.fromkeys([*required, *present, *further]))


def _write_parameters(signer: AgentSigner, options: SignatureOptions) -> str:
    lifetime = options.lifetime_seconds
    if not 1 <= lifetime <= SIGNATURE_SECONDS_MAX:
        raise ValueError(f"lifetime_seconds must be from 1 to {SIGNATURE_SECONDS_MAX}, got {lifetime}")
    if re.fullmatch(r"[\x21-\x7e]{16,128}", nonce := options.create_nonce()) is None:
        raise ValueError("a nonce has 16 to 128 visible ASCII characters")
    created = int(options.now())
    texts = {"nonce": nonce, "keyid": signer.keyid, "alg": signer.algorithm, "tag": options.tag}
    written = "".join(f";{name}={write_string(text)}" for name, text in texts.items() if text is not None)
    return f";created={created};expires={created + int(lifetime)}{written}"

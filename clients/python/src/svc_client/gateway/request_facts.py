"""The facts of a request that a gateway uses."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ..verify_client import VerificationFields
from .url_path import path_of

#: `unread` bodies: longer than the gateway reads, or consumed before it.
Unread = Literal["too_long", "consumed"]

#: How long a body is read by default: 1 MiB.
BODY_BYTES_MAX = 1_048_576


@dataclass(frozen=True, kw_only=True)
class RequestFacts:
    """What is known of a request, on any transport."""

    method: str = "GET"
    #: Path with query as sent, or an absolute URL.
    target: str = "/"
    #: By lower-case name; see `read_headers`.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: The `metadata` of an A2A message or the `_meta` of an MCP request; takes precedence over the headers.
    metadata: Mapping[str, Any] | None = None
    source_ip: str | None = None
    #: `https` if the request came over TLS, possibly to a trusted proxy.
    scheme: str = "http"
    #: The bytes as received, empty if there is no body; None on transports without one, and if nobody needs it.
    body: bytes | Unread | None = None
    #: What only the application knows: `transactionValue`, `currency`, `action`, a more precise `resource` …
    fields: VerificationFields | None = None
    #: Whether the caller has disconnected, which ends the wait of a request held for approval.
    is_disconnected: Callable[[], bool] = lambda: False

    @cached_property
    def path(self) -> str:
        """The path as routers see it."""
        return path_of(self.target)

    @cached_property
    def covered(self) -> list[list[str]]:
        """The names that each signature of the request covers; no lists for a request without a signature."""
        return (
            list_covered_names(self.headers.get("signature-input", "")) if "signature" in self.headers else []
        )

    def json(self) -> Any:
        """The body as JSON; None if it is not JSON or has not been read. For `describe_request`.

        A gateway that calls `describe_request` refuses a request whose body could not be read.
        """
        if not isinstance(self.body, bytes):
            return None
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


def is_proving(headers: Mapping[str, str]) -> bool:
    """Whether the digest of the body matters: the request carries a signature or an intent proof."""
    return "signature" in headers or "x-svc-proof" in headers


def read_headers(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns the headers by lower-case name, each with the values of all lines in which it was sent, joined with commas.

    Only the pairs of cookies, which HTTP/2 sends in lines of their own, are joined with semicolons.
    Source: RFC 9421 §2.1; RFC 9113 §8.2.3.
    """
    headers: dict[str, str] = {}
    for name, value in pairs:
        lower = name.lower()
        separator = "; " if lower == "cookie" else ", "
        headers[lower] = f"{headers[lower]}{separator}{value}" if lower in headers else value
    return headers


def list_covered_names(signature_input: str) -> list[list[str]]:
    """Returns the names that each signature covers: derived components and headers.

    Only what stands where a component stands is read; a text among the parameters may contain anything.
    Source: RFC 9421 §4.1.
    """
    lists: list[list[str]] = []
    open_list: list[str] | None = None
    at = 0
    while at < len(signature_input):
        character = signature_input[at]
        if character == "(":
            open_list = []
            lists.append(open_list)
        elif character == ")":
            open_list = None
        elif character == '"':
            found = re.compile(r'(?:[^"\\]|\\.)*"', re.DOTALL).match(signature_input, at + 1)
            if found is None:
                break
            if open_list is not None and signature_input[at - 1] != "=":
                open_list.append(found[0][:-1])
            at = found.end() - 1
        at += 1
    return lists

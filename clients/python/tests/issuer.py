"""An issuer of receipts and status lists, whose documents a test sets."""

import json
import zlib
from collections.abc import Callable
from typing import Any

import httpx

from svc_client import AgentKey
from svc_client.encoding import encode_base64url

ISSUER = "https://registry.example"
LIST_URL = f"{ISSUER}/.well-known/status/0"
ENDPOINT = "SVCE-" + "0" * 22
#: When receipts were issued, in Unix seconds.
ISSUED = 1_767_225_600


class Issuer:
    """Signs tokens, and answers for its documents by URL; `fetched` lists what was asked for."""

    def __init__(self) -> None:
        self.key = AgentKey.generate()
        self.documents: dict[str, bytes] = {}
        self.fetched: list[str] = []
        self.on_fetch: Callable[[str], None] = lambda url: None
        self.publish([self.jwk])

    @property
    def jwk(self) -> dict[str, str]:
        """The published key."""
        return {**self.key.public_jwk, "kid": self.key.keyid, "alg": "EdDSA", "use": "sig"}

    def client(self) -> httpx.Client:
        """A client of this issuer."""
        return httpx.Client(transport=httpx.MockTransport(self._respond))

    def async_client(self) -> httpx.AsyncClient:
        """An asynchronous client of this issuer."""
        return httpx.AsyncClient(transport=httpx.MockTransport(self._respond))

    def publish(self, keys: list[dict[str, str]]) -> None:
        """Publishes keys."""
        self.documents[f"{ISSUER}/.well-known/jwks.json"] = json.dumps({"keys": keys}).encode()

    def publish_list(self, statuses: bytes, **claims: Any) -> None:
        """Publishes a status list of one bit for each grant."""
        listed = {"bits": 1, "lst": encode_base64url(zlib.compress(statuses))}
        own = {
            "sub": LIST_URL,
            "iat": ISSUED,
            "exp": ISSUED + 600,
            "ttl": 30,
            "status_list": listed,
            **claims,
        }
        self.documents[LIST_URL] = self.sign("statuslist+jwt", own).encode()

    def issue(self, index: int = 3, **claims: Any) -> str:
        """Issues a receipt of a grant."""
        own = {
            "iss": ISSUER,
            "sub": "SVC-" + "0" * 22,
            "aud": ENDPOINT,
            "jti": "record",
            "recommendation": "grant",
            "accessLevel": "standard",
            "identityProof": "signature",
            "iat": ISSUED,
            "exp": ISSUED + 86_400,
            "status": {"status_list": {"idx": index, "uri": LIST_URL}},
        }
        return self.sign("svc-verdict+jwt", {**own, **claims})

    def sign(self, kind: str, claims: dict[str, Any]) -> str:
        """Signs a token."""
        header = {"alg": "EdDSA", "kid": self.key.keyid, "typ": kind}
        text = ".".join(encode_base64url(json.dumps(part).encode()) for part in (header, claims))
        return f"{text}.{encode_base64url(self.key.sign(text.encode()))}"

    def _respond(self, request: httpx.Request) -> httpx.Response:
        self.fetched.append(str(request.url))
        self.on_fetch(str(request.url))
        document = self.documents.get(str(request.url))
        if document is None:
            raise httpx.ConnectError("unreachable")
        return httpx.Response(200, content=document)

"""Requests to the service, signed by an agent's owner. Source: Spec: Authentication 7; docs/agents.md."""

import hashlib
import time
from typing import Protocol
from uuid import uuid4


class MessageSigner(Protocol):
    """Signs texts by EIP-191, such as `OwnerAccount`."""

    @property
    def address(self) -> str:
        """Of the account."""

    def sign_message(self, message: str) -> str:
        """Returns `0x` and 65 bytes in hexadecimal."""


def sign_request(
    signer: MessageSigner,
    *,
    method: str,
    path: str,
    body: str = "",
    nonce: str | None = None,
    timestamp: int | None = None,
    service: str | None = None,
) -> dict[str, str]:
    """Signs a request to the service with the owner's key, and returns the headers to send with it.

    `service` is the origin of the service, such as `https://registry.example`, so that no other service can use the request;
    without it, the first form is signed, which names none.

    `path` goes from the first slash, without the query. `timestamp` is in Unix seconds. The signature is valid for five
    minutes and for one use, and the body must be sent byte for byte as it was signed. Raises ValueError for a part that
    contains a line break, because two requests could then have the same message.
    """
    stated = str(int(time.time()) if timestamp is None else timestamp)
    once = str(uuid4()) if nonce is None else nonce
    lines = [method.upper(), path, stated, once, hashlib.sha256(body.encode()).hexdigest()]
    form = ["SVC-SIGNED-REQUEST-V1"] if service is None else ["SVC-SIGNED-REQUEST-V2", service]
    if any("\r" in line or "\n" in line for line in [*form, *lines]):
        raise ValueError("signed request: a part contains a line break")
    headers = {
        "X-Svc-Signature": signer.sign_message("\n".join([*form, *lines])),
        "X-Svc-Timestamp": stated,
        "X-Svc-Nonce": once,
        "X-Svc-Address": signer.address,
    }
    return headers if service is None else {**headers, "X-Svc-Service": service}

"""The keys with which an issuer signs receipts and status lists."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ..encoding import decode_base64url
from ..http.errors import SvcApiError
from ..http.sender import Sender
from ..http.steps import Start, Steps
from ..signing.compact_jws import CompactJws, parse_compact_jws

#: The one algorithm of receipts and of their status lists: Ed25519. Source: RFC 8037 §3.1.
ALGORITHM = "EdDSA"
_KEYS_MAX = 50
#: After this time the keys are fetched again in the background, so that a removed key is no longer accepted.
_REFRESH_SECONDS = 600
#: How often tokens with invented key ids can cause a fetch, and how often one is tried while none succeeds.
_PAUSE_SECONDS_FOUND = 30
_PAUSE_SECONDS_FAILED = 1


class IssuerKeys:
    """The keys of an issuer, which are fetched from its `/.well-known/jwks.json` when the first token names one.

    While they cannot be fetched again, the cached ones stay valid: verification continues offline. With `keys`, the JWKs
    that the issuer publishes, nothing is ever fetched. `issuer` is `PUBLIC_URL` of the service.
    """

    def __init__(
        self,
        issuer: str,
        keys: Iterable[Mapping[str, Any]] | None = None,
        *,
        timeout_seconds: float = 10,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sender = Sender(issuer, timeout_seconds=timeout_seconds)
        self._keys = None if keys is None else _import_keys(keys)
        self._is_given = keys is not None
        self._now = now
        self._fetched_at = self._tried_at = float("-inf")

    def find_signature_fault(self, token: CompactJws) -> Steps[str | None]:
        """Returns why the issuer has not signed a token of `parse_issuer_token`; None if it has. Source: RFC 8037 §3.1."""
        try:
            key = yield from self._find(str(token.header["kid"]))
        except SvcApiError:
            return "keys_unavailable"
        if key is None:
            return "unknown_key"
        try:
            key.verify(token.signature, token.signing_input)
        except InvalidSignature:
            return "signature_mismatch"
        return None

    def _find(self, kid: str) -> Steps[Ed25519PublicKey | None]:
        if self._is_given:
            return (self._keys or {}).get(kid)
        now = self._now()
        known = (self._keys or {}).get(kid)
        pause = _PAUSE_SECONDS_FAILED if self._keys is None else _PAUSE_SECONDS_FOUND
        may_fetch = now - self._tried_at >= pause
        if known is not None:
            if may_fetch and now - self._fetched_at >= _REFRESH_SECONDS:
                self._tried_at = now
                yield Start(self._refresh_quietly())
            return known
        if may_fetch:
            yield from self._refresh()
        elif self._keys is None:
            raise SvcApiError("NETWORK_ERROR", 0, "The keys of the issuer cannot be had.")
        return (self._keys or {}).get(kid)

    def _refresh(self) -> Steps[None]:
        try:
            answer = yield from self._sender.send("GET", "/.well-known/jwks.json", retry="always")
            keys = answer.get("keys") if isinstance(answer, dict) else None
            if not isinstance(keys, list):
                raise SvcApiError("INVALID_RESPONSE", 200, "The issuer publishes no keys.")
            self._keys = _import_keys(keys)
            self._fetched_at = self._now()
        finally:
            self._tried_at = self._now()

    def _refresh_quietly(self) -> Steps[None]:
        try:
            yield from self._refresh()
        except SvcApiError:
            pass


def parse_issuer_token(text: object, kind: str) -> tuple[CompactJws, None] | tuple[None, str]:
    """Parses a token of this type, without verifying it; or says what is wrong. Source: RFC 8725 §3.1, §3.11."""
    token = parse_compact_jws(text)
    if token is None:
        return None, "malformed"
    if token.header.get("typ") != kind:
        return None, "wrong_type"
    if token.header.get("alg") != ALGORITHM:
        return None, "wrong_algorithm"
    return (token, None) if isinstance(token.header.get("kid"), str) else (None, "unknown_key")


def _import_keys(keys: Iterable[Any]) -> dict[str, Ed25519PublicKey]:
    """Keys of other algorithms, with which the issuer signs other things, are left out."""
    imported: dict[str, Ed25519PublicKey] = {}
    for key in keys:
        if not isinstance(key, Mapping) or len(imported) == _KEYS_MAX:
            continue
        kid, x = key.get("kid"), key.get("x")
        if key.get("crv") != "Ed25519" or key.get("alg") != ALGORITHM or not isinstance(kid, str):
            continue
        point = decode_base64url(x) if isinstance(x, str) else None
        if point is not None and len(point) == 32:
            imported[kid] = Ed25519PublicKey.from_public_bytes(point)
    return imported

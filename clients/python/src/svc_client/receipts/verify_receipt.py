"""Verifies receipts. Source: RFC 7515; RFC 8725; docs/receipts.md."""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from ..http.check_number import check_number
from ..http.steps import Steps, run, run_async
from .issuer_keys import IssuerKeys, parse_issuer_token
from .receipt_claims import is_receipt
from .status_lists import MAX_AGE_SECONDS_DEFAULT, StatusLists

#: Media type of a receipt, the `typ` of its header; no other token of the service has it.
RECEIPT_TYPE = "svc-verdict+jwt"
SKEW_SECONDS_DEFAULT = 30.0


@dataclass(frozen=True)
class ReceiptVerdict:
    """Whether a receipt holds, with its claims, and if not, why; docs/receipts.md lists every `reason`."""

    ok: bool
    reason: str | None
    claims: dict[str, Any] | None

    def __bool__(self) -> bool:
        return self.ok


class ReceiptChecks:
    """What receipts are checked against, and the checks as steps for a blocking or an asynchronous verifier.

    `issuer` is `PUBLIC_URL` of the service whose receipts count; `audience` the endpoint that a receipt must be for:
    `SVCE-…`, or several. `keys` are the published keys, if they are not to be fetched.
    `accept` names the verdicts that count. With `check_status`, the default, withdrawn grants and those whose status cannot
    be had are refused; without it, nothing but keys is ever fetched, and a grant counts until it expires. Raises ValueError
    without an issuer or an audience, and for a number of seconds that is none.
    """

    def __init__(
        self,
        *,
        issuer: str,
        audience: str | Sequence[str],
        keys: Iterable[Mapping[str, Any]] | None = None,
        accept: Sequence[str] = ("grant",),
        check_status: bool = True,
        max_age_seconds: float = MAX_AGE_SECONDS_DEFAULT,
        skew_seconds: float = SKEW_SECONDS_DEFAULT,
    ) -> None:
        if not issuer or not audience:
            raise ValueError("pass issuer, PUBLIC_URL of the service, and audience, the endpoint (SVCE-…)")
        check_number("skew_seconds", skew_seconds, 0, math.inf)
        check_number("max_age_seconds", max_age_seconds, 0, math.inf)
        self._issuer = issuer
        self._audiences = [audience] if isinstance(audience, str) else list(audience)
        self._keys = IssuerKeys(issuer, keys)
        self._lists = (
            StatusLists(issuer, self._keys, max_age_seconds=max_age_seconds) if check_status else None
        )
        self._accept = tuple(accept)
        self._skew_seconds = skew_seconds

    def verify(
        self,
        receipt: object,
        *,
        agent_id: str | None = None,
        key_thumbprint: str | None = None,
        now: float | None = None,
    ) -> Steps[ReceiptVerdict]:
        """Checks a receipt: that the issuer signed it for this endpoint, and that it is a grant which is still valid.

        `agent_id` and `key_thumbprint` bind it to the agent and the key that you have seen; `now` is in Unix seconds.
        Never raises.
        """
        at = time.time() if now is None else now
        token, fault = parse_issuer_token(receipt, RECEIPT_TYPE)
        if token is None:
            return ReceiptVerdict(False, fault, None)
        claims = token.payload
        if not is_receipt(claims):
            return ReceiptVerdict(False, "malformed", None)
        reason = self._find_claim_fault(claims, agent_id, key_thumbprint, at)
        if reason is None:
            reason = yield from self._keys.find_signature_fault(token)
        if reason is None and self._lists is not None and claims["recommendation"] == "grant":
            status = yield from self._lists.read(claims.get("status", {}).get("status_list"), at)
            reason = {"valid": None, "withdrawn": "withdrawn", "unknown": "status_unavailable"}[status]
        return ReceiptVerdict(True, None, claims) if reason is None else ReceiptVerdict(False, reason, None)

    def _find_claim_fault(
        self, claims: Mapping[str, Any], agent_id: str | None, key_thumbprint: str | None, now: float
    ) -> str | None:
        if claims["iss"] != self._issuer:
            return "other_issuer"
        if claims["aud"] not in self._audiences:
            return "other_audience"
        if agent_id is not None and claims["sub"] != agent_id:
            return "other_agent"
        if key_thumbprint is not None and claims.get("cnf", {}).get("jkt") != key_thumbprint:
            return "other_key"
        # With a time that is NaN, no comparison holds, and so no receipt may.
        if not claims["iat"] <= now + self._skew_seconds:
            return "not_yet_valid"
        if not claims["exp"] + self._skew_seconds > now:
            return "expired"
        return None if claims["recommendation"] in self._accept else "not_granted"


class ReceiptVerifier:
    """Verifies receipts; create one, and use it for all. Settings as `ReceiptChecks`. May be used by several threads."""

    def __init__(self, *, client: httpx.Client | None = None, **settings: Any) -> None:
        self._checks = ReceiptChecks(**settings)
        self._client = client or httpx.Client()

    def verify(self, receipt: object, **check: Any) -> ReceiptVerdict:
        """Checks a receipt; see `ReceiptChecks.verify`."""
        return run(self._checks.verify(receipt, **check), self._client)


class AsyncReceiptVerifier:
    """`ReceiptVerifier` for asyncio."""

    def __init__(self, *, client: httpx.AsyncClient | None = None, **settings: Any) -> None:
        self._checks = ReceiptChecks(**settings)
        self._client = client or httpx.AsyncClient()

    async def verify(self, receipt: object, **check: Any) -> ReceiptVerdict:
        """Checks a receipt; see `ReceiptChecks.verify`."""
        return await run_async(self._checks.verify(receipt, **check), self._client)

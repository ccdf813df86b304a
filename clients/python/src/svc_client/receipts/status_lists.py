"""The status lists of an issuer: which grants are withdrawn. Source: draft-ietf-oauth-status-list."""

import math
import re
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

import httpx

from ..encoding import decode_base64url
from ..http.errors import SvcApiError
from ..http.steps import Await, Reply, Send, Start, Steps
from .issuer_keys import IssuerKeys, parse_issuer_token

#: A receipt refers to the status list by URL: this path below the issuer, and the number of the list.
STATUS_LIST_PATH = "/.well-known/status/"
MAX_AGE_SECONDS_DEFAULT = 120.0
_TYPE = "statuslist+jwt"
_SKEW_SECONDS = 60
_TTL_SECONDS_DEFAULT = 60.0
#: Bounds on the issuer's `ttl`, so that lists are neither fetched all the time nor cached forever.
_TTL_SECONDS_MIN, _TTL_SECONDS_MAX = 1, 3_600
_RETRY_SECONDS = 1
#: A list is at most 22,000 characters, however many of its grants are withdrawn.
_BYTES_MAX = 65_536
#: Far more than any list of the service; what is behind it is not decompressed.
_LIST_BYTES_MAX = 1_048_576
_LISTS_MAX = 64

Status = Literal["valid", "withdrawn", "unknown"]


@dataclass
class _Entry:
    """A list and when to fetch it again; times are Unix seconds."""

    statuses: bytes = b""
    bits: int = 1
    issued_at: float = -math.inf
    expires_at: float = -math.inf
    until: float = -math.inf
    retry_at: float = -math.inf
    #: The fetch under way, for which other requests wait.
    fetch: "Future[None] | None" = None

    def is_due(self, at: float) -> bool:
        return at >= self.until and at >= self.retry_at

    def is_usable(self, at: float, max_age_seconds: float) -> bool:
        return at < self.expires_at and at - self.issued_at <= max_age_seconds

    def status_at(self, index: int) -> Status:
        """Packed from the least significant bit of each byte; any value but 0 means that the grant is no longer valid."""
        per_byte = 8 // self.bits
        at = index // per_byte
        if at >= len(self.statuses):
            return "unknown"
        status = (self.statuses[at] >> (index % per_byte * self.bits)) & ((1 << self.bits) - 1)
        return "valid" if status == 0 else "withdrawn"


class StatusLists:
    """A cache of an issuer's status lists, which are fetched when a receipt refers to them.

    A list is fetched again in the background once its `ttl` has passed; `max_age_seconds` bounds how long a withdrawn grant
    can go unnoticed, also while the issuer is unreachable. Only URLs of the issuer are ever fetched.
    """

    def __init__(
        self,
        issuer: str,
        keys: IssuerKeys,
        *,
        max_age_seconds: float = MAX_AGE_SECONDS_DEFAULT,
        timeout_seconds: float = 5,
    ) -> None:
        self._prefix = issuer + STATUS_LIST_PATH
        self._keys = keys
        self._max_age_seconds = max_age_seconds
        self._timeout_seconds = timeout_seconds
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, reference: Mapping[str, Any] | None, at: float | None = None) -> Steps[Status]:
        """Returns the status of a grant; `at` is in Unix seconds.

        `unknown` if the list cannot be had, is older than allowed, or does not cover the grant; never raises.
        """
        now = time.time() if at is None else at
        uri = None if reference is None else str(reference["uri"])
        is_own = uri is not None and uri.startswith(self._prefix)
        if (
            reference is None
            or uri is None
            or not is_own
            or not re.fullmatch("[0-9]{1,10}", uri[len(self._prefix) :])
        ):
            return "unknown"
        entry = self._open_entry(uri)
        if not entry.is_usable(now, self._max_age_seconds):
            yield from self._refresh_or_wait(uri, entry, now)
        elif entry.is_due(now) and entry.fetch is None:
            yield Start(self._refresh(uri, entry, now))
        return (
            entry.status_at(int(reference["idx"]))
            if entry.is_usable(now, self._max_age_seconds)
            else "unknown"
        )

    def _open_entry(self, uri: str) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(uri, _Entry())
            self._entries.move_to_end(uri)
            while len(self._entries) > _LISTS_MAX:
                self._entries.popitem(last=False)
            return entry

    def _refresh_or_wait(self, uri: str, entry: _Entry, now: float) -> Steps[None]:
        """Returns once a list that is due has been fetched, by this request or another, or after the time for a fetch."""
        deadline = time.monotonic() + self._timeout_seconds
        while entry.is_due(now) and (left := deadline - time.monotonic()) > 0:
            fetch = entry.fetch
            if fetch is None:
                yield from self._refresh(uri, entry, now)
            else:
                yield Await(fetch, left)

    def _refresh(self, uri: str, entry: _Entry, now: float) -> Steps[None]:
        """Fetches a list that is due, unless another request is doing so. If this request ends early, another can fetch."""
        with self._lock:
            if entry.fetch is not None or not entry.is_due(now):
                return
            fetch: Future[None] = Future()
            fetch.set_running_or_notify_cancel()
            entry.fetch = fetch
        try:
            yield from self._fetch(uri, entry, now)
            entry.retry_at = now + _RETRY_SECONDS
        finally:
            entry.fetch = None
            fetch.set_result(None)

    def _fetch(self, uri: str, entry: _Entry, now: float) -> Steps[None]:
        """Never raises; the cached list stays in use if there is no newer one."""
        request = httpx.Request("GET", uri, headers={"Accept": "application/statuslist+jwt"})
        try:
            reply: Reply = yield Send(request, self._timeout_seconds, _BYTES_MAX)
        except SvcApiError:
            return
        if reply.status != 200 or reply.body is None:
            return
        token, _ = parse_issuer_token(reply.body.decode("ascii", "replace"), _TYPE)
        if token is None or (yield from self._keys.find_signature_fault(token)) is not None:
            return
        claims = token.payload
        issued_at, expires_at = _time_of(claims.get("iat")), _time_of(claims.get("exp", math.inf))
        ttl = _time_of(claims.get("ttl", _TTL_SECONDS_DEFAULT))
        found = _read_list(claims.get("status_list"))
        if (
            claims.get("sub") != uri
            or not (issued_at <= now + _SKEW_SECONDS and expires_at > now)
            or found is None
        ):
            return
        # An older list than the one at hand would hide withdrawals.
        if issued_at < entry.issued_at:
            return
        entry.statuses, entry.bits = found
        entry.issued_at, entry.expires_at = issued_at, expires_at
        seconds = ttl if ttl > 0 else _TTL_SECONDS_DEFAULT
        entry.until = now + min(max(seconds, _TTL_SECONDS_MIN), _TTL_SECONDS_MAX)


def _time_of(value: object) -> float:
    """Not a number for what is no time, such as an integer that is too large for a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def _read_list(value: object) -> tuple[bytes, int] | None:
    bits, text = (value.get("bits"), value.get("lst")) if isinstance(value, dict) else (None, None)
    compressed = decode_base64url(text) if isinstance(text, str) else None
    if compressed is None or bits not in (1, 2, 4, 8):
        return None
    inflater = zlib.decompressobj()
    try:
        statuses = inflater.decompress(compressed, _LIST_BYTES_MAX)
    except zlib.error:
        return None
    return (statuses, int(bits)) if inflater.eof and not inflater.unconsumed_tail else None

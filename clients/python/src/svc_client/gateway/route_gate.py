"""What the routes of an endpoint require of a request. Source: Spec: Client library contract."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..http.errors import SvcApiError
from ..http.steps import Start, Steps
from ..receipts.receipt_claims import ACCESS_LEVELS, IDENTITY_PROOFS
from ..verify_client import VerifyCalls
from .resource import Readings, compile_denied_glob, read_resource

_READING_LEVELS = ("restricted", "read-only")
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_TTL_SECONDS = 60


@dataclass(frozen=True)
class RouteFault:
    """Why a request does not reach a route: its access level, or its proof, which has to be at least this."""

    min_identity_proof: str | None = None


#: Takes method, path, access level and identity proof.
RouteGate = Callable[[str, str, str, str], RouteFault | None]


def compile_route_gate(routes: Iterable[Mapping[str, Any]]) -> RouteGate:
    """Compiles routes (`pattern`, `method`, `minAccessLevel`, `minIdentityProof`) into a function that finds what is missing.

    Every route that matches the request must be satisfied; a path that no route matches has no minimum. A pattern matches
    every reading of the path: `/Admin/;v=1` does not slip past `/admin`, nor `post` past `POST`. HEAD is also treated as GET. An
    ambiguous path, or one whose readings are too long together, reaches no route, and an unknown level suffices for none. The levels `restricted` and
    `read-only` reach safe methods only (RFC 9110 §9.2.1), unless a route that names the method admits them.

    Raises ValueError for a pattern that is not a glob and for a level or proof that does not exist, because ignoring the
    route would leave it open.
    """
    gates = [_compile(route) for route in routes]

    def find_fault(
        method: str, path: str, access_level: str, identity_proof: str = "none"
    ) -> RouteFault | None:
        must_only_read = access_level in _READING_LEVELS and method not in _SAFE_METHODS
        if not gates:
            return RouteFault() if must_only_read else None
        readings = read_resource(path)
        if readings is None:
            return RouteFault()
        upper = method.upper()
        methods = ("HEAD", "GET", "*") if upper == "HEAD" else (upper, "*")
        matching = [gate for gate in gates if gate.method in methods and gate.matches(readings)]
        level = _position(ACCESS_LEVELS, access_level)
        is_admitted = not must_only_read or any(gate.method == method for gate in matching)
        if not is_admitted or any(level < gate.level for gate in matching):
            return RouteFault()
        required = max((gate.proof for gate in matching), default=0)
        is_proven = _position(IDENTITY_PROOFS, identity_proof) >= required
        return None if is_proven else RouteFault(IDENTITY_PROOFS[required])

    return find_fault


@dataclass(frozen=True)
class _Gate:
    matches: Callable[[Readings], bool]
    method: str
    level: int
    proof: int


def _compile(route: Mapping[str, Any]) -> _Gate:
    pattern = str(route["pattern"])
    level, proof = route.get("minAccessLevel"), route.get("minIdentityProof") or "none"
    if level not in ACCESS_LEVELS:
        known = ", ".join(ACCESS_LEVELS)
        raise ValueError(f"route {pattern}: unknown access level {level}; there are {known}")
    if proof not in IDENTITY_PROOFS:
        known = ", ".join(IDENTITY_PROOFS)
        raise ValueError(f"route {pattern}: unknown identity proof {proof}; there are {known}")
    try:
        is_match = compile_denied_glob(pattern)
    except ValueError as cause:
        raise ValueError(f"route {pattern}: {cause}") from cause
    method = str(route.get("method") or "*").upper()
    return _Gate(is_match, method, ACCESS_LEVELS.index(level), IDENTITY_PROOFS.index(proof))


def _position(values: tuple[str, ...], value: str) -> int:
    return values.index(value) if value in values else -1


class RouteGates:
    """Provides the current gate, from the given routes or those that the service stores for the endpoint.

    Fetched routes are used for a minute and then refreshed in the background; if that fails, the old ones stay in use. The
    first fetch must succeed, which also proves that the key owns the endpoint.
    """

    def __init__(
        self,
        calls: VerifyCalls,
        routes: Iterable[Mapping[str, Any]] | None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._calls = calls
        is_fixed = routes is not None or calls.counterparty_id is None
        self._gate = compile_route_gate(routes or []) if is_fixed else None
        self._until = float("inf")
        self._now = now

    def current(self) -> Steps[RouteGate]:
        """Returns the gate. Raises SvcApiError or ValueError if there has never been one."""
        if self._gate is None:
            yield from self._fetch()
        elif self._now() >= self._until:
            self._until = self._now() + _TTL_SECONDS
            yield Start(self._refresh())
        if self._gate is None:
            raise RuntimeError("the routes were not fetched")
        return self._gate

    def _fetch(self) -> Steps[None]:
        routes = yield from self._calls.read_routes(str(self._calls.counterparty_id))
        self._gate = compile_route_gate(routes)
        self._until = self._now() + _TTL_SECONDS

    def _refresh(self) -> Steps[None]:
        try:
            yield from self._fetch()
        except (SvcApiError, ValueError, KeyError, TypeError) as error:
            self._calls.warn(f"the routes of {self._calls.counterparty_id} could not be refreshed: {error}")

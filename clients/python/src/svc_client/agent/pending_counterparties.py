"""Runtime challenges. Source: Spec: Runtime challenge; Spec: Agent-hosted challenge endpoint."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any
from urllib.parse import urlsplit

_SEGMENTS_MAX = 64


class PendingCounterparties:
    """The counterparties that an agent is about to contact; answers runtime challenges about them.

    A counterparty is pending before it is contacted until afterwards; if it is contacted twice at once, until both contacts
    are over. An answer names only the counterparty of the challenge, so that it does not reveal whom else the agent deals
    with. May be used by several threads.
    """

    def __init__(self) -> None:
        self._pending: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def during(self, names: Iterable[str]) -> Iterator[None]:
        """Makes a counterparty, under all the names it may go by, pending in a `with` block."""
        listed = list(names)
        with self._lock:
            self._pending.update(listed)
        try:
            yield
        finally:
            with self._lock:
                self._pending.subtract(listed)
                # Without those that are no longer pending.
                self._pending = +self._pending

    def challenge(self, body: object) -> tuple[int, dict[str, Any]]:
        """Returns status and body of the answer to a parsed challenge; anything else gets 400. Never raises."""
        message = body if isinstance(body, dict) else {}
        challenge_id, counterparty_id = message.get("challengeId"), message.get("counterpartyId")
        is_named = isinstance(challenge_id, str) and isinstance(counterparty_id, str)
        if not is_named or message.get("type") != "pending_verification":
            return 400, {"success": False, "error": "not a challenge"}
        acknowledged = self._pending.get(str(counterparty_id), 0) > 0
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return 200, {
            "challengeId": challenge_id,
            "acknowledged": acknowledged,
            "pendingCounterparties": [counterparty_id] if acknowledged else [],
            "respondedAt": now,
        }


def names_of(url: str) -> list[str]:
    """The URLs under which a service may ask about a counterparty: that of the request, and every one above its path."""
    parts = urlsplit(url)
    origin = parts.netloc.lower()
    path = parts.path.rstrip("/")
    segments = path.split("/")[1:]
    paths = [
        "",
        *("/" + "/".join(segments[:end]) for end in range(1, min(len(segments), _SEGMENTS_MAX) + 1)),
        path,
    ]
    return [f"{scheme}://{origin}{path}" for path in dict.fromkeys(paths) for scheme in ("http", "https")]

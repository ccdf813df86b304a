"""Requests that wait for the agent's owner. Source: Spec: POST /api/agents/verify-access, step-up."""

import time
from collections.abc import Callable
from typing import Any

from ..http.errors import SvcApiError, is_unavailable
from ..http.steps import Pause, Steps
from ..verify_client import VerificationAnswer, VerifyCalls

#: The service chooses the pause between polls, but not below this.
_POLL_SECONDS_MIN = 1.0
_UNAVAILABLE_SECONDS_DEFAULT = 5.0


def hold_step_up(
    calls: VerifyCalls,
    answer: VerificationAnswer,
    fields: dict[str, Any],
    *,
    hold_seconds: float,
    is_disconnected: Callable[[], bool],
    now: Callable[[], float] = time.monotonic,
) -> Steps[VerificationAnswer]:
    """Waits while an agent's owner is asked, and resends the request with its attempt id once the owner has decided.

    Returns the given answer if there is nothing to wait for, when the time is up, or when the caller disconnects, because an
    approval must not be consumed for a caller that has gone. An unavailable service is polled again. If it is unavailable
    after the owner has decided, the request stays held, because it was never granted.
    """
    approval = answer.get("stepUpApproval")
    if answer["recommendation"] != "step_up_required" or not isinstance(approval, dict):
        return answer
    deadline = now() + hold_seconds
    while now() < deadline and not is_disconnected():
        is_decided, pause = yield from _poll(calls, str(approval["approvalId"]))
        if is_disconnected():
            break
        if is_decided:
            return (yield from _resend(calls, {**fields, "attemptId": approval["attemptId"]}, answer))
        yield Pause(min(pause, max(0.0, deadline - now())))
    return answer


def _poll(calls: VerifyCalls, approval_id: str) -> Steps[tuple[bool, float]]:
    try:
        polled = yield from calls.poll_approval(approval_id)
        asked = polled.get("pollAfterSeconds")
        pause = float(asked) if isinstance(asked, int | float) else 0.0
        return polled.get("status") != "pending", max(pause, _POLL_SECONDS_MIN)
    except SvcApiError as error:
        if not is_unavailable(error):
            raise
        return False, float(error.retry_after_seconds or _UNAVAILABLE_SECONDS_DEFAULT)


def _resend(
    calls: VerifyCalls, fields: dict[str, Any], held: VerificationAnswer
) -> Steps[VerificationAnswer]:
    try:
        return (yield from calls.verify_access(fields))
    except SvcApiError as error:
        if is_unavailable(error):
            return held
        raise

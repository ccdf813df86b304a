"""Work that waits for the network, written once and run by a blocking or an asynchronous program.

Such work is a generator of steps. `run` and `run_async` carry them out and send back what came of each, or raise it there.
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from .errors import SvcApiError

Result = TypeVar("Result")

#: Far longer than any response of the service; a longer body comes from something else.
BODY_BYTES_MAX = 1_048_576


@dataclass(frozen=True)
class Send:
    """Sends a request, and returns its `Reply`. Fails with `SvcApiError` if there is none within the time."""

    request: httpx.Request
    timeout_seconds: float
    bytes_max: int = BODY_BYTES_MAX


@dataclass(frozen=True)
class Pause:
    """Waits."""

    seconds: float


@dataclass(frozen=True)
class Start:
    """Starts other work in the background, whose failures its own steps handle."""

    steps: "Steps[None]"


@dataclass(frozen=True)
class Await:
    """Waits until other work has finished, but no longer than allowed.

    Whoever does that work has marked it as running, so that none of those who wait can cancel it.
    """

    work: "Future[None]"
    timeout_seconds: float


@dataclass(frozen=True)
class Reply:
    """A response with its whole body; `body` is None if it is longer than allowed, or encoded."""

    status: int
    headers: httpx.Headers
    body: bytes | None
    url: str


Steps = Generator[Send | Pause | Start | Await, Any, Result]
#: Tasks in the background, referenced here so that they are not garbage-collected while they run.
_running: set["asyncio.Task[None]"] = set()


def run(steps: Steps[Result], client: httpx.Client, wait: Callable[[float], None] = time.sleep) -> Result:
    """Runs work to its end in this thread."""
    outcome: Reply | None = None
    error: Exception | None = None
    with closing(steps):
        while True:
            try:
                step = steps.send(outcome) if error is None else steps.throw(error)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            outcome, error = None, None
            match step:
                case Pause(seconds):
                    wait(seconds)
                case Await(work, timeout_seconds):
                    wait_for([work], timeout_seconds)
                case Start(started):
                    threading.Thread(target=run, args=(started, client, wait), daemon=True).start()
                case Send():
                    try:
                        outcome = _send(client, step)
                    except Exception as failure:
                        error = failure


async def run_async(
    steps: Steps[Result],
    client: httpx.AsyncClient,
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Result:
    """Runs work to its end in the current event loop."""
    outcome: Reply | None = None
    error: Exception | None = None
    with closing(steps):
        while True:
            try:
                step = steps.send(outcome) if error is None else steps.throw(error)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            outcome, error = None, None
            match step:
                case Pause(seconds):
                    await wait(seconds)
                case Await(work, timeout_seconds):
                    await _await(work, timeout_seconds)
                case Start(started):
                    task = asyncio.ensure_future(run_async(started, client))
                    _running.add(task)
                    task.add_done_callback(_running.discard)
                case Send():
                    try:
                        outcome = await _send_async(client, step)
                    except Exception as failure:
                        error = failure


async def _await(work: "Future[None]", timeout_seconds: float) -> None:
    try:
        async with asyncio.timeout(timeout_seconds):
            await asyncio.wrap_future(work)
    except TimeoutError:
        pass


def _send(client: httpx.Client, step: Send) -> Reply:
    """Checks the time between the parts of a response, each of which may take as long as the limit."""
    deadline = time.monotonic() + step.timeout_seconds
    _prepare(step)
    try:
        response = client.send(step.request, stream=True, follow_redirects=False)
        try:
            body = bytearray()
            if _is_encoded(response):
                return _reply_of(response, None)
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > step.bytes_max:
                    return _reply_of(response, None)
                if time.monotonic() > deadline:
                    raise _timed_out()
            return _reply_of(response, bytes(body))
        finally:
            response.close()
    except httpx.TimeoutException as cause:
        raise _timed_out() from cause
    except httpx.HTTPError as cause:
        raise _unreachable() from cause


async def _send_async(client: httpx.AsyncClient, step: Send) -> Reply:
    _prepare(step)
    try:
        async with asyncio.timeout(step.timeout_seconds):
            response = await client.send(step.request, stream=True, follow_redirects=False)
            try:
                body = bytearray()
                if _is_encoded(response):
                    return _reply_of(response, None)
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > step.bytes_max:
                        return _reply_of(response, None)
                return _reply_of(response, bytes(body))
            finally:
                await response.aclose()
    except (httpx.TimeoutException, TimeoutError) as cause:
        raise _timed_out() from cause
    except httpx.HTTPError as cause:
        raise _unreachable() from cause


def _prepare(step: Send) -> None:
    step.request.headers["Accept-Encoding"] = "identity"
    timeout = httpx.Timeout(step.timeout_seconds).as_dict()
    step.request.extensions = {**step.request.extensions, "timeout": timeout}


def _is_encoded(response: httpx.Response) -> bool:
    """Refuses a body that is encoded although no encoding was accepted: it could decode to any size."""
    return str(response.headers.get("content-encoding", "identity")) != "identity"


def _reply_of(response: httpx.Response, body: bytes | None) -> Reply:
    return Reply(response.status_code, response.headers, body, str(response.url))


def _timed_out() -> SvcApiError:
    return SvcApiError("TIMEOUT", 0, "The service did not respond in time.")


def _unreachable() -> SvcApiError:
    return SvcApiError("NETWORK_ERROR", 0, "The service could not be reached.")

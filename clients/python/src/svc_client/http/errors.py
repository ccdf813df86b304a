"""The error of a failed call."""

from collections.abc import Sequence
from typing import Any


class SvcApiError(Exception):
    """A call that the service refused, or that did not reach it.

    `code` is either one of the service's codes, such as `COUNTERPARTY_KEY_MISMATCH`, or one of the library's own:
    `NETWORK_ERROR`, `TIMEOUT` and `INVALID_RESPONSE`. `status` is 0 if there was no usable response. Send `request_id` to
    the operator, who can find it in the service's log. `errors` names the invalid fields of a `VALIDATION_ERROR`.

    Source: Spec: Errors; docs/errors.md.
    """

    def __init__(
        self,
        code: str,
        status: int,
        message: str,
        *,
        request_id: str | None = None,
        retry_after_seconds: int | None = None,
        errors: Sequence[dict[str, Any]] = (),
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = status
        self.message = message
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.errors = tuple(errors)


def is_unavailable(error: BaseException) -> bool:
    """True if the service is unreachable, failing or overloaded, as opposed to refusing the call."""
    return isinstance(error, SvcApiError) and (
        error.status == 0 or error.status == 429 or error.status >= 500
    )

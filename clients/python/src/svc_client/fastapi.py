"""The gateway in FastAPI and Starlette."""

from collections.abc import Callable
from typing import Any

from .gateway.asgi import AsgiGateway
from .gateway.gateway_calls import Verified


def guard(app: Any, **settings: Any) -> None:
    """Puts the gateway before all routes of a FastAPI or Starlette application; settings as `AsgiGateway`.

    Call it after all other `add_middleware`, because the middleware that is added last sees requests first.
    """
    # The application creates its middleware with the first request, which is too late to report wrong settings.
    AsgiGateway(app, **settings)
    app.add_middleware(AsgiGateway, **settings)


def verified() -> Callable[..., Verified]:
    """Returns the dependency that gives a handler the result: `caller: Verified = Depends(verified())`."""
    from starlette.requests import HTTPConnection

    def read_verified(connection: HTTPConnection) -> Verified:
        return connection.state.svc  # type: ignore[no-any-return]

    return read_verified

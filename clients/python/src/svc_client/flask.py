"""The gateway in Flask."""

from typing import Any

from .gateway.gateway_calls import Verified
from .gateway.wsgi import VERIFIED_KEY, WsgiGateway


def guard(app: Any, **settings: Any) -> WsgiGateway:
    """Puts the gateway before all routes of a Flask application, and returns it; settings as `WsgiGateway`."""
    gateway = WsgiGateway(app.wsgi_app, **settings)
    app.wsgi_app = gateway
    return gateway


def verified() -> Verified:
    """The result for the current request."""
    from flask import request

    return request.environ[VERIFIED_KEY]  # type: ignore[no-any-return]

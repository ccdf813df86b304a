"""The service's base URL."""

import re
from urllib.parse import SplitResult, urlsplit


def parse_base_url(api_base_url: str | None) -> str:
    """Checks the service's base URL and removes trailing slashes.

    A URL that could never be called is rejected here; if it only failed at the first call, the service would seem to be
    unreachable. Raises ValueError if it is missing, and unless it is an http(s) URL ending in `/api`. The message never
    repeats a URL that contains a password. Source: Spec: Client library contract (`api_base_url` always ends in `/api`).
    """
    if not api_base_url:
        raise ValueError("api_base_url is missing: pass the URL of the service, ending in /api")
    parts = _split(api_base_url)
    if parts is not None and "@" in parts.netloc:
        raise ValueError("api_base_url must not contain a user name or password")
    base_url = api_base_url.rstrip("/")
    if parts is None or not parts.hostname or not re.fullmatch(r"https?://[^?#\s]+/api", base_url):
        raise ValueError(f"api_base_url must be an http(s) URL ending in /api, got {api_base_url}")
    return base_url


def origin_of(base_url: str) -> str:
    """The origin of a checked base URL, without the default port of its scheme: the name under which it is signed for."""
    parts = urlsplit(base_url)
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else str(parts.hostname)
    default = {"http": 80, "https": 443}.get(parts.scheme)
    port = "" if parts.port in (None, default) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except (ValueError, AttributeError):
        return None
    return parts

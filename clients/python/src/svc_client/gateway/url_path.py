"""The path and the host of a request's target."""

import re
from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def path_of(target: str) -> str:
    """Returns the path as routers see it; a target may be an absolute URL (RFC 9112 §3.2.2) or contain a fragment.

    The path of an absolute URL is returned unresolved, because some routers resolve no dot segments. A URL in which parsers
    find different paths (`http:///a/b`: `/a/b` or `/b`) is returned whole, so that the service decides on each of them.
    """
    stripped = target.strip()
    absolute = re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://([^/\\?#]*)([^?#]*)", stripped)
    if absolute is not None:
        authority, path = absolute.groups()
        is_plain = authority != "" and _is_parsable(f"http://{authority}")
        return (path or "/") if is_plain else stripped
    if stripped.startswith("/"):
        return re.split(r"[?#]", stripped)[0] or "/"
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", stripped):
        return stripped
    return re.split(r"[?#]", f"/{stripped}")[0] or "/"


def contradicts_host(target: str, host: str | None) -> bool:
    """Whether a target is a URL that does not name exactly the host of the `Host` header, or names a user.

    A signature covers the host of the target, which has precedence. Applications use the header, and could take the request
    for one to another host. Nothing is contradicted if there is no `host`, as outside HTTP. Source: RFC 9112 §3.2.2.
    """
    stripped = target.strip()
    absolute = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", stripped)
    if host is None or absolute is None:
        return False
    scheme = absolute[1].lower()
    plain = re.match(r"[^:]+://([^/?#]+)", stripped)
    named = None if plain is None else _read_host(scheme, plain[1])
    return named is None or named != _read_host(scheme, host)


def _read_host(scheme: str, authority: str) -> tuple[str, int | None] | None:
    """The host in lower case and its port; None for a user, or for what is no host."""
    if re.search(r"[@/\\?#]", authority):
        return None
    try:
        parsed = urlsplit(f"{scheme}://{authority}")
        port = parsed.port or _DEFAULT_PORTS.get(scheme)
        return (parsed.hostname, port) if parsed.hostname else None
    except ValueError:
        return None


def _is_parsable(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:
        return False

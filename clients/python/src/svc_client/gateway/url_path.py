"""The path of a request's target."""

import re
from urllib.parse import urlsplit


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


def _is_parsable(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:
        return False

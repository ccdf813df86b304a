"""The headers that pass a decision on to the application behind the gateway."""

from .gateway_calls import Verified

#: By lower-case name.
PASS_THROUGH_HEADERS = ("x-svc-access-level", "x-svc-recommendation", "x-svc-identity-proof", "x-svc-receipt")


def is_pass_through(name: str) -> bool:
    """Compared as CGI and WSGI applications see names, to which `X_Svc_Access_Level` is the same header."""
    return name.lower().replace("_", "-") in PASS_THROUGH_HEADERS


def pass_through_headers_of(verified: Verified) -> dict[str, str]:
    """Returns the headers of a decision; without a value there is no header."""
    receipt = (verified.verification or {}).get("receipt")
    values = (verified.access_level, verified.recommendation, verified.identity_proof, receipt)
    named = zip(PASS_THROUGH_HEADERS, values, strict=True)
    return {
        name: value
        for name, value in named
        if isinstance(value, str) and value.isascii() and value.isprintable()
    }

"""The names that programs import from the package, with their parameters, as `api.txt` lists them."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import svc_client

FILE = Path(__file__).parent.parent / "api.txt"


def list_public_names() -> str:
    """Every exported name and every public member that the package gives an exported class, one per line.

    Types are left out, because Python releases print them differently.
    """
    lines: list[str] = []
    for name in sorted(svc_client.__all__):
        lines.extend(_describe(name, getattr(svc_client, name)))
    return "\n".join(lines) + "\n"


def _describe(name: str, value: object) -> Iterator[str]:
    yield f"{name}{_parameters(value)}"
    if not inspect.isclass(value):
        return
    own = {member for base in value.__mro__ if base.__module__.startswith("svc_client") for member in vars(base)}
    for member in sorted(own):
        if not member.startswith("_"):
            yield f"{name}.{member}{_parameters(inspect.getattr_static(value, member))}"


def _parameters(value: object) -> str:
    function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    if not callable(function):
        return ""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return "(…)"
    bare = [
        parameter.replace(
            annotation=inspect.Parameter.empty,
            default=inspect.Parameter.empty if parameter.default is inspect.Parameter.empty else ...,
        )
        for parameter in parameters
    ]
    return str(inspect.Signature(bare)).replace("Ellipsis", "…")


if __name__ == "__main__":
    FILE.write_text(list_public_names(), encoding="utf-8")

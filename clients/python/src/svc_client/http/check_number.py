"""Settings that are numbers."""

import math


def check_number(name: str, value: object, minimum: float, maximum: float) -> None:
    """Checks a setting that is a number: NaN would be no limit at all, and a text would only fail when it is used.

    Raises ValueError that names the setting.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and minimum <= value <= maximum):  # type: ignore[operator]
        most = "" if maximum == math.inf else f" to {maximum}"
        raise ValueError(f"{name} must be a number from {minimum}{most}, got {value!r}")

"""The vectors that all implementations are checked against."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[3] / "test" / "vectors"


def read_vectors(name: str) -> Any:
    """Reads a file of `test/vectors`."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))

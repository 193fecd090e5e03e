"""The command `ticketing`, whose packages the extra `cli` installs."""

from __future__ import annotations

import sys


def main() -> None:
    try:
        from ._commands import ticketing
    except ImportError as error:
        sys.exit(f"{error.name} is not installed. Install ticketing-client[cli] with Python 3.11 or later.")
    ticketing()

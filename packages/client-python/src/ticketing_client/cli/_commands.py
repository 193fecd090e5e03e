from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from .._client import __version__
from ._failures import INTERRUPTED, failure_of

_url = click.option("--url", envvar="BASE_URL", help="The service's address, without /v1. By default BASE_URL.")
_types = click.option("--types", metavar="LIST", help="Only these types of resources, such as order,ticket. By default all.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ticketing")
def ticketing() -> None:
    """Copy an organisation's ticketing data, or forward its webhooks to this machine.

    The API key comes from API_KEY in the environment, or from a prompt.
    """


@ticketing.command()
@click.argument("target")
@_types
@_url
def copy(target: str, types: str | None, url: str | None) -> None:
    """Copy all data to TARGET, or what changed since the last run.

    TARGET ends with .duckdb or .sqlite for a database, or with .parquet or .csv for a folder with a file for each type.
    """
    with _failing():
        from ._copy import copy_to

        count = copy_to(target, *_settings(url), _list_of(types))
        click.echo(f"{target} is up to date: {count:,} changes.")


@ticketing.command()
@click.option("--forward-to", required=True, metavar="URL", help="The receiver's address, such as http://localhost:8000/hook.")
@click.option("--since", metavar="TIME", help="Also send the changes since this time, at most 30 days ago.")
@_types
@_url
def listen(forward_to: str, since: str | None, types: str | None, url: str | None) -> None:
    """Post webhook messages to a receiver on this machine, as the service does.

    It signs them with WEBHOOK_SECRET from the environment or with a new secret, and prints the secret. Ctrl-C stops it.
    """
    with _failing():
        from ._listen import listen_to
        from ._receiver import Receiver

        address, key = _settings(url)
        receiver = Receiver(forward_to, address, os.environ.get("WEBHOOK_SECRET"))
        listen_to(address, key, receiver, _list_of(types), since)


def _list_of(types: str | None) -> list[str] | None:
    return None if types is None else sorted({name.strip() for name in types.split(",")})


def _settings(url: str | None) -> tuple[str, str]:
    """The service's address and the key."""
    if not url:
        raise click.UsageError("Set BASE_URL to the service's address, without /v1.")
    key = os.environ.get("API_KEY")
    if not key:
        if not sys.stdin.isatty():
            raise click.UsageError("Set API_KEY to an API key with the scope read.")
        key = click.prompt("API key", hide_input=True, err=True)
    return url.rstrip("/"), str(key).strip()


@contextmanager
def _failing() -> Iterator[None]:
    """Ends the command with a sentence and an exit code if it fails."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
        sys.exit(INTERRUPTED)
    except Exception as error:
        failure = failure_of(error)
        if failure is None:
            raise
        click.echo(failure.message, err=True)
        sys.exit(failure.exit_code)

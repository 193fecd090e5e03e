from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Protocol, cast

from standardwebhooks.webhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError as _LibraryError

from . import types as t


class WebhookVerificationError(Exception):
    """The message is not from the service, or more than five minutes old."""


WebhookChange = t.WebhookChange

WebhookMessage = t.ChangesMessage | t.RestartMessage | t.TestMessage
"""A webhook's message. Ignore unknown types."""

_Pair = tuple[str | bytes, str | bytes | Sequence[str] | None]


class _WithItems(Protocol):
    """A dictionary, or the headers of a framework."""

    def items(self) -> Iterable[_Pair]: ...


_SECRET = r"whsec_([A-Za-z0-9+/]{4}){8,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
"""Base64 of at least 24 bytes, the minimum of Standard Webhooks."""
_SIGNATURE_HEADERS = {"webhook-id", "webhook-timestamp", "webhook-signature"}


def verify_webhook(
    secret: str, headers: _WithItems | Iterable[_Pair], body: bytes | bytearray | memoryview | str
) -> WebhookMessage:
    """
    Verifies a message by Standard Webhooks: that it was signed with this secret, less than five minutes ago.

    :param secret: the webhook's signing secret, ``whsec_…``. White space around it is ignored.
    :param headers: the request's headers: a dictionary, a framework's headers, or pairs. Names may be in any case.
    :param body: the request's whole body, exactly as it arrived.
    :raises WebhookVerificationError: if the signature is invalid or too old. Respond with 400 and ignore the body.
    :raises TypeError: if an argument has another type, such as a parsed body.
    :raises ValueError: if the secret is empty or malformed.
    """
    webhook = _webhook_with(secret)
    signed = _signature_in(headers)
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise _wrong_type("body")
    try:
        text = body if isinstance(body, str) else bytes(body).decode()
        webhook.verify(text, signed)
        # A valid signature proves the type: the service wrote the message.
        return cast(WebhookMessage, json.loads(text))
    except (_LibraryError, ValueError) as error:
        raise WebhookVerificationError(str(error)) from error


def _webhook_with(secret: object) -> Webhook:
    if not isinstance(secret, str):
        raise TypeError("secret must be a str.")
    given = secret.strip()
    if re.fullmatch(_SECRET, given):
        return Webhook(given)
    quoted = " The given secret includes quotation marks: remove them." if re.search("[\"'`]", given) else ""
    raise ValueError(f"The secret must be a webhook's: whsec_ and at least 24 bytes in Base64.{quoted}")


def _signature_in(headers: object) -> dict[str, str]:
    """The signature's headers that are present."""
    items = getattr(headers, "items", None)
    pairs = items() if callable(items) else headers
    if not isinstance(pairs, Iterable) or isinstance(pairs, (str, bytes)):
        raise _wrong_type("headers")
    found = {}
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise _wrong_type("headers")
        name, value = _text(pair[0]).lower(), pair[1]
        if name in _SIGNATURE_HEADERS and value is not None:
            found[name] = ",".join(map(_text, value)) if isinstance(value, (list, tuple)) else _text(value)
    return found


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    raise _wrong_type("headers")


def _wrong_type(argument: str) -> TypeError:
    message = "has a wrong type. Pass the request's headers, and its raw body as bytes or text, not parsed."
    return TypeError(f"{argument} {message}")

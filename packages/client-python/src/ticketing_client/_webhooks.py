from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast

from standardwebhooks.webhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError as _LibraryError

from . import types as t


class WebhookVerificationError(Exception):
    """A message that the service did not send, or not within the last five minutes."""


WebhookChange = t.WebhookChange

WebhookMessage = t.ChangesMessage | t.RestartMessage | t.TestMessage
"""A message of a webhook. Ignore types that your version does not know."""


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes | str) -> WebhookMessage:
    """
    Verifies a message by Standard Webhooks: that it was signed with this secret, less than five minutes ago.

    :param secret: the webhook's signing secret, ``whsec_…``.
    :param headers: the request's headers, in any case.
    :param body: the request's whole body, exactly as it arrived.
    :raises WebhookVerificationError: if it was not. Respond with 400 and ignore the body.
    :raises ValueError: if the secret is empty or malformed.
    """
    if not re.fullmatch(r"whsec_[A-Za-z0-9+/]+=*", secret):
        raise ValueError("The secret must be a webhook's: whsec_…")
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        text = body if isinstance(body, str) else body.decode()
        Webhook(secret).verify(text, lower)
        # The signature shows that the service wrote it.
        return cast(WebhookMessage, json.loads(text))
    except (_LibraryError, ValueError) as error:
        raise WebhookVerificationError(str(error)) from error

"""A typed client for the Ticketing API."""

from ._client import Attempt, Client, __version__
from ._errors import CursorExpired, TicketingError
from ._webhooks import WebhookChange, WebhookMessage, WebhookVerificationError, verify_webhook

__all__ = [
    "Attempt",
    "Client",
    "CursorExpired",
    "TicketingError",
    "WebhookChange",
    "WebhookMessage",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]

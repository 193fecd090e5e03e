from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import httpx

from .._client import __version__, _delay_of
from .._webhooks import _webhook_with

_TIMEOUT_SECONDS = 10.0
_LONGEST_RETRY_AFTER = 43_200.0


@dataclass(frozen=True)
class Response:
    """A receiver's response to a message."""

    status: int | None
    """None without a response."""
    outcome: str
    milliseconds: float
    retry_after: float
    """In seconds; 0 by default."""

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


class Receiver:
    """Where messages go, in the form that the service's webhooks have."""

    def __init__(self, url: str, docs_url: str, secret: str | None) -> None:
        """
        :param docs_url: the service's address, which the User-Agent names.
        :param secret: of Standard Webhooks; a new one by default.
        :raises ValueError: if the address or the secret is malformed.
        """
        if not url.startswith(("http://", "https://")):
            raise ValueError("--forward-to must be the receiver's address, such as http://localhost:8000/hook.")
        self.url = url
        self.secret = (secret or f"whsec_{base64.b64encode(os.urandom(32)).decode()}").strip()
        self._webhook = _webhook_with(self.secret)
        self._user_agent = f"Ticketing-Webhooks/{__version__} (+{docs_url}/docs/webhooks.md)"
        # A proxy cannot reach this machine.
        self._http = httpx.Client(timeout=_TIMEOUT_SECONDS, trust_env=False)

    def post(self, kind: str, data: dict[str, Any]) -> Response:
        """Posts a message once, signed with the present time."""
        started = time.monotonic()
        request = self._request(kind, data, datetime.now(timezone.utc))
        try:
            # The status counts, whether or not the rest arrives.
            response = self._http.send(request, stream=True)
            response.close()
        except (httpx.RequestError, httpx.InvalidURL) as error:
            return Response(None, f"no response ({type(error).__name__})", _milliseconds_since(started), 0)
        delay = min(_delay_of(response.headers.get("Retry-After", "")), _LONGEST_RETRY_AFTER)
        return Response(response.status_code, str(response.status_code), _milliseconds_since(started), delay)

    def _request(self, kind: str, data: dict[str, Any], now: datetime) -> httpx.Request:
        timestamp = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        body = _json({"type": kind, "timestamp": timestamp, "data": data})
        # Equal content has an equal id, so that receivers recognise a repetition.
        digest = hashlib.sha256(f"listen\n{_json([kind, data, ''])}".encode()).digest()
        id = f"msg_{base64.urlsafe_b64encode(digest).decode()[:27]}"
        headers = {
            "accept": "*/*",
            "user-agent": self._user_agent,
            "content-type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._webhook.sign(id, now, body),
            "connection": "close",
        }
        # Not the client's own method, which adds headers.
        return httpx.Request("POST", self.url, headers=headers, content=body.encode())


def _json(value: object) -> str:
    """As JavaScript writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _milliseconds_since(started: float) -> float:
    return (time.monotonic() - started) * 1_000

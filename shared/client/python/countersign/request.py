"""One request, again while it may help: what was signed once is stored once, so sending it again does no harm."""

from __future__ import annotations

import random
import time
import urllib.request
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, cast

from .canonical import parse
from .errors import LedgerRefused, LedgerUnreachable

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""
_WAIT_BASE = 0.2
_WAIT_MOST = 5.0


class Request(NamedTuple):
    method: str
    url: str
    headers: Mapping[str, str]
    body: Optional[bytes]
    timeout: float
    """The longest time until the whole answer is there, in seconds."""


class Response(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """Their names are in lower case."""
    body: bytes


Transport = Callable[[Request], Response]
"""Sends one request, follows no redirect, and raises an OSError where there is no whole answer in time."""


class _AsAnswered(urllib.request.HTTPErrorProcessor):
    """Answers of every status are returned: a redirect is not followed, since it would take a token elsewhere."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


_opener = urllib.request.build_opener(_AsAnswered)


def by_urllib(request: Request) -> Response:
    """The transport of the standard library, which heeds `HTTPS_PROXY` and `SSL_CERT_FILE`."""
    end = time.monotonic() + request.timeout
    outgoing = urllib.request.Request(request.url, request.body, dict(request.headers), method=request.method)
    with _opener.open(outgoing, timeout=request.timeout) as answer:
        response = cast(HTTPResponse, answer)
        body = b""
        while chunk := response.read1(65_536):
            body += chunk
            if time.monotonic() > end:
                raise TimeoutError("The answer took too long.")
        if response.length:
            raise IncompleteRead(body, response.length)
        return Response(response.status, {name.lower(): value for name, value in response.headers.items()}, body)


def request(
    transport: Transport,
    server: str,
    method: str,
    target: str,
    *,
    headers: Callable[[], Dict[str, str]],
    body: Optional[str],
    timeout: float,
    attempts: int,
    is_signed: Callable[[Any, str], bool] = lambda answer, reason: False,
) -> Any:
    """Sends a request until it is answered, and returns the parsed body; None for an answer without one.

    The headers are made for each attempt, since a token lives for a minute. `is_signed` tells of a refusal and its
    reason whether the ledger signed it, and raises `LedgerUntrusted` for one that it should have signed. Raises
    `LedgerRefused` for an answer that no repetition changes, and `LedgerUnreachable` when there was none.
    """
    content = None if body is None else body.encode()
    for attempt in range(1, attempts + 1):
        outgoing = Request(method, f"{server}{target}", headers(), content, timeout)
        try:
            response = transport(outgoing)
        except (OSError, HTTPException) as error:
            if attempt >= attempts:
                raise LedgerUnreachable(f"No ledger answers at {server}.") from error
            time.sleep(_wait_of(attempt, ""))
            continue
        if response.status not in PASSING or attempt >= attempts:
            return _body_of(server, f"{method} {target}", response, attempt, is_signed)
        time.sleep(_wait_of(attempt, response.headers.get("retry-after", "")))
    raise ValueError("A request takes at least one attempt.")


def _body_of(
    server: str, what: str, response: Response, attempt: int, is_signed: Callable[[Any, str], bool]
) -> Any:
    try:
        body = parse(response.body.decode()) if response.body else None
    except ValueError as error:
        raise LedgerUnreachable(f"The server at {server} is no ledger.") from error
    if 200 <= response.status < 300:
        return body
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get("reason"), str):
        raise LedgerUnreachable(f"The server at {server} is no ledger.")
    custom, request_id = data.get("custom"), response.headers.get("x-request-id")
    about = custom if isinstance(custom, dict) else {}
    detail = str(data.get("detail", ""))
    is_own = is_signed(body, data["reason"])
    raise LedgerRefused(what, response.status, data["reason"], detail, about, request_id, attempt, is_own)


def _wait_of(attempt: int, retry_after: str) -> float:
    """The wait before the next attempt: what the server wants, or twice as long each time, with jitter."""
    if retry_after.isascii() and retry_after.isdigit():
        return min(float(retry_after), _WAIT_MOST)
    wait: float = _WAIT_BASE * 2 ** (attempt - 1)
    return min(wait, _WAIT_MOST) * random.uniform(0.5, 1)

"""Verification of a webhook in one call. Ruling 59, Standard Webhooks 1.0 (`v1a`)."""

from __future__ import annotations

import re
import time
from typing import Any, Dict, List, Mapping, Sequence, TypedDict, Union, cast

from .canonical import parse
from .errors import LedgerUntrusted, WebhookRefused
from .proofs import Proof, is_signed, verify_record


class EventMeta(TypedDict):
    proofs: List[Proof]


class WebhookEvent(TypedDict):
    """The event that a ledger has sent; `data.handle` is `evt_…`, and `data.signal` names what happened."""

    hash: str
    data: Dict[str, Any]
    meta: EventMeta


def verify_webhook(
    headers: Mapping[str, str], body: Union[str, bytes], *, key: Union[str, Sequence[str]], tolerance_seconds: float = 300
) -> WebhookEvent:
    """The event of a webhook, if the ledger with this public key has signed it and it is of now.

    Raises `WebhookRefused` otherwise. `key` may be several, as `ledger_keys_of` tells during a rotation. `body` is as it came, not parsed and printed again. A request that is older than
    the tolerance may be a recording. Keep the handles of the events that you have taken: one may come twice.
    """
    id, seconds, signatures = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not re.fullmatch("[0-9]{1,12}", seconds):
        raise WebhookRefused("It has no time.")
    if abs(time.time() - int(seconds)) > tolerance_seconds:
        raise WebhookRefused("Its time is too far from now.")
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else bytes(body)
    signed = f"{id}.{seconds}.".encode("utf-8", "surrogatepass") + content
    keys = [key] if isinstance(key, str) else key
    own = [one[4:] for one in signatures.split(" ") if one.startswith("v1a,")]
    if not any(is_signed(signed, one, by) for one in own for by in keys):
        raise WebhookRefused("It is not signed by the ledger.")
    return _event_in(content, id, keys)


def _event_in(content: bytes, id: str, keys: Sequence[str]) -> WebhookEvent:
    """The event in a body that the ledger has signed, which it has signed as a record, too."""
    try:
        event = verify_record(parse(content.decode()), trust=keys)
    except (LedgerUntrusted, ValueError) as error:
        raise WebhookRefused("Its event is not signed by the ledger.") from error
    if not isinstance(event["data"], dict) or event["data"].get("handle") != id:
        raise WebhookRefused("Its event is another one.")
    return cast(WebhookEvent, event)


def _header(headers: Mapping[str, str], name: str) -> str:
    """A header by its name in any case: frameworks give a mapping of their own, or a dict as it came."""
    found = headers.get(name)
    if found is None:
        found = next((value for other, value in headers.items() if other.lower() == name), "")
    return found if isinstance(found, str) else ""

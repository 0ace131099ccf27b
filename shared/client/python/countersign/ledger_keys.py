"""The keys of a ledger after a rotation: which of them count now, for whoever trusts one of them. Ruling 99."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, Optional, Union

from .canonical import parse
from .errors import LedgerUntrusted
from .proofs import hash_of, is_proof_of, verify_record

_TOLERANCE = 5 * 60
"""The clocks of two instances of the service may differ by this many seconds."""


def ledger_keys_of(signer: Union[str, bytes, Mapping[str, Any]], *, trust: str) -> List[str]:
    """The keys by which a ledger answers now, the newest first.

    Takes the answer of `GET /signers/system`, and a key that you trust, be it older or newer. Raises `LedgerUntrusted`
    where none follows from that key.
    """
    newest = newest_key_of(signer)
    record = verify_record(signer, trust=newest)
    for fault in follow_faults(record, trust):
        raise LedgerUntrusted(fault)
    keys = keys_of(record)
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    others = [key for key in keys[:-1] if "compromised" not in key and key["until"] >= now]
    return [newest, *(str(key["public"]) for key in others)]


def newest_key_of(signer: Union[str, bytes, Mapping[str, Any]]) -> str:
    """The newest key of a ledger, which has signed the record of its signer."""
    try:
        answer = parse(signer.decode() if isinstance(signer, bytes) else signer) if isinstance(signer, (str, bytes)) else signer
    except ValueError as error:
        raise LedgerUntrusted(f"The answer is not signed: {error}") from error
    data = answer.get("data") if isinstance(answer, Mapping) else None
    newest = str(data.get("public")) if isinstance(data, Mapping) else ""
    verify_record(answer, trust=newest)
    return newest


def keys_of(signer: Mapping[str, Any]) -> List[Dict[str, Any]]:
    """The keys of a signer of the service, oldest first."""
    keys, newest = signer["data"].get("keys"), signer["data"].get("public")
    if isinstance(keys, list):
        return keys
    return [{"public": newest, "from": signer["meta"].get("moment")}] if isinstance(newest, str) else []


def key_for(keys: List[Dict[str, Any]], proof: Mapping[str, Any], index: Optional[int] = None) -> Optional[Dict[str, Any]]:
    """The key that a signer had for a proof, at the moment that the proof states; None for one that was not its key then.

    What the log had before the next key came counts whatever it states: `index` is the leaf of the change.
    """
    found = next((key for key in keys if key["public"] == proof["public"]), None)
    moment = (proof.get("custom") or {}).get("moment")
    if found is None or not isinstance(moment, str) or (index is not None and index < found.get("size", 0)):
        return found
    at = _seconds_of(moment)
    is_begun = "proofs" not in found or at >= _seconds_of(found["from"]) - _TOLERANCE
    is_ended = "until" in found and at > _seconds_of(found["until"])
    return found if is_begun and not is_ended else None


def follow_faults(signer: Mapping[str, Any], trust: str) -> List[str]:
    """Why none of the keys of a signer follows from the trusted one, a sentence each; none where they follow."""
    keys = keys_of(signer)
    newest = keys[-1]["public"] if keys else None
    start = next((index for index, key in enumerate(keys) if key["public"] == trust), None)
    if start is None:
        return [f"The signer has the key {newest}, and no link leads there from {trust}."]
    unsafe = next((key for key in keys[start:-1] if "compromised" in key), None)
    told = unsafe and (
        f"The key {unsafe['public']} was reported as compromised at {unsafe['compromised']}: "
        f"get the newest key, which this ledger says is {newest}, from its operator."
    )
    return [*link_faults(signer), *([told] if told else [])]


def link_faults(signer: Mapping[str, Any]) -> List[str]:
    """The faults of a table of keys, a sentence each: a link that is not signed by both keys, or another newest key."""
    keys = keys_of(signer)
    befores: List[Optional[Dict[str, Any]]] = [None, *keys]
    odd = [key["public"] for before, key in zip(befores, keys) if not _is_linked(signer["luid"], key, before)]
    is_newest = bool(keys) and keys[-1]["public"] == signer["data"]["public"]
    return [
        *(f"The key {public} is not signed by the one before it and by itself." for public in odd),
        *([] if is_newest else ["The last key of the signer is not the one it shows."]),
    ]


def _is_linked(luid: str, key: Dict[str, Any], before: Optional[Dict[str, Any]]) -> bool:
    proofs = key.get("proofs", [])
    if before is None:
        return len(proofs) == 0
    hash = hash_of({"luid": luid, "after": before["public"], "public": key["public"], "from": key["from"]})
    signed = [proof["public"] for proof in proofs if is_proof_of(hash, proof)]
    return "until" in before and before["public"] in signed and key["public"] in signed


def _seconds_of(moment: str) -> float:
    """Seconds since 1970; NaN, which is neither before nor after anything, for a text that is no moment."""
    try:
        return datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp()
    except ValueError:
        return float("nan")

"""The keys of a ledger after a rotation: which of them count now, for whoever trusts one of them. Ruling 99."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Dict, List, Mapping, Union

from .canonical import parse
from .errors import LedgerUntrusted
from .proofs import Record, hash_of, is_proof_of, verify_record


def ledger_keys_of(signer: Union[str, bytes, Mapping[str, Any]], *, trust: str) -> List[str]:
    """The keys by which a ledger answers now, the newest first.

    Takes the answer of `GET /signers/system`, and a key that you trust, be it older or newer. Raises `LedgerUntrusted`
    where none follows from that key.
    """
    newest = newest_key_of(signer)
    record = verify_record(signer, trust=newest)
    keys = _keys_in(record)
    start = next((index for index, key in enumerate(keys) if key["public"] == trust), None)
    if start is None:
        raise LedgerUntrusted(f"The signer has the key {newest}, and no link leads there from {trust}.")
    _check_links(record, keys)
    for key in keys[start:-1]:
        if "compromised" in key:
            raise LedgerUntrusted(
                f"The key {key['public']} was reported as compromised at {key['compromised']}: "
                f"get the newest key, which this ledger says is {newest}, from its operator."
            )
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


def _keys_in(record: Record) -> List[Dict[str, Any]]:
    keys = record["data"].get("keys")
    return keys if isinstance(keys, list) else [{"public": record["data"]["public"]}]


def _check_links(record: Record, keys: List[Dict[str, Any]]) -> None:
    """Each key is signed by the one before it and by itself, and the last one is the signer's."""
    for before, key in zip(keys, keys[1:]):
        link = {"luid": record["luid"], "after": before["public"], "public": key["public"], "from": key["from"]}
        signed = [proof["public"] for proof in key.get("proofs", []) if is_proof_of(hash_of(link), proof)]
        if before["public"] not in signed or key["public"] not in signed or "until" not in before:
            raise LedgerUntrusted(f"The key {key['public']} is not signed by the one before it and by itself.")
    if keys[-1]["public"] != record["data"]["public"] or "proofs" in keys[0]:
        raise LedgerUntrusted("The last key of the signer is not the one it shows.")

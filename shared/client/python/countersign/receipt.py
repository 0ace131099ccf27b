"""Receipts: a change of a record is proven without the ledger and without a network. Rulings 98 to 100."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Sequence, Union

from .canonical import canonical_of, parse
from .errors import LedgerUntrusted
from .ledger_keys import follow_faults, key_for, keys_of, link_faults
from .log import Checkpoint, InclusionProof, Sighting, checkpoint_of, has_signed, proof_of_text, root_by_inclusion, sighting_on
from .proofs import Record, envelope_faults, hash_of, is_proof_of


@dataclass(frozen=True)
class VerifiedReceipt:
    """What a receipt has proven."""

    record: Record
    """The record, as it stood after the change."""
    moment: str
    """When the ledger made the change, by its own clock. ISO 8601 UTC."""
    index: int
    """The number of the leaf of the change in the log, from 0."""
    size: int
    """The number of leaves under the checkpoint."""
    seen: Sequence[Sighting]
    """When each of the witnesses that were asked for saw the checkpoint."""


def verify_receipt(
    receipt: Union[str, bytes, Mapping[str, Any]],
    *,
    trust: str,
    witnesses: Sequence[str] = (),
    signer: Optional[Mapping[str, Any]] = None,
) -> VerifiedReceipt:
    """The change that a receipt proves, by the key of the ledger alone; needs no network.

    `trust` is a key of the ledger, of today or of earlier. Each of the witnesses, given by its vkey, must have cosigned
    the checkpoint. `signer`, the answer of `GET /signers/system` of today, leads from its key to that of a receipt from
    before a rotation. Raises `LedgerUntrusted` with all that does not hold.
    """
    try:
        answer = parse(receipt if isinstance(receipt, str) else receipt.decode()) if isinstance(receipt, (str, bytes)) else receipt
        data = answer.get("data") if isinstance(answer, Mapping) else None
    except ValueError:
        data = None
    if data is None:
        raise LedgerUntrusted("The file is no receipt.")
    try:
        return _judged(data, trust, witnesses, signer)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise LedgerUntrusted("The file is no receipt: it lacks a part, or a part is of another form.") from error


def _judged(receipt: Any, trust: str, witnesses: Sequence[str], signer: Optional[Mapping[str, Any]]) -> VerifiedReceipt:
    record, system, log = receipt["record"], receipt["signers"]["system"], receipt["signers"]["log"]
    keys = keys_of(system)
    proof = proof_of_text(receipt["proof"])
    checkpoint = checkpoint_of(proof.checkpoint) if proof else None
    sightings = [sighting_on(proof.checkpoint if proof else "", vkey) for vkey in witnesses]
    faults = [
        *_trust_faults(system, keys, trust, signer),
        *_signer_faults(system, log, keys),
        *_record_faults(record, keys, proof.index if proof else None),
        *_log_faults(record, log, proof, checkpoint),
        *(each for each in sightings if isinstance(each, str)),
    ]
    if faults or proof is None or checkpoint is None:
        raise LedgerUntrusted(" ".join(faults))
    seen = [each for each in sightings if isinstance(each, Sighting)]
    return VerifiedReceipt(record, record["meta"]["moment"], proof.index, checkpoint.size, seen)


def _trust_faults(system: Any, keys: List[Any], trust: str, signer: Optional[Mapping[str, Any]]) -> List[str]:
    """The trusted key leads to the keys of the receipt: by its own table, or by that of the ledger's signer of today."""
    if any(key["public"] == trust for key in keys):
        return follow_faults(system, trust)
    newest = system["data"]["public"]
    other = f"The receipt is of the ledger with the key {newest}, not of that with {trust}."
    if signer is None:
        return [other]
    later = keys_of(signer)
    if signer["luid"] != system["luid"] or not _is_signed_by_newest(signer, later):
        return [other, "The signer is not that of the ledger of the receipt."]
    faults = follow_faults(signer, trust)
    is_known = not faults and any(key["public"] == newest for key in later)
    return [] if is_known else [other, *faults]


def _signer_faults(system: Any, log: Any, keys: List[Any]) -> List[str]:
    """The ledger's newest key has signed its own signer, with its keys; and the ledger has signed that of the log."""
    safe = [key for key in keys if "compromised" not in key]
    proofs = log["meta"]["proofs"]
    # The ledger states the luid: a factor has a key and a free name too, and the ledger signs that of every client.
    stated = [each for each in proofs if (each.get("custom") or {}).get("luid") == log["luid"]]
    is_vouched_for = _has_hash(log) and any(key_for(safe, each) and is_proof_of(log["hash"], each) for each in stated)
    is_log = is_vouched_for and log["luid"].startswith("$snr.") and log["data"].get("handle") == "log"
    return [
        *([] if _is_signed_by_newest(system, keys) else ["The signer of the ledger is not signed by its own key."]),
        *([] if is_log else ["The signer of the log is not signed by the key of the ledger."]),
        *link_faults(system),
        *link_faults(log),
    ]


def _record_faults(record: Any, keys: List[Any], index: Optional[int]) -> List[str]:
    """The hash is that of the data, every signature verifies, one is the ledger's, and luid and status are as it states."""
    proofs, drop = record["meta"]["proofs"], record["meta"].get("drop")
    own = [proof for proof in proofs if key_for(keys, proof, index)]
    # The leaf has the proofs of a drop behind those of the record, so without any it has nothing of a drop.
    signed = drop["meta"]["proofs"] if drop is not None else []
    is_signed = len(signed) > 0 and all(is_proof_of(drop["hash"], each) for each in signed)
    is_dropped = drop is None or (_has_hash(drop) and is_signed)
    return [
        *([] if _has_hash(record) else ["The hash of the record is not that of its data."]),
        *(f"A signature by {each['public']} does not verify." for each in proofs if not is_proof_of(record["hash"], each)),
        *([] if own else ["The ledger has not signed the record."]),
        *([] if is_dropped else ["A signature of the drop does not verify."]),
        *envelope_faults(record["luid"], record["meta"]["status"], own),
    ]


def _log_faults(record: Any, log: Any, proof: Optional[InclusionProof], checkpoint: Optional[Checkpoint]) -> List[str]:
    """The log's key has signed the checkpoint, and the path leads from the change to it."""
    if proof is None or checkpoint is None:
        return ["The proof of the log cannot be read."]
    is_signed_by_log = any(has_signed(key["public"], checkpoint) for key in keys_of(log))
    is_inside = root_by_inclusion(_entry_of(record), checkpoint.size, proof) == checkpoint.root
    return [
        *([] if is_signed_by_log else ["The checkpoint is not signed by the log of the ledger."]),
        *([] if is_inside else ["The log under the checkpoint does not have the change as the receipt shows it."]),
    ]


def _entry_of(record: Any) -> bytes:
    """The leaf of a change: the bytes that the log has."""
    meta = record["meta"]
    proofs = [*meta["proofs"], *(meta["drop"]["meta"]["proofs"] if "drop" in meta else [])]
    leaf = {"luid": record["luid"], "change": meta["change"], "hash": record["hash"], "moment": meta["moment"]}
    return canonical_of({**leaf, "proofs": hash_of(proofs)}).encode()


def _is_signed_by_newest(signer: Mapping[str, Any], keys: List[Any]) -> bool:
    newest = keys[-1]["public"] if keys else None
    proofs = signer["meta"]["proofs"]
    return _has_hash(signer) and any(each["public"] == newest and is_proof_of(signer["hash"], each) for each in proofs)


def _has_hash(record: Mapping[str, Any]) -> bool:
    return hash_of(record["data"]) == str(record["hash"]).lower()

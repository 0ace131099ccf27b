"""Hashes and signatures of the contract, as the service makes and verifies them. Rulings 1 to 4 and 7."""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Dict, List, Mapping, Optional, Protocol, Sequence, TypedDict, Union, cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .canonical import canonical_of, parse
from .errors import LedgerUntrusted, UnknownKey

_P = 2**255 - 19
_Y8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})
"""The y of the points of small order: under keys of them anyone could sign."""
_INTENT_STATUSES = ("pending", "processing", "prepared", "committed", "completed", "failed", "aborted", "rejected")
"""The statuses of an intent. Its other statements are about entries, which have a handle, signatures and reversals."""


class Signer(Protocol):
    """A holder of a private key: a `Key`, or a service that signs, such as a KMS or an HSM."""

    @property
    def public(self) -> str:
        """The public key: base64 of its 32 bytes."""

    def sign(self, data: bytes) -> bytes:
        """The ed25519 signature of these bytes, 64 bytes long. RFC 8032 5.1.6."""


class _Signed(TypedDict):
    method: str
    public: str
    digest: str
    result: str


class Proof(_Signed, total=False):
    """A signature over a hash, and what its signer states about it."""

    custom: Dict[str, Any]
    signer: str


class Meta(TypedDict, total=False):
    proofs: List[Proof]
    status: str
    moment: str


class _Hashed(TypedDict):
    hash: str
    data: Any
    meta: Meta


class Record(_Hashed, total=False):
    """An answer as the ledger signed it: a record, or a list of them."""

    luid: str
    page: Dict[str, Any]


def hash_of(data: Any) -> str:
    """The hash of some data: hex SHA-256 of its canonical JSON. Ruling 2."""
    return _sha256(canonical_of(data))


def digest_of(hash: str, custom: Optional[Mapping[str, Any]] = None) -> str:
    """The digest that a proof signs: hex SHA-256 of the hash text and the canonical JSON of `custom`. Ruling 3."""
    return _sha256(hash.lower() + ("" if custom is None else canonical_of(custom)))


def prove(hash: str, custom: Optional[Mapping[str, Any]], signer: Signer) -> Proof:
    """Signs a hash and, when it is given, a `custom`. Rulings 3 and 4."""
    digest = digest_of(hash, custom)
    result = base64.b64encode(signer.sign(bytes.fromhex(digest))).decode()
    proof: Proof = {"method": "ed25519-v2", "public": signer.public, "digest": digest, "result": result}
    if custom is not None:
        proof["custom"] = dict(custom)
    return proof


def is_proof_of(hash: str, proof: Any) -> bool:
    """True when the proof signs this hash."""
    if not isinstance(proof, dict):
        return False
    digest = digest_of(hash, proof.get("custom"))
    stated = proof.get("digest")
    return (
        isinstance(stated, str)
        and stated.lower() == digest
        and is_signed(bytes.fromhex(digest), proof.get("result"), proof.get("public"))
    )


def is_signed(data: bytes, result: Any, public: Any) -> bool:
    """True when the holder of a public key signed these bytes.

    Keys and signatures must be canonical base64. Keys of small order, for which anyone could sign, are refused, and so
    is an R of small order, which not all verifiers take. Ruling 7, Decision 153.
    """
    signature, key = bytes_in(result, 64), bytes_in(public, 32)
    if signature is None or key is None:
        return False
    if not _is_safe(key) or not _is_safe(signature[:32]):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
        return True
    except (InvalidSignature, ValueError):
        return False


def _is_safe(point: bytes) -> bool:
    """True for the canonical encoding of a y that no point of small order has."""
    y = int.from_bytes(point, "little") & (2**255 - 1)
    return y < _P and y not in _SMALL_ORDER


def bytes_in(text: Any, count: int) -> Optional[bytes]:
    """The bytes of a canonical base64 text of this length; None for any other value. RFC 4648 3.5 and 4."""
    if not isinstance(text, str):
        return None
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return found if len(found) == count and base64.b64encode(found).decode() == text else None


def verify_record(record: Union[str, bytes, Mapping[str, Any]], *, trust: Union[str, Sequence[str]]) -> Record:
    """A record that the holder of the key `trust`, or of one of them, signed, and whose every proof verifies; needs no network.

    Takes a record as it was answered, parsed or as its text. Its luid and the status of an intent are those that were
    signed. Raises `LedgerUntrusted` otherwise.
    """
    try:
        answer = parse(_text(record)) if isinstance(record, (str, bytes)) else record
        return _verified(answer, [trust] if isinstance(trust, str) else trust)
    except (TypeError, ValueError) as error:
        raise LedgerUntrusted(f"The answer is not signed: {error}") from error


def _verified(answer: Any, trust: Sequence[str]) -> Record:
    members = answer if isinstance(answer, Mapping) else {}
    given = members.get("meta")
    meta: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    proofs = meta.get("proofs")
    hash = members.get("hash")
    if not isinstance(hash, str) or not isinstance(proofs, list):
        raise LedgerUntrusted("The answer is not signed.")
    if hash != hash_of(members.get("data")):
        raise LedgerUntrusted("The hash of the answer is not that of its data.")
    if not any(isinstance(proof, dict) and proof.get("public") in trust for proof in proofs):
        raise UnknownKey("The answer is not signed by the ledger.")
    for index, proof in enumerate(proofs):
        if not is_proof_of(hash, proof):
            raise LedgerUntrusted(f"Proof {index} of the answer does not verify.")
    _check_envelope(members.get("luid"), meta.get("status"), [each for each in proofs if each["public"] in trust])
    return cast(Record, answer)


def _check_envelope(luid: Any, status: Any, own: List[Proof]) -> None:
    """The luid and the status of an intent stand beside the data: the ledger signs them in what its proofs state."""
    for fault in envelope_faults(luid, status, own):
        raise LedgerUntrusted(fault)


def envelope_faults(luid: Any, status: Any, own: Sequence[Mapping[str, Any]]) -> List[str]:
    """What the ledger has signed otherwise than it stands beside the data, a sentence each."""
    statements = [proof.get("custom") or {} for proof in own]
    signed_luid = next((each["luid"] for each in statements if "luid" in each), luid)
    faults: List[str] = []
    if luid is not None and signed_luid != luid:
        faults.append("The luid is not the one that the ledger has signed.")
    all_statuses = [each.get("status") for each in statements if "handle" not in each]
    is_intent = isinstance(luid, str) and luid.startswith("$int.")
    statuses = [each for each in all_statuses if each in (_INTENT_STATUSES if is_intent else ("dropped",))]
    if statuses and statuses[-1] != status:
        faults.append(f"The status is not the last that the ledger has signed, which is {statuses[-1]}.")
    return faults


def _text(text: Union[str, bytes]) -> str:
    return text if isinstance(text, str) else text.decode()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

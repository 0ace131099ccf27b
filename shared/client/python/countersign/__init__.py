"""A Countersign ledger from Python: payments, lists and webhooks, signed and verified."""

from .canonical import canonical_of
from .claims import Address, Claim, Money, destroy, issue, money, transfer
from .errors import LedgerError, LedgerRefused, LedgerUnreachable, LedgerUntrusted, WebhookRefused
from .key import Key
from .ledger import Ledger, connect, token_for
from .ledger_keys import ledger_keys_of
from .log import Sighting
from .proofs import Meta, Proof, Record, Signer, digest_of, hash_of, is_proof_of, prove, verify_record
from .receipt import VerifiedReceipt, verify_receipt
from .request import Request, Response, Transport, by_urllib
from .webhook import WebhookEvent, verify_webhook

__all__ = [
    "Address",
    "Claim",
    "Key",
    "Ledger",
    "LedgerError",
    "LedgerRefused",
    "LedgerUnreachable",
    "LedgerUntrusted",
    "Meta",
    "Money",
    "Proof",
    "Record",
    "Request",
    "Response",
    "Sighting",
    "Signer",
    "Transport",
    "VerifiedReceipt",
    "WebhookEvent",
    "WebhookRefused",
    "by_urllib",
    "canonical_of",
    "connect",
    "destroy",
    "digest_of",
    "hash_of",
    "is_proof_of",
    "issue",
    "ledger_keys_of",
    "money",
    "prove",
    "token_for",
    "transfer",
    "verify_receipt",
    "verify_record",
    "verify_webhook",
]

"""Errors between a client and a ledger."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class LedgerError(Exception):
    """Any error of this package that is no mistake of its caller."""


class LedgerUnreachable(LedgerError):
    """There was no answer in time, after all attempts. A change may have been stored: send it again."""


class LedgerUntrusted(LedgerError):
    """The answer is not the ledger's: its hash or a signature does not hold. Or it is, and to something else."""


class UnknownKey(LedgerUntrusted):
    """No proof of the answer is by a key of the ledger that is known: it may have another one by now."""


class WebhookRefused(LedgerError):
    """The request is not the ledger's, or not of now. The message says why, and nothing of the content."""


class LedgerRefused(LedgerError):
    """The request was refused: by the ledger, or by what stands before it."""

    def __init__(
        self,
        what: str,
        status: int,
        reason: str,
        detail: str = "",
        custom: Optional[Mapping[str, Any]] = None,
        request_id: Optional[str] = None,
        attempt: int = 1,
        is_signed: bool = False,
    ) -> None:
        super().__init__(f"{what}: {reason}: {detail}")
        self.status = status
        """The status of HTTP."""
        self.reason = reason
        """`record.duplicated` and the others of the reference."""
        self.custom: Mapping[str, Any] = custom or {}
        self.request_id = request_id
        """The id by which the operator finds the request."""
        self.attempt = attempt
        """The number of the attempt that was refused, from 1: an earlier one may have been stored."""
        self.is_signed = is_signed
        """False for a refusal of a gateway or the server that the ledger has not signed: the change may be stored."""

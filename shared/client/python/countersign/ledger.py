"""A client of a ledger: it signs what it sends, verifies what is answered, and sends again what got no answer."""

from __future__ import annotations

import base64
import json
import re
import time
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import quote, urlencode

from .canonical import canonical_of
from .claims import Claim
from .errors import LedgerRefused, LedgerUntrusted, UnknownKey
from .expected import (
    aside_of,
    check_ended,
    check_expected,
    check_made,
    check_previewed,
    end_of,
    may_be_unsigned,
    target_by,
)
from .ledger_keys import ledger_keys_of, newest_key_of
from .proofs import Record, Signer, hash_of, prove, verify_record
from .request import Transport, by_urllib, request

Query = Mapping[str, Any]
"""Members of a query; a list is given as several members. `data.custom.city`, `meta.status.$in` and others."""
_FINAL = ("completed", "rejected")
_POLL_SECONDS = 0.1
_TOKEN_SECONDS = 60


@dataclass(frozen=True)
class _Options:
    server: str
    signer: Optional[Signer]
    ledger: Optional[str]
    timeout: float
    attempts: int
    transport: Transport

    def send(
        self,
        method: str,
        target: str,
        body: Optional[Mapping[str, Any]] = None,
        is_signed: Callable[[Any, str], bool] = lambda answer, reason: False,
    ) -> Any:
        text = None if body is None else canonical_of(body)
        return request(
            self.transport,
            self.server,
            method,
            target,
            headers=lambda: self._headers(body is not None),
            body=text,
            timeout=self.timeout,
            attempts=self.attempts,
            is_signed=is_signed,
        )

    def _headers(self, has_body: bool) -> Dict[str, str]:
        """With a token where nothing else is signed."""
        headers = {"user-agent": "countersign-python"}
        if self.ledger is not None:
            headers["x-ledger"] = self.ledger
        if has_body:
            headers["content-type"] = "application/json"
        elif self.signer is not None:
            headers["authorization"] = f"Bearer {token_for(self.server, self.signer)}"
        return headers


def connect(
    server: str,
    *,
    signer: Optional[Signer] = None,
    ledger: Optional[str] = None,
    trust: Optional[str] = None,
    timeout: float = 30.0,
    attempts: int = 4,
    transport: Transport = by_urllib,
) -> Ledger:
    """A client of the ledger at this base address, such as `http://127.0.0.1:3000/v2`. Threads may share it.

    signer: signs what is sent, and the tokens of reads. Without one, only an open ledger can be read.
    ledger: the handle of the ledger; without it, the server's default ledger.
    trust: the ledger's public key, from a source that you trust. Without it, the first answer is believed.
    timeout: the longest time for one attempt, in seconds.
    attempts: the attempts of a request before it fails.
    """
    if not re.match("https?://", server):
        raise ValueError(f"'{server}' is no address of a server; write it as https://ledger.example/v2.")
    if attempts < 1:
        raise ValueError("A request takes at least one attempt.")
    options = _Options(server.rstrip("/"), signer, ledger, timeout, attempts, transport)
    if trust:
        return Ledger(options, [trust])
    signer = options.send("GET", "/signers/system")
    return Ledger(options, ledger_keys_of(signer, trust=newest_key_of(signer)))


class Ledger:
    """A ledger that answers. What it answers is returned when its hash and every proof hold, and it is what was asked.

    Methods raise `LedgerRefused`, `LedgerUnreachable` and `LedgerUntrusted`. The members of a path are given by name:
    `ledger.get("/wallets/{id}", id="alice")`.
    """

    def __init__(self, options: _Options, keys: Sequence[str]) -> None:
        self._options = options
        self._keys = keys

    @property
    def key(self) -> str:
        """The public key of the ledger, by which its answers are verified.

        It changes when the ledger rotates its key and the one before, which this client trusts, has signed the new one:
        keep it in place of that. Ruling 99.
        """
        return self._keys[0]

    def get(self, path: str, *, query: Optional[Query] = None, **members: str) -> Record:
        """Reads a record, or a page of a list."""
        return self._read(_target(path, members, query))

    def list(self, path: str, *, query: Optional[Query] = None, **members: str) -> Iterator[Record]:
        """Reads a list to its end, page by page."""
        # An empty cursor is the begin of a list whose pages continue each other, also while it grows.
        cursor: Optional[str] = ""
        while cursor is not None:
            page = self.get(path, query={**(query or {}), "page.cursor": cursor}, **members)
            yield from page["data"]
            cursor = page.get("page", {}).get("next")

    def create(
        self, path: str, data: Mapping[str, Any], *, custom: Optional[Mapping[str, Any]] = None, **members: str
    ) -> Record:
        """Creates a record: `create("/wallets", {"handle": "alice"})`.

        One that this signer made before with the same handle and the same data is returned, so a create whose answer
        was lost is made again without harm.
        """
        target = _target(path, members)
        body = self._signed(data, {"status": "created", **(custom or {})})
        try:
            return self._made("POST", target, body)
        except LedgerRefused as error:
            is_taken = error.reason == "record.duplicated"
            luid = quote(str(error.custom.get("luid")), safe="")
            own = self._own_in(f"{target}/{luid}", body["hash"], error) if is_taken else None
            if own is None:
                raise
            return own

    def post(self, path: str, data: Mapping[str, Any], **members: str) -> Optional[Record]:
        """Posts signed data where no record is made: `post("/intents/!preview", data)`.

        None for an answer without a body.
        """
        target, body = _target(path, members), self._signed(data, {"status": "created"})
        answer = self._send("POST", target, body)
        if answer is None and "/!" not in path:
            return None
        record = self._verified(answer)
        if path.endswith("/!preview"):
            check_previewed(target, data, record)
        elif "/!" in path:
            check_expected(target, record)
        else:
            check_made(target, None, body["hash"], body["meta"]["proofs"], record)
        return record

    def update(
        self, path: str, record: Record, change: Mapping[str, Any], *, hands_over: bool = False, **members: str
    ) -> Record:
        """Replaces members of a record's data: `update("/wallets/{id}", wallet, {"schema": "savings"})`.

        The record is returned as it is when this signer has made this change before.
        hands_over: the key of this client hands over what it owns to the new `public` of a signer or a factor. Go on
        with a client of that key. Ruling 105.
        """
        target = _target(path, {"id": _id_of(record), **members})
        data = {**record["data"], **change, "parent": record["hash"]}
        body = self._signed(data, self._handover(change) if hands_over else {})
        try:
            return self._made("PUT", target, {**_luid_of(record), **body})
        except LedgerRefused as error:
            is_changed = error.reason == "crypto.parent-hash-invalid"
            own = self._own_in(target, body["hash"], error) if is_changed else None
            if own is None:
                raise
            return own

    def drop(self, path: str, record: Record, **members: str) -> None:
        """Ends a record: `drop("/wallets/{id}/drop", wallet)`.

        The answer is empty, so its end is read in the history of the record, if this signer may read that and the
        record has a luid.
        """
        target = _target(path, {"id": _id_of(record), **members})
        body = {**_luid_of(record), **self._signed({"parent": record["hash"]}, {"status": "dropped"})}
        try:
            self._send("POST", target, body)
        except LedgerRefused as error:
            # The attempt before got no answer, and has ended it.
            if error.reason != "record.not-found" or error.attempt == 1:
                raise
        if "luid" in record:
            self._see_ended(target, record["luid"])

    def prove(self, path: str, record: Record, custom: Mapping[str, Any], **members: str) -> Record:
        """Adds a proof to a record: a status, a consent, a decision."""
        proof = prove(record["hash"], {"moment": _now(), **custom}, self._signer())
        target = _target(path, {"id": _id_of(record), **members})
        answer = self._verified(self._send("POST", target, proof))
        check_made(target, record.get("luid"), record["hash"], [proof], answer)
        return answer

    def pay(
        self,
        claims: Union[Claim, Sequence[Claim]],
        *,
        handle: Optional[str] = None,
        schema: Optional[str] = None,
        custom: Optional[Mapping[str, Any]] = None,
        config: Optional[Mapping[str, Any]] = None,
        reverses: Optional[str] = None,
    ) -> Record:
        """Signs and sends an intent of these claims; `meta.status` tells how it went.

        handle: the intent is made once by it, however often it is sent; by default a random one.
        reverses: the handle of the intent that this one undoes.
        """
        given = {"schema": schema, "custom": custom, "config": config, "reverses": reverses}
        more = {name: value for name, value in given.items() if value is not None}
        all_claims = [claims] if isinstance(claims, dict) else [*claims]
        return self.create("/intents", {"handle": handle or f"pay-{uuid.uuid4()}", "claims": all_claims, **more})

    def settled(self, intent: Record, within: float = 60.0) -> Record:
        """The intent once it is completed or rejected, or as it is after so many seconds."""
        end = time.monotonic() + within
        while intent["meta"].get("status") not in _FINAL and time.monotonic() < end:
            time.sleep(_POLL_SECONDS)
            intent = self.get("/intents/{id}", id=intent["luid"])
        return intent

    def _handover(self, change: Mapping[str, Any]) -> Dict[str, Any]:
        """The statement that the key of this client hands over to the one that a change brings, in this ledger."""
        if not isinstance(change.get("public"), str):
            raise TypeError("Nothing is handed over without a new key: name it in `public`.")
        ledger = self._options.ledger or self.get("/ledger")["data"]["handle"]
        return {"ledger": ledger, "successor": change["public"]}

    def _signer(self) -> Signer:
        if self._options.signer is None:
            raise TypeError("A change needs a signer: connect(server, signer=key).")
        return self._options.signer

    def _signed(self, data: Mapping[str, Any], custom: Mapping[str, Any]) -> Dict[str, Any]:
        hash = hash_of(data)
        proof = prove(hash, {"moment": _now(), **custom}, self._signer())
        return {"hash": hash, "data": data, "meta": {"proofs": [proof]}}

    def _send(self, method: str, target: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        def is_signed(answer: Any, reason: str) -> bool:
            return self._is_signed(f"{method} {target}", answer, reason)

        return self._options.send(method, target, body, is_signed)

    def _is_signed(self, what: str, answer: Any, reason: str) -> bool:
        """True for a refusal that the ledger has signed. Raises `LedgerUntrusted` for one that nobody else may give."""
        is_of_anybody = may_be_unsigned(what, reason)
        try:
            if is_of_anybody:
                verify_record(answer, trust=self._keys)
            else:
                self._verified(answer)
        except LedgerUntrusted as error:
            if is_of_anybody:
                return False
            raise LedgerUntrusted(f"The refusal {reason} of {what} is not the ledger's. {error}") from error
        return True

    def _read(self, target: str) -> Record:
        """Reads what is at a path, and nothing else that the ledger has signed."""
        answer = self._verified(self._send("GET", target))
        check_expected(target, answer, self._options.ledger)
        aside = aside_of(target, answer)
        if aside is not None:
            check_expected(target_by(target, answer, self._read(aside)), answer)
        return answer

    def _made(self, method: str, target: str, body: Mapping[str, Any]) -> Record:
        """Sends a signed body, and takes what it has made."""
        answer = self._verified(self._send(method, target, body))
        check_made(target, body.get("luid"), body["hash"], body["meta"]["proofs"], answer)
        return answer

    def _see_ended(self, target: str, luid: str) -> None:
        """Reads whether a record has ended."""
        place, history = end_of(target, luid)
        hidden = ["auth.forbidden", "auth.unauthorized", *([] if history else ["record.not-found"])]
        try:
            check_ended(place, self._read(history or place))
        except LedgerRefused as error:
            if not (error.is_signed and error.reason in hidden):
                raise

    def _verified(self, answer: Any) -> Record:
        record = answer if isinstance(answer, dict) else {}
        try:
            return verify_record(record, trust=self._keys)
        except UnknownKey as unknown:
            # The ledger may have another key by now, which the trusted one has signed.
            signer = self._options.send("GET", "/signers/system")
            try:
                self._keys = ledger_keys_of(signer, trust=self.key)
            except LedgerUntrusted as error:
                raise LedgerUntrusted(f"{unknown} {error}") from error
            return verify_record(record, trust=self._keys)

    def _own_in(self, target: str, hash: str, error: LedgerRefused) -> Optional[Record]:
        """The record of this hash, if it is what is stored, and signed by this signer: an attempt before stored it."""
        if error.custom.get("hash") != hash:
            return None
        record = self._read(target)
        own = self._signer().public
        is_own = record["hash"] == hash and any(proof["public"] == own for proof in record["meta"]["proofs"])
        return record if is_own else None


def token_for(server: str, signer: Signer, now: Optional[float] = None) -> str:
    """A token for a server that is good for a minute from now, for requests without a signed body. Ruling 26."""
    iat = int(time.time() if now is None else now)
    header = {"alg": "EdDSA", "typ": "JWT", "kid": signer.public}
    claims = {"iss": signer.public, "aud": server, "iat": iat, "exp": iat + _TOKEN_SECONDS}
    text = ".".join(_url(json.dumps(part, separators=(",", ":")).encode()) for part in (header, claims))
    return f"{text}.{_url(signer.sign(text.encode()))}"


def _url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _luid_of(record: Record) -> Dict[str, str]:
    return {"luid": record["luid"]} if "luid" in record else {}


def _id_of(record: Record) -> str:
    """The id of a record in a path."""
    return str(record["data"].get("handle") or record.get("luid", ""))


def _target(path: str, members: Mapping[str, str], query: Optional[Query] = None) -> str:
    """The path with its members filled in, and the query."""
    unknown = [name for name in members if f"{{{name}}}" not in path and name != "id"]
    if unknown:
        raise TypeError(f"The path {path} has no '{unknown[0]}'.")

    def filled(match: re.Match[str]) -> str:
        text = str(members.get(match[1], ""))
        # With an empty part it would be another path, as that of the list.
        if not text:
            raise TypeError(f"The path {path} needs '{match[1]}'.")
        return quote(text, safe="")

    whole = re.sub(r"\{(\w+)\}", filled, path)
    if re.search(r"/\.\.?(/|$)", whole):
        raise TypeError(f"No URL can carry '.' or '..' as a part of a path, as in {whole}.")
    pairs = [pair for name, value in (query or {}).items() for pair in _pairs(name, value)]
    return f"{whole}?{urlencode(pairs)}" if pairs else whole


def _pairs(name: str, value: Any) -> Iterator[Tuple[str, str]]:
    for one in value if isinstance(value, (list, tuple)) else [value]:
        if one is not None:
            yield name, str(one).lower() if isinstance(one, bool) else str(one)

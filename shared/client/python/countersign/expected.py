"""Compares an answer with what was asked.

A ledger has signed many answers, and no signature names the request: whoever stands between may answer with another
one of the same ledger. Decision 156.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import parse_qsl, quote, unquote

from .errors import LedgerUntrusted
from .proofs import Record

_PREFIXES = {
    **{"ledgers": "ldg", "signers": "snr", "symbols": "sym", "wallets": "wlt", "intents": "int"},
    **{"effects": "eff", "circles": "crc", "bridges": "brg", "domains": "dom", "anchors": "anc"},
    **{"schemas": "sch", "policies": "plc", "reports": "rep"},
    **{"signers/factors": "snf", "circles/signers": "csn"},
}
"""The kinds of records by the parts of their paths: the first letters of their luids."""
_KEEPS_NAMES = ("ldg", "int", "csn", "dom", "sch", "rep")
"""Those whose records keep their names."""
_LISTS = {
    **{"balances": "bal", "limits": "lmt", "entries": None, "anchors": "anc"},
    **{"domains": "dom", "events": "evd", "access": None},
}
"""Lists of a record, by their part of the path: the first letters of the luids of their rows, if these have any."""
_NAMES_WALLET = ("balances", "limits", "entries", "anchors")
_UNSIGNED = frozenset(
    ["api.body-malformed", "api.rate-limit-exceeded", "api.request-timeout"]
    + ["api.route-not-found", "api.unexpected-error"]
)
"""Refusals that a ledger need not sign: of a gateway, a service without its database, a server without the ledger."""


def may_be_unsigned(what: str, reason: str) -> bool:
    """True for a refusal that others than the ledger may give. The server's key refuses the making of a ledger."""
    return reason in _UNSIGNED or what == "POST /ledgers"


@dataclass(frozen=True)
class _Unsure:
    """A record whose other name has to be known, by its part of the path."""

    part: int
    other: str
    unless: Optional[Mapping[str, str]] = None
    """The names of the answer that leave no doubt."""


@dataclass(frozen=True)
class _Expected:
    """The answer to a path, as far as the path tells."""

    form: str
    prefix: Optional[str] = None
    luid: Optional[str] = None
    members: Mapping[str, str] = field(default_factory=dict)
    first: Optional[Mapping[str, str]] = None
    change: Optional[str] = None
    unsure: Optional[_Unsure] = None


@dataclass(frozen=True)
class _Place:
    prefix: str
    id: Optional[str]
    owner: Mapping[str, str]
    rest: Sequence[str]


def check_expected(target: str, answer: Record, ledger: Optional[str] = None) -> None:
    """Raises `LedgerUntrusted` for an answer that is not one to this path, with its query."""
    expected = _expected_at(target, ledger)
    if expected is not None and not _is_of(expected, answer):
        raise _other_than(target, answer)


def check_made(
    target: str, luid: Optional[str], hash: str, proofs: Sequence[Mapping[str, Any]], answer: Record
) -> None:
    """Raises `LedgerUntrusted` for an answer that is not what was made of this hash by these proofs."""
    expected = _expected_at(re.sub(r"/(proofs|sign)$", "", target), None)
    held = {(proof["public"], proof["digest"]) for proof in answer["meta"]["proofs"]}
    prefix = _prefix_of(answer.get("luid"))
    is_made = (
        all((proof["public"], proof["digest"]) in held for proof in proofs)
        and answer["hash"] == hash.lower()
        and (expected is None or expected.prefix == prefix)
        and luid in (None, answer.get("luid"))
    )
    if not is_made:
        raise _other_than(target, answer)


def check_previewed(target: str, data: Mapping[str, Any], answer: Record) -> None:
    """Raises `LedgerUntrusted` for the preview of another intent."""
    found = answer["data"]
    if not isinstance(found, dict) or found.get("handle") != data.get("handle"):
        raise _other_than(target, answer)


def end_of(dropping: str, luid: str) -> Tuple[str, Optional[str]]:
    """The place of a record, by its luid, and that of its last change; members of circles have no history."""
    place = re.sub(r"[^/]+/drop$", lambda _: quote(luid, safe=""), dropping)
    return place, None if place.startswith("/circles/") else f"{place}/changes?page.limit=1"


def check_ended(place: str, answer: Record) -> None:
    """Raises `LedgerUntrusted` for a record, or the newest change of one, that is not the end of it."""
    rows = answer["data"] if isinstance(answer["data"], list) else []
    if not rows or _dict(_dict(rows[0]).get("meta")).get("status") != "dropped":
        raise LedgerUntrusted(f"The answer was that {place} is dropped, and the ledger says otherwise.")


def aside_of(target: str, answer: Record) -> Optional[str]:
    """The path of the record to read before an answer is believed; None where path and answer tell enough.

    Rows name a wallet by its handle also where it was asked for by its luid, and changes have the name of their time.
    """
    unsure = _doubt_in(target, answer)
    return None if unsure is None else "/".join(target.split("?")[0].split("/")[: unsure.part + 1])


def target_by(target: str, answer: Record, record: Record) -> str:
    """The same path, with the other name of this record."""
    unsure = _doubt_in(target, answer)
    assert unsure is not None
    path, mark, search = target.partition("?")
    parts = path.split("/")
    name = record.get("luid") if unsure.other == "luid" else _dict(record["data"]).get("handle")
    parts[unsure.part] = quote(str(name), safe="")
    return "/".join(parts) + mark + search


def _doubt_in(target: str, answer: Record) -> Optional[_Unsure]:
    expected = _expected_at(target, None)
    if expected is None or expected.unsure is None:
        return None
    data: Any = answer["data"]
    row: Any = data["record"] if expected.form == "receipt" else answer
    if isinstance(data, list):
        row = data[0] if data else None
    unless = expected.unsure.unless
    return None if row is None or (unless is not None and _has_members(row, unless)) else expected.unsure


def _other_than(target: str, answer: Record) -> LedgerUntrusted:
    return LedgerUntrusted(
        f"The answer is not to what was asked, {target}: the ledger has signed it, and it is {_name_of(answer)}."
    )


def _name_of(answer: Any) -> str:
    """An answer in a few words."""
    luid, data = _dict(answer).get("luid"), _dict(answer).get("data")
    if isinstance(data, list):
        return f"a list of {_name_of(data[0])} and others" if data else "an empty list"
    members = _dict(data)
    if "luid" in _dict(members.get("record")):
        return f"the receipt of {_name_of(members['record'])}"
    if "reason" in members:
        return f"the error {members['reason']}"
    names = [str(members["handle"])] if "handle" in members else []
    names += [] if luid is None else [f"({luid})"]
    owners = [f"{name} {members[name]}" for name in ("wallet", "symbol") if isinstance(members.get(name), str)]
    return " ".join(names + ([f"of {', '.join(owners)}"] if owners else [])) or "no record"


def _expected_at(target: str, ledger: Optional[str]) -> Optional[_Expected]:
    """The expected answer to a path; None for a path of which this client knows nothing."""
    path, _, search = target.partition("?")
    group, *more = [unquote(part) for part in path.split("/")[1:]]
    query = parse_qsl(search, keep_blank_values=True)
    if group in ("", "health"):
        return _Expected("data")
    if group == "balances":
        return _Expected("list", prefix=None if more else "bal", members=_symbol_in(query))
    if group == "ledger":
        return _at(_Place("ldg", ledger, {}, more), query)
    place = _place_of(group, more)
    if place is None or place.id is not None:
        return place and _at(place, query)
    return _Expected("list", prefix=place.prefix, members=place.owner)


def _symbol_in(query: List[Tuple[str, str]]) -> Dict[str, str]:
    return next(({"symbol": value} for name, value in query if name == "symbol"), {})


def _place_of(group: str, more: Sequence[str]) -> Optional[_Place]:
    """The place in a path; None for a path that leads to no kind of records."""
    id, below = [*more, None, None][:2]
    nested = _PREFIXES.get(f"{group}/{below}")
    if nested is not None:
        own = more[2] if len(more) > 2 else None
        # The owner is named by the member of its kind: signer, circle.
        return _Place(nested, own, _named(group[:-1], id), more[3:])
    prefix = _PREFIXES.get(group)
    return None if prefix is None else _Place(prefix, id, {}, more[1:])


def _at(place: _Place, query: List[Tuple[str, str]]) -> Optional[_Expected]:
    """The expected answer at a record, and below it."""
    part, own = [*place.rest, None, None][:2]
    if part is None:
        return _record_at(place, is_now=True)
    if part in ("changes", "receipt"):
        return _change_at(place, query)
    unsure = _Unsure(2, "handle") if _is_luid(place.id) else None
    if part == "supply":
        return _Expected("data", members=_named("symbol", place.id), unsure=unsure)
    if part not in _LISTS:
        return None
    if part == "events" and own is not None:
        return _Expected("record", prefix="evd", luid=_luid_in("evd", own))
    if place.prefix != "wlt" or part not in _NAMES_WALLET:
        return _Expected("list", prefix=_LISTS[part])
    symbol = _symbol_in(query) if part == "entries" else {}
    return _Expected("list", prefix=_LISTS[part], members={**_named("wallet", place.id), **symbol}, unsure=unsure)


def _record_at(place: _Place, *, is_now: bool) -> _Expected:
    """The record of a place, by the names that it has now, or that it has always had."""
    names = {**place.owner, **_named("signer" if place.prefix == "csn" else "handle", place.id)}
    record = _Expected("record", prefix=place.prefix, luid=_luid_in(place.prefix, place.id))
    if is_now or place.prefix in _KEEPS_NAMES:
        return replace(record, members=names)
    unsure = _Unsure(4 if place.prefix == "snf" else 2, "luid", unless=names)
    return record if _is_luid(place.id) else replace(record, unsure=unsure)


def _change_at(place: _Place, query: List[Tuple[str, str]]) -> _Expected:
    """A change of the record of a place, its receipt, or all of its changes."""
    part, change, below = [*place.rest, None, None, None][:3]
    record = _record_at(place, is_now=False)
    if part == "receipt":
        return replace(record, form="receipt")
    if change is not None:
        return replace(record, change=change, form="receipt" if below == "receipt" else "record")
    is_from_newest = all(name == "page.limit" or (name, value) == ("page.cursor", "") for name, value in query)
    first = _record_at(place, is_now=True).members if is_from_newest else None
    return replace(record, form="changes", first=first)


def _named(member: str, id: Optional[str]) -> Dict[str, str]:
    """A member that names a record, unless that was named by its luid."""
    return {} if id is None or _is_luid(id) else {member: id}


def _luid_in(prefix: str, id: Optional[str]) -> Optional[str]:
    """The luid, where the record was named by it: one of another kind may lead to it as well."""
    return id if id is not None and id.startswith(f"${prefix}.") else None


def _is_luid(id: Optional[str]) -> bool:
    return id is not None and re.match(r"\$[a-z]{3}\.", id) is not None


def _is_of(expected: _Expected, answer: Record) -> bool:
    data: Any = answer["data"]
    if expected.form == "list":
        return isinstance(data, list) and all(_is_row(expected, row) for row in data)
    if expected.form == "changes":
        return isinstance(data, list) and (not data or _are_changes_of(expected, data))
    if expected.form == "receipt":
        return isinstance(data, dict) and _is_row(expected, data.get("record"))
    return _is_row(expected, answer)


def _are_changes_of(expected: _Expected, rows: Sequence[Any]) -> bool:
    """True for changes of one record, the newest first."""
    one = replace(expected, luid=expected.luid or str(_dict(rows[0]).get("luid")))
    return all(_is_row(one, row) for row in rows) and _has_members(rows[0], expected.first or {})


def _is_row(expected: _Expected, row: Any) -> bool:
    if not isinstance(row, dict):
        return False
    luid = row.get("luid")
    return (
        (luid is None if expected.prefix is None else _prefix_of(luid) == expected.prefix)
        and expected.luid in (None, luid)
        and expected.change in (None, str(_dict(row.get("meta")).get("change")))
        and _has_members(row, expected.members)
    )


def _has_members(row: Any, members: Mapping[str, str]) -> bool:
    data = _dict(row).get("data")
    if not isinstance(data, dict) or ("luid" not in row and "reason" in data):
        return False
    return all(data.get(name) == text for name, text in members.items())


def _prefix_of(luid: Any) -> Optional[str]:
    found = re.match(r"\$([a-z]{3})\.", luid) if isinstance(luid, str) else None
    return found[1] if found else None


def _dict(value: Any) -> Dict[str, Any]:
    return value if isinstance(value, dict) else {}

"""Canonical JSON: one text for each value, by RFC 8785. Hashes and signatures are of this text. Ruling 1."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any, Dict, List, Tuple

_SURROGATE = re.compile("[\ud800-\udfff]")


def canonical_of(value: Any) -> str:
    """The canonical JSON of a value of dicts, lists, texts, numbers, booleans and None.

    An integer prints as its digits, however many they are, since a balance has up to 38 (Ruling 39). A float prints
    as ECMAScript prints it. NaN, infinities and values that JSON does not know raise a ValueError or a TypeError.
    """
    try:
        return _printed(value)
    except RecursionError:
        raise ValueError("The value is nested too deeply, or holds itself.") from None


def parse(text: str) -> Any:
    """The value of a JSON text, with exact integers. A member given twice and NaN raise a ValueError."""
    try:
        return json.loads(text, object_pairs_hook=_members, parse_constant=_refused)
    except RecursionError:
        raise ValueError("The JSON is nested too deeply.") from None


def _printed(value: Any) -> str:
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return number_of(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(name)}:{_printed(value[name])}" for name in _sorted(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_printed, value)) + "]"
    raise TypeError(f"A {type(value).__name__} is no JSON value.")


def number_of(value: float) -> str:
    """A float as ECMAScript prints it: the shortest digits that read as the same number. ECMA-262 6.1.6.1.20."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is no JSON number.")
    if value == 0:
        return "0"
    # repr() gives the same shortest digits, but places point and exponent in its own way.
    negative, raw, exponent = Decimal(repr(value)).as_tuple()
    assert isinstance(exponent, int)
    digits = "".join(map(str, raw))
    point = len(digits) + exponent
    digits = digits.rstrip("0")
    return ("-" if negative else "") + _placed(digits, point)


def _placed(digits: str, point: int) -> str:
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"


def _quoted(text: str) -> str:
    if _SURROGATE.search(text):
        raise ValueError("A text holds half of a surrogate pair.")
    return json.dumps(text, ensure_ascii=False)


def _sorted(value: Dict[str, Any]) -> List[str]:
    """Names in the order of their UTF-16 code units, which is not that of their code points."""
    return sorted(value, key=_units_of)


def _units_of(name: Any) -> bytes:
    if not isinstance(name, str):
        raise TypeError("The names of members are texts.")
    return name.encode("utf-16-be", "surrogatepass")


def _members(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("The JSON gives a member twice.")
    return members


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number.")

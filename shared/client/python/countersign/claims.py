"""Claims of an intent, with amounts as people write them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Callable, Dict, TypedDict, Union

Address = Union[str, Dict[str, Any]]
"""A handle, or an address with details."""

Claim = Dict[str, Any]

_DECIMAL = re.compile(r"([0-9]+)(?:\.([0-9]+))?")
_MOST = 2**53 - 1


class Money(TypedDict):
    """An amount of a symbol, in its smallest unit."""

    symbol: str
    amount: int


def money(symbol: str, factor: int) -> Callable[[Union[str, int, Decimal]], Money]:
    """A maker of amounts of a symbol with this factor, the number of its smallest units in one: 100 for cents.

    It takes a text, an int or a Decimal, never a float. A part of the smallest unit raises a ValueError, as does an
    amount above 2^53 - 1.

        usd = money("usd", 100)
        usd("25.50")  # {"symbol": "usd", "amount": 2550}
    """
    if type(factor) is not int or factor < 1:
        raise ValueError("The factor of a symbol is a whole number from 1.")
    return lambda amount: {"symbol": symbol, "amount": _units_of(amount, factor)}


def _units_of(amount: Union[str, int, Decimal], factor: int) -> int:
    if isinstance(amount, (float, bool)):
        raise TypeError("An amount is a text, an int or a Decimal: a float is not exact.")
    text = format(amount, "f") if isinstance(amount, Decimal) else str(amount)
    match = _DECIMAL.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is no amount; write it as 25.50.")
    whole, part = match[1], match[2] or ""
    scale: int = 10 ** len(part)
    units, rest = divmod(int(whole + part) * factor, scale)
    if rest:
        raise ValueError(f"'{text}' has a part of the smallest unit, which is 1/{factor}.")
    if not 1 <= units <= _MOST:
        raise ValueError(f"'{text}' is not between 1 and 2^53 - 1 of the smallest unit.")
    return units


def transfer(source: Address, target: Address, money: Money) -> Claim:
    """Moves an amount from one wallet to another."""
    return {"action": "transfer", "source": source, "target": target, **money}


def issue(target: Address, money: Money) -> Claim:
    """Creates an amount in a wallet."""
    return {"action": "issue", "target": target, **money}


def destroy(source: Address, money: Money) -> Claim:
    """Takes an amount out of a wallet, and out of the world."""
    return {"action": "destroy", "source": source, **money}

"""The log of a ledger, as receipts need it: notes, checkpoints, cosignatures and paths. RFC 9162, C2SP."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import List, Optional, Sequence, Tuple, Union

from .proofs import is_signed

_TEXT, _COSIGNATURE = 1, 4
"""The types of signatures by ed25519 keys: over the text of a note, or of a time and the text. C2SP signed-note."""
_SIGNATURE_COUNT_MAX = 64
_INT_MAX = 2**53 - 1
"""The most leaves that every client counts."""
_SECONDS_MAX = 253402300799
"""The last second of the year 9999: every client can say any earlier one as a moment."""
_LINE = re.compile("\u2014 ([^\\s+]+) ([A-Za-z0-9+/]+={0,2})")
_VKEY = re.compile(r"([^\s+]{1,256})\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})")
_CONTROL = re.compile("[\u0000-\u0009\u000b-\u001f]")
_COUNT = re.compile("0|[1-9][0-9]*")


@dataclass(frozen=True)
class Note:
    """A signed text with the line break at its end, and its signatures: name, id of the key, bytes."""

    text: str
    signatures: Sequence[Tuple[str, bytes, bytes]]


@dataclass(frozen=True)
class Checkpoint:
    """The head of a log at a size. C2SP tlog-checkpoint."""

    origin: str
    size: int
    root: bytes
    note: Note


@dataclass(frozen=True)
class InclusionProof:
    """The number of a leaf from 0, its path to the root, and the note of the checkpoint. C2SP tlog-proof."""

    index: int
    path: Sequence[bytes]
    checkpoint: str


@dataclass(frozen=True)
class Sighting:
    """A witness, by its name, and when it saw the checkpoint, ISO 8601 UTC."""

    witness: str
    moment: str


def checkpoint_of(text: str) -> Optional[Checkpoint]:
    """The checkpoint in a signed note; None for a text that holds none."""
    note = _note_of(text)
    lines = note.text.split("\n") if note else []
    if note is None or len(lines) < 4 or lines[0] == "" or "" in lines[3:-1]:
        return None
    size, root = _count_in(lines[1]), _bytes_of(lines[2])
    if size is None or root is None or len(root) != 32:
        return None
    return Checkpoint(lines[0], size, root, note)


def proof_of_text(text: str) -> Optional[InclusionProof]:
    """The proof of inclusion in a text; None for a text that holds none."""
    head, _, checkpoint = text.partition("\n\n")
    first, *lines = head.split("\n")
    if lines and lines[0].startswith("extra "):
        lines = lines[1:]
    index = _count_in(lines[0][len("index ") :]) if lines and lines[0].startswith("index ") else None
    path = [_bytes_of(line) for line in lines[1:]]
    hashes = [each for each in path if each is not None and len(each) == 32]
    if first != "c2sp.org/tlog-proof@v1" or index is None or len(hashes) != len(path):
        return None
    return InclusionProof(index, hashes, checkpoint)


def root_by_inclusion(entry: bytes, size: int, proof: InclusionProof) -> Optional[bytes]:
    """The root of the tree that follows from an entry and its path; None for a path of another length. RFC 9162 2.1.3.2."""
    if proof.index >= size:
        return None
    node, last = proof.index, size - 1
    root = hashlib.sha256(b"\x00" + entry).digest()
    for hash in proof.path:
        if last == 0:
            return None
        if node % 2 == 1 or node == last:
            root = hashlib.sha256(b"\x01" + hash + root).digest()
            while node % 2 == 0 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            root = hashlib.sha256(b"\x01" + root + hash).digest()
        node, last = node >> 1, last >> 1
    return root if last == 0 else None


def has_signed(public: str, checkpoint: Checkpoint) -> bool:
    """True when the log with this key has signed the checkpoint, and no line under the key's name is wrong."""
    key = _bytes_of(public)
    own = [] if key is None else _signatures_by(checkpoint.note, checkpoint.origin, _TEXT, key)
    text = checkpoint.note.text.encode()
    return len(own) > 0 and all(is_signed(text, _text_of(each), public) for each in own)


def sighting_on(checkpoint: str, vkey: str) -> Union[Sighting, str]:
    """When a witness saw a checkpoint, by its vkey; or what is missing, a sentence. C2SP tlog-cosignature."""
    found = _VKEY.fullmatch(vkey)
    typed = _bytes_of(found[3]) if found else None
    if not found or typed is None or len(typed) != 33 or typed[0] != _COSIGNATURE or _id_of(found[1], typed).hex() != found[2]:
        return f"'{vkey}' is not the key of a witness."
    name, public = found[1], _text_of(typed[1:])
    read = checkpoint_of(checkpoint)
    times: List[Optional[int]] = []
    for timed in _signatures_by(read.note, name, _COSIGNATURE, typed[1:]) if read else []:
        seconds = int.from_bytes(timed[:8], "big")
        bytes = f"cosignature/v1\ntime {seconds}\n{read.note.text if read else ''}".encode()
        is_good = len(timed) == 72 and seconds <= _SECONDS_MAX and is_signed(bytes, _text_of(timed[8:]), public)
        times.append(seconds if is_good else None)
    good = [each for each in times if each is not None]
    # One wrong signature under the name and the id of the witness refuses the others, too.
    if not good or len(good) != len(times):
        return f"The witness {name} has not cosigned the checkpoint."
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=max(good))
    return Sighting(name, moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"))


def _note_of(note: str) -> Optional[Note]:
    end = note.rfind("\n\n")
    if end < 0 or not note.endswith("\n") or _CONTROL.search(note):
        return None
    lines = note[end + 2 : -1].split("\n")
    signatures = [each for each in map(_signature_in, lines) if each is not None]
    if len(signatures) != len(lines) or len(lines) > _SIGNATURE_COUNT_MAX:
        return None
    return Note(note[: end + 1], signatures)


def _signature_in(line: str) -> Optional[Tuple[str, bytes, bytes]]:
    found = _LINE.fullmatch(line)
    data = _bytes_of(found[2]) if found else None
    if not found or data is None or len(data) <= 4:
        return None
    return found[1], data[:4], data[4:]


def _signatures_by(note: Note, name: str, type: int, key: bytes) -> List[bytes]:
    """The signatures under the name and the id of a key; none of them is verified."""
    id = _id_of(name, bytes([type]) + key)
    return [signature for by, of, signature in note.signatures if by == name and of == id]


def _id_of(name: str, typed: bytes) -> bytes:
    return hashlib.sha256(f"{name}\n".encode() + typed).digest()[:4]


def _count_in(text: str) -> Optional[int]:
    count = int(text) if _COUNT.fullmatch(text) and len(text) <= 16 else None
    return count if count is not None and count <= _INT_MAX else None


def _bytes_of(text: str) -> Optional[bytes]:
    """The bytes of a canonical base64 text; None for any other text. RFC 4648 3.5."""
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return found if _text_of(found) == text else None


def _text_of(data: bytes) -> str:
    return base64.b64encode(data).decode()

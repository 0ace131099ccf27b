"""Keys in memory. A key that must not leave its vault is a `Signer` of its own."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Union

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from .proofs import bytes_in


class Key:
    """A signer whose secret is in memory. Printing it shows the public key alone."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self.__private = private
        public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.public = base64.b64encode(public).decode()

    @classmethod
    def new(cls) -> Key:
        """A new key."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_secret(cls, secret: str) -> Key:
        """The key of a secret: base64 of its 32 bytes. Raises a ValueError for any other text, without the text."""
        seed = bytes_in(secret.strip(), 32)
        if seed is None:
            raise ValueError("A secret is the base64 of 32 bytes.")
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @classmethod
    def from_file(cls, path: Union[str, os.PathLike[str]]) -> Key:
        """The key in a file of its secret, which only its owner may read."""
        if os.name == "posix" and os.stat(path).st_mode & 0o077:
            raise PermissionError(f"Others may read the key in {path}. Forbid it: chmod 600 {path}")
        try:
            return cls.from_secret(Path(path).read_text("utf-8"))
        except ValueError:
            raise ValueError(f"{path} contains no key.") from None

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the secret into a new file, for its owner only."""
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{self.export_secret()}\n")

    def sign(self, data: bytes) -> bytes:
        return self.__private.sign(data)

    def export_secret(self) -> str:
        """The 32 secret bytes in base64, as key files hold them."""
        seed = self.__private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return base64.b64encode(seed).decode()

    def __repr__(self) -> str:
        return f"Key(public={self.public!r})"

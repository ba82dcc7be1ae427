"""Web Push messages: encryption by RFC 8291 (aes128gcm) and the server's identification by RFC 8292 (VAPID).

It is a page of code on the `cryptography` package, which passkeys need anyway; the libraries for it bring two HTTP
clients of their own, which can't be told where not to connect.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

__all__ = ["ServerKey", "decode64", "encode64", "encrypt", "read_public_key"]

CURVE: Final = ec.SECP256R1()
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many points the curve has (P-256)."""
POINT: Final = 65
"""Bytes of a public key: an uncompressed point of the curve."""
SECRET: Final = 16
"""Bytes of a subscription's authentication secret."""
RECORD_SIZE: Final = 4096
VALID_SECONDS: Final = 12 * 3600
"""How long the server's identification holds; at most a day is allowed."""


def encode64(data: bytes) -> str:
    """Base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode64(text: str) -> bytes:
    """Reads base64 for addresses, with or without padding; ValueError when it isn't any."""
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


def read_public_key(text: str) -> ec.EllipticCurvePublicKey:
    """Reads a subscription's public key; ValueError when it isn't a point of the curve."""
    data = decode64(text)
    if len(data) != POINT:
        raise ValueError(f"expected {POINT} bytes, got {len(data)}")
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _new_pair(entropy: Callable[[int], bytes]) -> ec.EllipticCurvePrivateKey:
    """A key pair from random bytes; eight more than it needs, so that no key is likelier than another."""
    number = int.from_bytes(entropy(40), "big") % (ORDER - 1) + 1
    return ec.derive_private_key(number, CURVE)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def encrypt(
    message: bytes,
    p256dh: str,
    auth: str,
    entropy: Callable[[int], bytes],
    own: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Encrypts a message so that only the subscription's browser can read it.

    Args:
        message: At most 3993 bytes.
        p256dh: The browser's public key.
        auth: The browser's authentication secret.
        entropy: Returns random bytes: the salt.
        own: The key pair of this message; by default a new one.
    """
    theirs = read_public_key(p256dh)
    pair = _new_pair(entropy) if own is None else own
    salt, ours = entropy(16), _point(pair.public_key())
    info = b"WebPush: info\0" + _point(theirs) + ours
    secret = _derive(pair.exchange(ec.ECDH(), theirs), decode64(auth), info, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, message + b"\x02", None)
    return salt + struct.pack("!LB", RECORD_SIZE, len(ours)) + ours + sealed


@dataclass(frozen=True, slots=True)
class ServerKey:
    """The key by which push services know this server."""

    private: ec.EllipticCurvePrivateKey

    @classmethod
    def generate(cls, entropy: Callable[[int], bytes]) -> str:
        """Makes a key, as text to be stored."""
        number = _new_pair(entropy).private_numbers().private_value
        return encode64(number.to_bytes(32, "big"))

    @classmethod
    def read(cls, text: str) -> ServerKey:
        """Reads a stored key."""
        return cls(ec.derive_private_key(int.from_bytes(decode64(text), "big"), CURVE))

    @property
    def public(self) -> str:
        """What browsers subscribe with."""
        return encode64(_point(self.private.public_key()))

    def authorization(self, endpoint: str, subject: str, now_ms: int) -> str:
        """The ``Authorization`` header of a message to an endpoint."""
        address = urlsplit(endpoint)
        claims = {
            "aud": f"{address.scheme}://{address.netloc}",
            "exp": now_ms // 1000 + VALID_SECONDS,
            "sub": subject,
        }
        parts = [
            encode64(json.dumps(part, separators=(",", ":")).encode())
            for part in ({"typ": "JWT", "alg": "ES256"}, claims)
        ]
        signed = ".".join(parts).encode()
        r, s = decode_dss_signature(
            self.private.sign(signed, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
        )
        signature = encode64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed.decode()}.{signature}, k={self.public}"

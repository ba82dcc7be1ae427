"""A push service on loopback for tests, with a browser's keys: it decrypts what it gets."""

import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from stampede.server.notices.encryption import encode64

CURVE = ec.SECP256R1()


class Device:
    """A browser's keys."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(CURVE)
        self.auth = b"0123456789abcdef"

    @property
    def point(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": encode64(self.point), "auth": encode64(self.auth)}

    def decrypt(self, body: bytes) -> bytes:
        """Reads a message, written anew from RFC 8188 and 8291."""
        salt, (_, length) = body[:16], struct.unpack("!LB", body[16:21])
        point, sealed = body[21 : 21 + length], body[21 + length :]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        shared = self.private.exchange(ec.ECDH(), theirs)

        def hkdf(secret: bytes, salt: bytes, info: bytes, size: int) -> bytes:
            return HKDF(hashes.SHA256(), size, salt, info).derive(secret)

        secret = hkdf(shared, self.auth, b"WebPush: info\0" + self.point + point, 32)
        key = hkdf(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = hkdf(secret, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        assert plain.endswith(b"\x02")
        return plain[:-1]


class PushService:
    """What it got, and what it answers next: 201 unless told otherwise."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.device = Device()
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(self.device.decrypt(body)) for _, _, body in self.got]

    def subscription(self, name: str, language: str = "en") -> dict[str, Any]:
        endpoint = f"{self.base}/{name}"
        return {"endpoint": endpoint, "keys": self.device.keys, "language": language}


@contextmanager
def push_service() -> Iterator[PushService]:
    """A running push service."""
    found: list[PushService] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): text for name, text in self.headers.items()}
            found[0].got.append((self.path, headers, body))
            self.send_response(found[0].answers.pop(0) if found[0].answers else 201)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        found.append(PushService(server.server_port))
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield found[0]
        finally:
            server.shutdown()

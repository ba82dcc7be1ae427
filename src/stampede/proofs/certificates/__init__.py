"""Certificates: proofs in files that anybody can check, and the check.

Read `check` and `tables` to believe it; ``docs/certificates.md`` explains it. Nothing here imports the search that
finds proofs.
"""

from __future__ import annotations

from stampede.proofs.certificates.format import (
    CertificateClaim,
    CertificateFault,
    CertificateHeader,
    Recogniser,
)
from stampede.proofs.certificates.verify import RebuiltTablebase, Verdict, verify
from stampede.proofs.certificates.window_game import WindowSpec
from stampede.proofs.certificates.writer import claim_of, write_certificate

__all__ = [
    "CertificateClaim",
    "CertificateFault",
    "CertificateHeader",
    "RebuiltTablebase",
    "Recogniser",
    "Verdict",
    "WindowSpec",
    "claim_of",
    "verify",
    "write_certificate",
]

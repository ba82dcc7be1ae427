"""Certificates: proofs as files that anyone can check, and the check.

To believe a proof you only need to read `check` and `window_solver`; ``docs/certificates.md`` explains them. Nothing
here imports the search that finds proofs.
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

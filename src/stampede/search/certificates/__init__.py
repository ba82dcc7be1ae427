"""Certificates: proofs in files that anybody can check, and the check.

Read `check` and `tables` to believe it; ``docs/certificates.md`` explains it. Nothing here imports the search that
finds proofs.
"""

from __future__ import annotations

from stampede.search.certificates.format import CertificateFault, Claim, Header, Recogniser
from stampede.search.certificates.spec import TableSpec
from stampede.search.certificates.verify import TableReport, Verdict, verify
from stampede.search.certificates.writer import claim_of, write_certificate

__all__ = [
    "CertificateFault",
    "Claim",
    "Header",
    "Recogniser",
    "TableReport",
    "TableSpec",
    "Verdict",
    "claim_of",
    "verify",
    "write_certificate",
]

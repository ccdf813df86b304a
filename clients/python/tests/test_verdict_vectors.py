"""Receipts, webhooks and audit proofs, against the vectors."""

import unittest

from svc_client import ReceiptVerifier, verify_audit_proof, verify_webhook

from .vectors import read_vectors


class ReceiptVectors(unittest.TestCase):
    def test_each_receipt_has_the_verdict_of_the_typescript_client(self) -> None:
        vectors = read_vectors("receipts")
        for case in vectors["cases"]:
            with self.subTest(case["name"]):
                check = case.get("check", {})
                verifier = ReceiptVerifier(
                    issuer=vectors["issuer"],
                    audience=check.get("audience", vectors["audience"]),
                    keys=vectors["keys"],
                    accept=check.get("accept", ["grant"]),
                    check_status=False,
                )
                verdict = verifier.verify(
                    case["receipt"],
                    agent_id=check.get("agentId"),
                    key_thumbprint=check.get("keyThumbprint"),
                    now=check.get("now", vectors["now"]),
                )
                self.assertEqual((verdict.ok, verdict.reason), (case["reason"] is None, case["reason"]))
                self.assertEqual(verdict.claims is not None, verdict.ok)


class WebhookVectors(unittest.TestCase):
    def test_each_webhook_has_the_verdict_of_the_typescript_client(self) -> None:
        for case in read_vectors("webhooks")["cases"]:
            for body in (case["body"], case["body"].encode()):
                with self.subTest(case["name"]):
                    verdict = verify_webhook(body, case["headers"], case["secrets"], now=case["now"])
                    self.assertEqual((verdict.ok, verdict.reason), (case["reason"] is None, case["reason"]))


class AuditProofVectors(unittest.TestCase):
    def test_each_proof_document_has_the_verdict_of_the_typescript_implementation(self) -> None:
        for case in read_vectors("audit-proofs")["cases"]:
            with self.subTest(case["name"]):
                self.assertEqual(verify_audit_proof(case["document"]), case["ok"])

    def test_anything_else_is_no_proof(self) -> None:
        proof = next(case["document"] for case in read_vectors("audit-proofs")["cases"] if case["ok"])
        names = ("root", "leafHash", "index", "treeSize", "inclusionProof")
        documents: list[dict[str, object]] = [{**proof, name: -5} for name in names]
        documents += [{}, {"entry": 1}, {"entry": "%"}, {**proof, "inclusionProof": [None]}]
        for document in documents:
            self.assertFalse(verify_audit_proof(document))

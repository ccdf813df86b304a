"""Receipts of verify-access. Source: docs/receipts.md."""

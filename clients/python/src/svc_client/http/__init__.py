"""Calls of the service: requests, retries, errors."""

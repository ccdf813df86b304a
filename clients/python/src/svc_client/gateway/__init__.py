"""The gateway in front of a counterparty's handlers. Source: Spec: Client library contract."""

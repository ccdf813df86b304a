"""Guards Python services against agents, presents agents to counterparties, and verifies webhooks and receipts."""

from .agent.agent_client import AgentClient, AsyncAgentClient
from .agent.agent_key import AgentKey, AgentSigner, compute_thumbprint
from .agent.challenge_apps import challenge_asgi, challenge_wsgi
from .agent.intent_proof import create_intent_proof
from .agent.owner_account import OwnerAccount
from .agent.pending_counterparties import PendingCounterparties
from .agent.presented_identity import read_presented_identity
from .agent.presenter import Presenter
from .agent.sign_http_request import SignatureAuth, SignatureOptions, sign_http_request
from .agent.sign_request import MessageSigner, sign_request
from .audit_proof import verify_audit_proof
from .gateway.asgi import AsgiGateway
from .gateway.gateway_calls import Verified
from .gateway.request_facts import RequestFacts
from .gateway.route_gate import compile_route_gate
from .gateway.wsgi import WsgiGateway
from .http.errors import SvcApiError, is_unavailable
from .receipts.verify_receipt import AsyncReceiptVerifier, ReceiptVerdict, ReceiptVerifier
from .verify_client import AsyncVerifyClient, VerifyClient
from .webhooks import WebhookVerdict, verify_webhook

__all__ = [
    "AgentClient",
    "AgentKey",
    "AgentSigner",
    "AsgiGateway",
    "AsyncAgentClient",
    "AsyncReceiptVerifier",
    "AsyncVerifyClient",
    "MessageSigner",
    "OwnerAccount",
    "PendingCounterparties",
    "Presenter",
    "ReceiptVerdict",
    "ReceiptVerifier",
    "RequestFacts",
    "SignatureAuth",
    "SignatureOptions",
    "SvcApiError",
    "Verified",
    "VerifyClient",
    "WebhookVerdict",
    "WsgiGateway",
    "challenge_asgi",
    "challenge_wsgi",
    "compile_route_gate",
    "compute_thumbprint",
    "create_intent_proof",
    "is_unavailable",
    "read_presented_identity",
    "sign_http_request",
    "sign_request",
    "verify_audit_proof",
    "verify_webhook",
]

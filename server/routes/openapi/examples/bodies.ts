import type { z } from 'zod'
import type { OperationKey, operations } from '../../../../core/contract/operations.ts'
import { AGENT_ID, DEVELOPER_ID, ENDPOINT_ID, OWNER_ADDRESS } from './members.ts'
import { RESOURCE_EXAMPLES } from './resources.ts'

type BodyOf<Key extends OperationKey> = (typeof operations)[Key] extends {
  body: infer Body extends z.ZodType
}
  ? z.input<Body>
  : never

const EXAMPLES: { readonly [Key in OperationKey]?: BodyOf<Key> } = {
  'POST /api/agents/verify-access/:sessionId/decision': { decision: 'granted', reason: 'Order accepted' },
  'POST /access/v1/evaluations': {
    subject: { type: 'agent', id: AGENT_ID },
    evaluations: [
      { action: { name: 'read_data:list' }, resource: { type: 'api', id: '/catalogue' } },
      { action: { name: 'shopping:buy' }, resource: { type: 'api', id: '/orders/4711' } },
    ],
    options: { evaluations_semantic: 'execute_all' },
  },
  'POST /api/agents/register': {
    name: 'Shopping assistant',
    description: 'Buys office supplies',
    model: { modelName: 'open-model-7b', modelProvider: 'self-hosted', modelType: 'llm' },
    pdlss: {
      purpose: { categories: ['shopping', 'read_data'], allowedActions: ['shopping.buy', 'read_data.list'] },
      limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: 'EUR' },
      scope: { resources: ['/orders/**', '/catalogue/**'] },
    },
  },
  'PATCH /api/agents/:id': { description: 'Buys office supplies for Berlin' },
  'POST /api/agents/:id/credentials': {
    type: 'did',
    value: 'did:web:agents.example:shopping',
    challenge: 'q83vASNFZ4mrze8BI0VniQ',
    proof: 'eyJhbGciOiJFZERTQSJ9.eyJub25jZSI6InE4M3YifQ.c2lnbmF0dXJl',
  },
  'POST /api/endpoints': {
    name: 'Orders API',
    counterpartyType: 'api',
    counterpartyUrl: 'https://shop.example/api',
    trustScoreRequirement: 50,
    unverifiedAgentPolicy: 'deny',
  },
  'PUT /api/endpoints/:id': { trustScoreRequirement: 60, unverifiedAgentPolicy: 'allow_partial' },
  'POST /api/endpoints/:id/claim': { name: 'Orders API', trustScoreRequirement: 50 },
  'POST /api/endpoints/:id/allowlist': {
    allowedOwnerIdentifier: DEVELOPER_ID,
    minTrustScore: 30,
    allowedPurposes: ['shopping'],
  },
  'PATCH /api/organizations/:id/members/:userId': { role: 'admin' },
  'POST /api/organizations': { name: 'Acme Orders' },
  'POST /api/api-keys': { name: 'Gateway of the shop' },
  'POST /api/auth/siwe': {
    message: `registry.example wants you to sign in with your Ethereum account:\n${OWNER_ADDRESS}\n\nURI: https://registry.example\nVersion: 1\nChain ID: 31337\nNonce: k3Xv9QpL2mZs\nIssued At: 2026-03-02T09:30:00.000Z`,
    signature: `0x${'9c2f41d7'.repeat(16)}1b`,
  },
  'POST /api/auth/password/change': {
    currentPassword: 'an older pass phrase',
    newPassword: 'correct horse battery staple',
  },
  'DELETE /api/auth/mfa/totp': { code: '492039' },
  'POST /api/registration-requests/:requestId/deny': { reason: 'We do not know this agent' },
  'POST /api/admin/kyd/:id/reject': { reason: 'The photo of the passport is blurred' },
}

const MCP_BODY = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'verify_agent',
    arguments: { agentId: AGENT_ID, counterpartyId: ENDPOINT_ID, purpose: 'shopping:buy' },
  },
}

/** Examples of request bodies, by method and path, where the required members alone would say too little. */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = { ...EXAMPLES, 'POST /mcp': MCP_BODY }

const CHECKPOINT =
  'registry.example/log\n1088\nPW8KLJt+QdWKH8Dis0do2T+lwX4JstQ4bOcf9aDY4uk=\n\n— registry.example/log obLD1AABAgMEBQYHCAkKCwwNDg8=\n'

/**
 * Examples of responses that are not JSON, or whose members depend on one another, by method and path, and by media type
 * where it is not the usual one.
 */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  'GET /api/activity/stream': `id: 1041\nevent: verification.completed\ndata: ${JSON.stringify(RESOURCE_EXAMPLES.Event)}\n\n`,
  'POST /api/agents/request-registration': {
    success: true,
    requestId: '0198c2e4-9d42-7f18-a6c3-7b5e2d9f4a01',
    message: 'The owner has been asked to approve the registration.',
    pollUrl: '/api/agents/request-registration/0198c2e4-9d42-7f18-a6c3-7b5e2d9f4a01',
  },
  'GET /api/step-up-approvals/:approvalId': {
    success: true,
    approval: { ...Object(RESOURCE_EXAMPLES.StepUpApproval), assertionOptions: null },
  },
  'POST /api/agents/:id/credentials/challenge': {
    success: true,
    challenge: 'q83vASNFZ4mrze8BI0VniQ',
    audience: 'https://registry.example',
    message: 'SVC-CREDENTIAL-V1\nhttps://registry.example\nq83vASNFZ4mrze8BI0VniQ',
    expiresAt: '2026-03-02T09:45:00.000Z',
  },
  'POST /api/endpoints/:id/verify-domain': {
    success: true,
    verified: true,
    method: 'dns',
    challenge: {
      dns: {
        name: '_svc-challenge.shop.example',
        type: 'TXT',
        value: 'svc-endpoint-verification=3q2796tvuerb7',
      },
      wellKnown: {
        url: 'https://shop.example/.well-known/svc-endpoint-verification.json',
        body: { verifications: [{ svceId: ENDPOINT_ID, token: '3q2796tvuerb7' }] },
      },
    },
    failures: [],
    endpoint: { ...Object(RESOURCE_EXAMPLES.Endpoint), verificationTier: 'domain_verified' },
  },
  'GET /.well-known/jwks.json': {
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        use: 'sig',
        kid: '2026-03',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      },
    ],
  },
  'POST /api/auth/oauth/:provider/link': {
    success: true,
    url: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=registry&response_type=code',
  },
  'GET /api/auth/methods': {
    success: true,
    methods: { password: true, passkey: true, siwe: true, oauth: [{ provider: 'google', name: 'Google' }] },
  },
  'GET /api/audit/checkpoint': CHECKPOINT,
  'GET /api/audit/records/:id/proof text/plain': `c2sp.org/tlog-proof@v1\nindex 1041\nPW8KLJt+QdWKH8Dis0do2T+lwX4JstQ4bOcf9aDY4uk=\n\n${CHECKPOINT}`,
  'GET /docs': '<!doctype html>\n<html lang="en">…</html>',
  'GET /llms.txt': '# Agent verification and endpoint registry\n',
  'GET /metrics':
    '# TYPE svc_verifications_total counter\nsvc_verifications_total{recommendation="grant"} 1041\n',
  'POST /mcp': {
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'grant' }], isError: false },
  },
}

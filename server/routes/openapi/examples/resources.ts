import type { z } from 'zod'
import type { NAMED_SCHEMAS } from '../namedSchemas.ts'
import {
  AGENT_ID,
  DEVELOPER_ID,
  ENDPOINT_ID,
  MEMBER_EXAMPLES,
  ORGANIZATION_ID,
  OWNER_ADDRESS,
} from './members.ts'

type Named = typeof NAMED_SCHEMAS

const boundary = {
  purpose: { categories: ['shopping', 'read_data'], allowedActions: ['shopping.buy', 'read_data.list'] },
  duration: { maxSessionDuration: 1800, timezone: 'Europe/Berlin' },
  limits: { autonomousThreshold: 100, stepUpThreshold: 200, approvalThreshold: 500, currency: 'EUR' },
  scope: { resources: ['/orders/**', '/catalogue/**'], jurisdictions: ['DE', 'AT'] },
  selfInstantiation: { allowed: false },
}

const agent: z.output<Named['AgentVerification']>['agent'] = {
  svcId: AGENT_ID,
  name: 'Shopping assistant',
  trustScore: 72,
  agentStatus: 'active',
  blockchainStatus: 'verified',
  runtimeChallengeSupported: false,
}

const endpoint: z.output<Named['Endpoint']> = {
  id: '0198c2e4-1b6b-7857-b304-ec0d3d302b0f',
  svceId: ENDPOINT_ID,
  organizationId: ORGANIZATION_ID,
  ownerIdentifier: ORGANIZATION_ID,
  verificationTier: 'self_asserted',
  status: 'active',
  counterpartyType: 'api',
  name: 'Orders API',
  counterpartyUrl: 'https://shop.example/api',
  trustScoreRequirement: 50,
  unverifiedAgentPolicy: 'deny',
  pdlss: { purpose: { categories: ['shopping', 'read_data'] }, scope: { deniedResources: ['/admin/**'] } },
  routes: [],
  webhookSecret: 'whsec_****wo4=',
  webhookUrl: null,
  createdAt: '2026-03-02T09:30:00.000Z',
  updatedAt: '2026-03-02T09:30:00.000Z',
}

const user: z.output<Named['User']> = {
  id: '0198c2e4-1b06-7193-8dec-0f829d70b62b',
  developerId: DEVELOPER_ID,
  email: 'ada@shop.example',
  isEmailVerified: true,
  fullName: 'Ada Example',
  accountType: 'business',
  role: 'user',
  kydStatus: 'verified',
  createdAt: '2026-03-02T09:30:00.000Z',
}

const approved: z.output<Named['AgentVerification']> = {
  success: true,
  access: { allowed: true, accessLevel: 'standard', reason: 'Granted.' },
  recommendation: 'grant',
  recommendationReasons: ['The request is within the mandate of the agent and the policy of the endpoint.'],
  agent,
  sessionId: '6f0c2b9e-4d81-4a37-b5f2-8e1d7c3a9064',
  auditRecordId: '0198c2e4-7b1d-7c3a-9f52-1e6d8a4b7c90',
}

const submission: z.output<Named['KydSubmission']> = {
  id: '0198c2e4-5c20-7e6b-a1d9-3b7f8c4e2d10',
  status: 'pending',
  developerId: DEVELOPER_ID,
  email: 'ada@shop.example',
  fullName: 'Ada Example',
  reason: null,
  submittedAt: '2026-03-02T09:30:00.000Z',
  decidedAt: null,
  decidedBy: null,
  documentsDeletedAt: null,
  isOwn: false,
}

const credential = {
  id: 'q83vASNFZ4mrze8BI0VniQ',
  rawId: 'q83vASNFZ4mrze8BI0VniQ',
  type: 'public-key' as const,
}

/** Examples of the named schemas that the names of their members do not give. */
const EXAMPLES: { readonly [Name in keyof Named]?: z.input<Named[Name]> } = {
  VerificationRequest: {
    agentId: AGENT_ID,
    counterpartyId: ENDPOINT_ID,
    purpose: 'shopping:buy',
    resource: '/orders/4711',
    jurisdiction: 'DE',
    transactionValue: 42.5,
    currency: 'EUR',
  },
  Verification: approved,
  AgentVerification: approved,
  AccessEvaluation: {
    subject: { type: 'agent', id: AGENT_ID },
    action: { name: 'shopping:buy' },
    resource: { type: 'api', id: '/orders/4711' },
    context: { jurisdiction: 'DE' },
  },
  AgentPdlss: boundary,
  EndpointPdlss: {
    purpose: { categories: ['shopping', 'read_data'] },
    limits: { approvalThreshold: 1000, maxCumulativeSpend: 5000, cumulativePeriod: 'day', currency: 'EUR' },
    scope: { deniedResources: ['/admin/**'] },
  },
  ApprovalRules: [{ dimension: 'spend', match: { minValue: 50 } }],
  Routes: [{ pattern: '/orders/**', method: 'POST', minAccessLevel: 'standard' }],
  Credential: {
    id: '0198c2e4-6a10-7b42-9c3d-5e8f7a1b2c30',
    type: 'did',
    subject: 'did:web:agents.example:shopping',
    issuer: null,
    algorithm: 'EdDSA',
    status: 'valid',
    validFrom: null,
    expiresAt: null,
    createdAt: '2026-03-02T09:30:00.000Z',
  },
  Endpoint: endpoint,
  AllowlistEntry: {
    id: '0198c2e4-6b3c-7f05-a8d1-2c9e4b7f6a10',
    allowedOwnerIdentifier: DEVELOPER_ID,
    minTrustScore: 30,
    allowedPurposes: ['shopping'],
    createdAt: '2026-03-02T09:30:00.000Z',
  },
  Webhook: {
    url: 'https://shop.example/hooks/svc',
    status: 'active',
    disabledAt: null,
    secret: 'whsec_****wo4=',
    previousSecretUntil: null,
  },
  WebhookDelivery: {
    id: '0198c2e4-7b2a-7e91-b0c4-6d3f8a5e1c20',
    eventId: '0198c2e4-7b1d-7c3a-9f52-1e6d8a4b7c90',
    eventType: 'verification.completed',
    redeliveryOf: null,
    status: 'delivered',
    attempts: 1,
    nextAttemptAt: null,
    lastAttemptAt: '2026-03-02T09:30:01.000Z',
    lastDurationMs: 84,
    lastStatus: 204,
    lastError: null,
    createdAt: '2026-03-02T09:30:00.000Z',
    settledAt: '2026-03-02T09:30:01.000Z',
  },
  StepUpApproval: {
    approvalId: '0198c2e4-8e57-7a90-b3d1-4c6f1a8e2b73',
    status: 'pending',
    agentId: AGENT_ID,
    agentName: 'Shopping assistant',
    request: { agentId: AGENT_ID, endpointId: ENDPOINT_ID, transactionValue: 180, currency: 'EUR' },
    dimensions: ['commerce.intent.approval_required'],
    needsFreshAssertion: false,
    attemptId: '3d1f6c2a-5b8e-4f7d-9a60-c4e8b2d17f95',
    createdAt: '2026-03-02T09:30:00.000Z',
    expiresAt: '2026-03-02T10:00:00.000Z',
    secondsLeft: 1800,
    decidedAt: null,
    consumedAt: null,
  },
  Event: {
    id: '0198c2e4-7b1d-7c3a-9f52-1e6d8a4b7c90',
    auditRecordId: '0198c2e4-7b1d-7c3a-9f52-1e6d8a4b7c90',
    eventType: 'verification.completed',
    occurredAt: '2026-03-02T09:30:00.000Z',
    agentId: AGENT_ID,
    endpointId: ENDPOINT_ID,
    callerCategory: 'externally_governed',
    endpointCategory: null,
    eventData: { recommendation: 'grant', accessLevel: 'standard', purpose: 'shopping:buy' },
  },
  Alert: {
    id: '0198c2e4-61f0-7d21-8b44-5a9c3e7f1d02',
    code: 'WEBHOOK_DISABLED',
    severity: 'critical',
    message: 'Deliveries to the webhook of Orders API failed for three days, and it was disabled.',
    data: { svceId: ENDPOINT_ID },
    createdAt: '2026-03-02T09:30:00.000Z',
    readAt: null,
    mayMarkRead: true,
  },
  User: user,
  SignIn: {
    success: true,
    data: {
      accessToken: String(MEMBER_EXAMPLES.accessToken?.[0]),
      refreshToken: String(MEMBER_EXAMPLES.refreshToken?.[0]),
      expiresIn: 900,
      user,
    },
  },
  Session: {
    id: '0198c2e4-1b06-7f69-b414-8ab4c52bc199',
    isCurrent: true,
    amr: ['pwd', 'hwk'],
    browser: 'Firefox on Linux',
    network: '203.0.113.0/24',
    signedInAt: '2026-03-02T09:30:00.000Z',
    lastUsedAt: '2026-03-02T09:41:00.000Z',
  },
  Organization: {
    organizationId: ORGANIZATION_ID,
    name: 'Acme Orders',
    role: 'owner',
    status: 'active',
    createdAt: '2026-03-02T09:30:00.000Z',
  },
  Passkey: {
    id: 'q83vASNFZ4mrze8BI0VniQ',
    name: 'Laptop',
    deviceType: 'multiDevice',
    isBackedUp: true,
    createdAt: '2026-03-02T09:30:00.000Z',
    lastUsedAt: null,
  },
  PasskeyRegistration: {
    ...credential,
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
      attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oA',
      transports: ['internal'],
    },
  },
  PasskeyAssertion: {
    ...credential,
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
      signature: 'MEUCIQDx7kY2',
    },
  },
  KydState: {
    status: 'approved',
    reason: null,
    submittedAt: '2026-03-02T09:30:00.000Z',
    decidedAt: '2026-03-03T08:00:00.000Z',
    documentsDeletedAt: '2026-03-03T08:00:00.000Z',
  },
  KydSubmission: submission,
  KydCase: {
    ...submission,
    mrz: {
      issuer: 'UTO',
      surname: 'EXAMPLE',
      givenNames: 'ADA',
      documentNumber: 'L898902C3',
      nationality: 'UTO',
      birthDate: '1985-08-12',
      sex: 'F',
      expiryDate: '2032-04-15',
    },
    documents: [{ kind: 'passport', mediaType: 'image/jpeg', width: 1600, height: 1200 }],
  },
  RegistrationFile: {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Shopping assistant',
    svcId: AGENT_ID,
    description: 'Buys office supplies',
    active: true,
    registrations: [{ agentId: 42, agentRegistry: `eip155:31337:${OWNER_ADDRESS}` }],
  },
}

export const RESOURCE_EXAMPLES: Readonly<Record<string, unknown>> = EXAMPLES

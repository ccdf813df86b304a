import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import type { AnswerOf, OperationKey } from '@svc/core/contract/operations.ts'
import type { MrzFacts } from '@svc/core/kyd/parseMrz.ts'

/** The operations that answer with a list. */
type ListKey = {
  [Key in OperationKey]: AnswerOf<Key> extends { items: unknown[] } ? Key : never
}[OperationKey]

type Item<Key extends ListKey> = AnswerOf<Key>['items'][number]

/** What the dashboard reads of the service's answers. Sources: api.md; Spec: Resources and their fields. */
export type User = Me['user']

/** Where the verification of an identity stands, for its owner. */
export type Kyd = Me['kyd']

/** An identity to verify, for an operator. */
export type KydCase = Item<'GET /api/admin/kyd'>

export type OpenKydCase = KydCase & {
  mrz: MrzFacts | null
  documents: { kind: 'passport' | 'selfie'; width: number; height: number }[]
}

export type Passkey = Item<'GET /api/auth/passkeys'>

export type Session = AnswerOf<'POST /api/auth/refresh'>['data']

export type OpenSession = Item<'GET /api/auth/sessions'>

export type Me = AnswerOf<'GET /api/me'>

/** The ways to sign in that are configured. */
export type SignInMethods = { methods: { oauth: { provider: string; name: string }[] } }

export type LinkedIdentity = Item<'GET /api/auth/oauth/identities'>

export type Organization = Item<'GET /api/organizations'>

/** A member of an organisation; of an address that is invited `userId` and `fullName` are null. */
export type Member = Item<'GET /api/organizations/:id/members'>

export type ApiKey = Item<'GET /api/api-keys'>

/** The members below `registeredAt` are the owner's view; what it declares of a protocol stands under the protocol's name. */
export type Agent = {
  svcId: string
  name: string
  description: string | null
  agentType: string | null
  image: string | null
  protocols: string[]
  trustScore: number
  agentStatus: string
  blockchainStatus: string
  runtimeChallengeSupported: boolean
  onChainIdentity: {
    agentId: number
    agentRegistry: string
    transactionHash: string | null
    blockNumber: number | null
  } | null
  agentCardUrl: string
  registrationFileUrl: string
  registeredAt: string
  ownerIdentifier?: string
  apiEndpoint?: string | null
  model?: { modelName?: string; modelProvider?: string; modelType?: string } | null
  framework?: { frameworkName?: string; frameworkVersion?: string } | null
  pdlss?: Boundary
  certifications?: string[]
} & Declarations

export type TrustPoint = { at: string; score: number }

export type TrustHistory = Omit<AnswerOf<'GET /api/agents/:id/trust-history'>, 'success'>

/** What agents declare of commerce protocols, by the protocol. */
export type Declarations = Partial<Record<Protocol, Readonly<Record<string, unknown>>>>

/** A PDLSS object as it is stored: dimensions with their fields. */
export type Boundary = Record<string, Record<string, unknown> | undefined>

export type Endpoint = {
  id: string
  svceId: string | null
  organizationId: string | null
  ownerIdentifier: string
  verificationTier: string
  status: string
  counterpartyType: string
  name: string
  counterpartyUrl: string
  trustScoreRequirement: number
  unverifiedAgentPolicy: UnverifiedAgentPolicy
  pdlss: Boundary
  routes: { pattern: string; method?: string; minAccessLevel: string }[]
  webhookSecret: string | null
  createdAt: string
  updatedAt: string
}

export type ActivityEvent = {
  id: string
  auditRecordId: string
  eventType: string
  occurredAt: string
  agentId: string | null
  endpointId: string | null
  callerCategory: string | null
  endpointCategory: string | null
  eventData: Record<string, unknown>
}

type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'consumed'

export type Approval = {
  approvalId: string
  status: ApprovalStatus
  agentId: string
  agentName: string | null
  request: {
    endpointId: string | null
    counterpartyUrl?: string | null
    counterpartyType?: string | null
    category?: string
    action?: string
    resource?: string
    jurisdiction?: string
    transactionValue?: number
    currency?: string
    subAgent?: object
  }
  dimensions: string[]
  needsFreshAssertion: boolean
  createdAt: string
  expiresAt: string
  secondsLeft: number
  decidedAt: string | null
  consumedAt: string | null
}

export type RegistrationRequest = {
  requestId: string
  kind: 'api_key' | 'outreach'
  status: 'pending' | 'approved' | 'denied' | 'expired'
  ownerId: string | null
  registration: Pick<Agent, 'name' | 'description' | 'agentType' | 'image' | 'protocols'> &
    Pick<Agent, 'model' | 'framework' | 'apiEndpoint'> & {
      declarations: Declarations
      pdlss: Boundary
      signerAddress?: string | null
    }
  reason: string | null
  apiKeyId: string | null
  requestedAt: string
  lastEventAt: string
  expiresAt: string
  secondsLeft: number
  denialReason: string | null
  svcId: string | null
}

export type DashboardAlert = Item<'GET /api/alerts'>

export type AuditRecord = { seq: number; recordId: string; entry: string; event: ActivityEvent }

export type Batch = Item<'GET /api/audit/batches'>

export type Chain = AnswerOf<'GET /api/chain'>

export type HealthCheck = Health['checks']['database']

export type Health = Omit<AnswerOf<'GET /api/health'>, 'success'>

export type Page<Item> = { items: Item[]; nextCursor: string | null; hasMore: boolean }

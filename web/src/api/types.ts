import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import type { MrzFacts } from '@svc/core/kyd/parseMrz.ts'
import type { MemberRole } from '@svc/core/memberRole.ts'

/** What the dashboard reads of the service's answers. Sources: api.md; Spec: Resources and their fields. */
export type User = {
  id: string
  developerId: string
  email: string | null
  isEmailVerified: boolean
  fullName: string | null
  accountType: 'individual' | 'business'
  role: 'user' | 'operator'
  kydStatus: 'none' | 'verified'
}

/** Where the verification of an identity stands, for its owner. */
export type Kyd = {
  status: 'none' | 'pending' | 'approved' | 'rejected'
  reason: string | null
  submittedAt: string | null
  decidedAt: string | null
  documentsDeletedAt: string | null
}

/** An identity to verify, for an operator. */
export type KydCase = {
  id: string
  status: 'pending' | 'approved' | 'rejected'
  developerId: string
  email: string | null
  fullName: string | null
  reason: string | null
  submittedAt: string
  decidedAt: string | null
  decidedBy: string | null
  isOwn: boolean
}

export type OpenKydCase = KydCase & {
  mrz: MrzFacts | null
  documents: { kind: 'passport' | 'selfie'; width: number; height: number }[]
}

export type Passkey = {
  id: string
  name: string
  deviceType: 'singleDevice' | 'multiDevice'
  isBackedUp: boolean
  createdAt: string
  lastUsedAt: string | null
}

export type Session = { accessToken: string; refreshToken: string; expiresIn: number; user: User }

export type OpenSession = {
  id: string
  isCurrent: boolean
  amr: string[]
  browser: string | null
  network: string | null
  signedInAt: string
  lastUsedAt: string
}

export type Me = {
  user: User
  organizations: Organization[]
  wallets: string[]
  kyd: Kyd
  passkeyCount: number
  totp: { isOn: boolean; recoveryCodesLeft: number }
}

/** The ways to sign in that are configured. */
export type SignInMethods = { methods: { oauth: { provider: string; name: string }[] } }

export type LinkedIdentity = { id: string; provider: string; email: string | null; linkedAt: string }

export type Organization = {
  organizationId: string
  name: string
  role: MemberRole
  status: 'invited' | 'active' | 'suspended'
  createdAt: string
}

/** A member of an organisation; of an address that is invited `userId` and `fullName` are null. */
export type Member = {
  id: string
  userId: string | null
  email: string | null
  fullName: string | null
  role: MemberRole
  status: 'invited' | 'active' | 'suspended'
  createdAt: string
}

export type ApiKey = {
  id: string
  name: string
  lastFour: string
  organizationId: string | null
  userId: string
  createdAt: string
}

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

export type TrustHistory = { items: TrustPoint[]; current: TrustPoint }

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

export type DashboardAlert = {
  id: string
  code: string
  severity: 'warning' | 'critical'
  message: string
  data: Record<string, string>
  createdAt: string
  readAt: string | null
  mayMarkRead: boolean
}

export type AuditRecord = { seq: number; recordId: string; entry: string; event: ActivityEvent }

export type Batch = {
  number: number
  prevSize: number
  newSize: number
  root: string
  status: 'sealed' | 'anchored' | 'confirmed'
  transactionHash: string | null
  blockNumber: number | null
  sealedAt: string
  confirmedAt: string | null
}

export type Chain = {
  chainId: number
  confirmations: number
  contracts: { identityRegistry: string; auditLog: string }
  logId: string
}

export type HealthCheck = {
  status: 'pass' | 'warn' | 'fail'
  detail?: string
  observed?: Record<string, string | number>
}

export type Health = {
  status: 'pass' | 'warn' | 'fail'
  version: string
  checks: { database: HealthCheck; chain: HealthCheck; relayer: HealthCheck; auditQueue: HealthCheck }
}

export type Page<Item> = { items: Item[]; nextCursor: string | null; hasMore: boolean }

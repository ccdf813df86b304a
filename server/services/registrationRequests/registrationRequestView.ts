import { encodeHex } from '@svc/core/bytes.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import type {
  RegistrationRequestStatus,
  StoredRegistrationRequest,
} from '../../store/approvals/registrationRequestStore.ts'
import type { RegisterForAccountInput } from '../agents/registration/registerForAccount.ts'

/** A registration request as the owner sees it. */
export type RegistrationRequestView = {
  requestId: string
  kind: StoredRegistrationRequest['kind']
  status: RegistrationRequestStatus
  /** Null for an outreach that nobody has answered for. */
  ownerId: string | null
  /** Every field of the agent that is asked for: what an approval agrees to. */
  registration: RequestedRegistration
  /** Why somebody asks for it. */
  reason: string | null
  apiKeyId: string | null
  requestedAt: string
  lastEventAt: string
  expiresAt: string
  /** Whole seconds in which it can still be decided; 0 when it cannot. */
  secondsLeft: number
  denialReason: string | null
  agentId: string | null
  svcId: string | null
}

/** Shows a request as it stands at a moment. Source: api.md "Agents"; `Spec: Registration request`. */
export function toRegistrationRequestView(
  request: StoredRegistrationRequest,
  now: number,
): RegistrationRequestView {
  const status = resolveRequestStatus(request, now)
  const { expiresAt } = request
  const lastEventAt = request.decidedAt ?? (status === 'expired' ? expiresAt : request.createdAt)
  return {
    requestId: request.id,
    kind: request.kind,
    status,
    ownerId: request.ownerId,
    registration: parseRequestedRegistration(request),
    reason: request.reason,
    apiKeyId: request.apiKeyId,
    requestedAt: toIsoTime(request.createdAt),
    lastEventAt: toIsoTime(lastEventAt),
    expiresAt: toIsoTime(expiresAt),
    secondsLeft: status === 'pending' ? Math.floor((expiresAt - now) / 1000) : 0,
    denialReason: request.denialReason,
    agentId: request.agentId,
    svcId: request.svcId,
  }
}

function toIsoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** Where a request stands at a moment: one past its time is `expired`, whether or not anything has written that down. */
export function resolveRequestStatus(
  { status, expiresAt }: Pick<StoredRegistrationRequest, 'status' | 'expiresAt'>,
  now: number,
): RegistrationRequestStatus {
  return status === 'pending' && expiresAt <= now ? 'expired' : status
}

/** What a request asks for; a consent for the chain is of signed registrations only. */
export type RequestedRegistration = RegisterForAccountInput['registration']

/** Reads back what was stored with a request; the service wrote it, after it was parsed. */
export function parseRequestedRegistration({
  registration,
}: Pick<StoredRegistrationRequest, 'registration'>): RequestedRegistration {
  return JSON.parse(registration) as RequestedRegistration
}

type NewRequest = {
  kind: 'api_key' | 'outreach'
  ownerId: string | null
  ownerEmail: string | null
  apiKeyId: string | null
  registration: RequestedRegistration
  reason: string | null
  now: number
}

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000

/** The row of a request that was made a moment ago; its owner has seven days. Source: api.md "Agents". */
export function createRegistrationRequest(
  { registration, now, ...request }: NewRequest,
  randomBytes: (length: number) => Uint8Array,
) {
  return {
    ...request,
    id: generateUuidV4(randomBytes(16)),
    registration: JSON.stringify(registration),
    challengeSalt: encodeHex(randomBytes(16)),
    createdAt: now,
    expiresAt: now + LIFETIME_MS,
  }
}

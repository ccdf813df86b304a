import { encodeHex } from '@svc/core/bytes.ts'
import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type {
  RegistrationRequestKind,
  RegistrationRequestStatus,
  StoredRegistrationRequest,
} from '../../store/approvals/registrationRequestStore.ts'
import type { RegisterForAccountInput } from '../agents/registration/registerForAccount.ts'

/** Shows a request at a point in time. Source: `Spec: Registration request`. */
export function toRegistrationRequestView(
  request: StoredRegistrationRequest,
  now: number,
): RegistrationRequest {
  const status = resolveRequestStatus(request, now)
  const { expiresAt } = request
  const lastEventAt = request.decidedAt ?? (status === 'expired' ? expiresAt : request.createdAt)
  return {
    requestId: request.id,
    kind: request.kind,
    status,
    ownerId: request.ownerId,
    registration: showRegistration(parseRequestedRegistration(request)),
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

/** Keys are shown by the thumbprints with which the agent's owner can compare them. */
function showRegistration({ keys = [], ...registration }: RequestedRegistration) {
  const shown = keys.map((key) => ({ kid: computeKeyThumbprint(key), kty: key.kty, crv: key.crv }))
  return { ...registration, keys: shown }
}

/** The status of a request at a point in time: past its time it is `expired`, even if that has not been written yet. */
export function resolveRequestStatus(
  { status, expiresAt }: Pick<StoredRegistrationRequest, 'status' | 'expiresAt'>,
  now: number,
): RegistrationRequestStatus {
  return status === 'pending' && expiresAt <= now ? 'expired' : status
}

/** The requested registration; only signed registrations have a consent for the chain. */
export type RequestedRegistration = RegisterForAccountInput['registration']

/** Parses the stored registration of a request, which the service wrote after validation. */
export function parseRequestedRegistration({
  registration,
}: Pick<StoredRegistrationRequest, 'registration'>): RequestedRegistration {
  return JSON.parse(registration) as RequestedRegistration
}

type NewRequest = {
  kind: RegistrationRequestKind
  ownerId: string | null
  ownerEmail: string | null
  apiKeyId: string | null
  registration: RequestedRegistration
  reason: string | null
  now: number
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/** How long the owner can decide; an own request only waits for the passkey that the same page asks for. */
const LIFETIMES_MS: Readonly<Record<RegistrationRequestKind, number>> = {
  api_key: WEEK_MS,
  outreach: WEEK_MS,
  account: 15 * 60 * 1000,
}

/** Creates the row of a new request, which its owner can decide for a while. */
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
    expiresAt: now + LIFETIMES_MS[request.kind],
  }
}

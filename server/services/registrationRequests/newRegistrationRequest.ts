import { encodeHex } from '@svc/core/bytes.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import type { RequestedRegistration } from './requestedRegistration.ts'

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
export function newRegistrationRequest(
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

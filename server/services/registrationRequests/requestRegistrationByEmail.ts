import { apiError } from '../../errors.ts'
import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { Db } from '../../store/database/database.ts'
import { exhaustedHeaders } from '../exhaustedHeaders.ts'
import { createRegistrationRequest } from './registrationRequestView.ts'

export type RequestRegistrationByEmailDeps = {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'insert' | 'askedSince'>
  settings: { randomBytes: (length: number) => Uint8Array }
  tell: { onRequested(): void }
}

export type RequestRegistrationByEmailInput = {
  agentName: string
  /** Lower case. */
  ownerEmail: string
  agentDescription: string | null
  reason: string | null
  now: number
}

const DAY_MS = 24 * 60 * 60 * 1000
const PER_DAY = 3
/** The name of this limit in the headers of its 429. */
const RULE = { name: 'outreach-address', max: PER_DAY, windowSeconds: DAY_MS / 1000 }

/**
 * Asks the holder of an e-mail address to register an agent; neither side needs an account.
 *
 * Nothing is looked up about the address and nothing is sent before the response: a worker sends the mail, so known and
 * unknown addresses take the same time. The requests to an address are counted in the transaction that stores them, so that
 * the count holds across processes and restarts.
 *
 * @returns The request's identifier.
 * @throws ApiError RATE_LIMITED if the address was asked three times within a day. Source: `Spec: POST
 * /api/agents/request-registration`.
 */
export async function requestRegistrationByEmail(
  deps: RequestRegistrationByEmailDeps,
  { agentName, ownerEmail, agentDescription, reason, now }: RequestRegistrationByEmailInput,
): Promise<string> {
  const registration = {
    name: agentName,
    description: agentDescription,
    agentType: null,
    apiEndpoint: null,
    image: null,
    model: null,
    framework: null,
    protocols: [],
    declarations: {},
    pdlss: {},
    parentAgentId: null,
  }
  const asked = {
    kind: 'outreach',
    ownerId: null,
    apiKeyId: null,
    ownerEmail,
    registration,
    reason,
    now,
  } as const
  const request = createRegistrationRequest(asked, deps.settings.randomBytes)
  const id = await deps.db.transaction(async (trx) => {
    const earlier = await deps.requests.askedSince(trx, ownerEmail, now - DAY_MS)
    const oldest = earlier.at(-PER_DAY)
    if (oldest !== undefined) throw askedOften(oldest + DAY_MS - now)
    await deps.requests.insert(trx, request)
    return request.id
  })
  deps.tell.onRequested()
  return id
}

function askedOften(waitMs: number) {
  const headers = exhaustedHeaders(RULE, Math.max(1, Math.ceil(waitMs / 1000)))
  return apiError('RATE_LIMITED', { message: 'This address has received enough requests today.', headers })
}

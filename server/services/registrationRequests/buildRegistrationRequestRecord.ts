import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import type { StoredRegistrationRequest } from '../../store/approvals/registrationRequestStore.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import { parseRequestedRegistration } from './registrationRequestView.ts'

type Outcome = {
  eventType:
    | 'registration.requested'
    | 'registration.approved'
    | 'registration.denied'
    | 'registration.expired'
  /** Whose account it concerns. */
  ownerId: string
  /** `SVC-` identifier of the agent that came of it. */
  agentId?: string
  eventData?: object
  /** What the outcome rests on, such as the assertion; kept privately, committed to by its hash. */
  evidence?: object
  now: number
}

/** The record of what became of a registration request, for its owner alone. Source: `Spec: Activity event`. */
export function buildRegistrationRequestRecord(
  request: Pick<StoredRegistrationRequest, 'id' | 'kind' | 'registration' | 'expiresAt'>,
  outcome: Outcome,
  randomBytes: (length: number) => Uint8Array,
): NewAuditRecord {
  const registration = parseRequestedRegistration(request)
  return createAuditRecord(
    {
      eventType: outcome.eventType,
      ownerId: outcome.ownerId,
      counterpartyOwnerId: null,
      agentId: outcome.agentId ?? null,
      endpointId: null,
      subject: { requestId: request.id },
      eventData: {
        requestId: request.id,
        kind: request.kind,
        agentName: registration.name,
        expiresAt: new Date(request.expiresAt).toISOString(),
        ...outcome.eventData,
      },
      inputs: {
        requestId: request.id,
        registrationHash: sha256Hex(canonicaliseJson(registration)),
        ...outcome.evidence,
      },
    },
    outcome.now,
    randomBytes,
  )
}

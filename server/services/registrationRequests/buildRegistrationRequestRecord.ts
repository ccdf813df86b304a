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
  /** The account concerned. */
  ownerId: string
  /** `SVC-` identifier of the registered agent. */
  agentId?: string
  eventData?: object
  /** Evidence of the outcome, such as the assertion; stored privately and committed to by its hash. */
  evidence?: object
  now: number
}

/** Builds the record of a change of a registration request, for its owner only. Source: `Spec: Activity event`. */
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

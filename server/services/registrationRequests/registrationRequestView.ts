import type {
  RegistrationRequestStatus,
  StoredRegistrationRequest,
} from '../../store/approvals/registrationRequestStore.ts'
import type { RequestedRegistration } from './requestedRegistration.ts'
import { requestedRegistration } from './requestedRegistration.ts'
import { requestStatusAt } from './requestStatusAt.ts'

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
export function registrationRequestView(
  request: StoredRegistrationRequest,
  now: number,
): RegistrationRequestView {
  const status = requestStatusAt(request, now)
  const { expiresAt } = request
  const lastEventAt = request.decidedAt ?? (status === 'expired' ? expiresAt : request.createdAt)
  return {
    requestId: request.id,
    kind: request.kind,
    status,
    ownerId: request.ownerId,
    registration: requestedRegistration(request),
    reason: request.reason,
    apiKeyId: request.apiKeyId,
    requestedAt: isoTime(request.createdAt),
    lastEventAt: isoTime(lastEventAt),
    expiresAt: isoTime(expiresAt),
    secondsLeft: status === 'pending' ? Math.floor((expiresAt - now) / 1000) : 0,
    denialReason: request.denialReason,
    agentId: request.agentId,
    svcId: request.svcId,
  }
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

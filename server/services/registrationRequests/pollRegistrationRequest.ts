import { apiError } from '../../errors.ts'
import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import { type RegistrationRequestView, registrationRequestView } from './registrationRequestView.ts'

export type PollRegistrationRequestDeps = { requests: Pick<RegistrationRequestStore, 'byId'> }

/** What whoever made a request is told of it. */
export type PolledRegistrationRequest = Pick<
  RegistrationRequestView,
  'requestId' | 'status' | 'agentId' | 'svcId' | 'requestedAt' | 'lastEventAt' | 'expiresAt' | 'denialReason'
>

/**
 * Where a request stands, for anyone who knows its identifier, which only its answer tells: not who the owner is, nor
 * what was asked for.
 *
 * @throws ApiError NOT_FOUND. Source: `Spec: GET /api/agents/request-registration/{requestId}`.
 */
export async function pollRegistrationRequest(
  deps: PollRegistrationRequestDeps,
  { requestId, now }: { requestId: string; now: number },
): Promise<PolledRegistrationRequest> {
  const request = await deps.requests.byId(requestId)
  if (!request) throw apiError('NOT_FOUND')
  const view = registrationRequestView(request, now)
  const { status, agentId, svcId, requestedAt, lastEventAt, expiresAt, denialReason } = view
  return { requestId, status, agentId, svcId, requestedAt, lastEventAt, expiresAt, denialReason }
}

import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { apiError, validationError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type {
  RegistrationRequestStore,
  StoredRegistrationRequest,
} from '../../store/approvals/registrationRequestStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { RegisterForAccountInput } from '../agents/registration/registerForAccount.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { VerifyAssertionInput } from '../passkeys/checkAssertion.ts'
import { buildRegistrationRequestRecord } from './buildRegistrationRequestRecord.ts'
import { deriveRegistrationChallenge } from './deriveRegistrationChallenge.ts'
import { findOwnRequest } from './findOwnRequest.ts'
import type { RegistrationRequestInput } from './readRegistrationRequest.ts'
import {
  parseRequestedRegistration,
  type RequestedRegistration,
  resolveRequestStatus,
  toRegistrationRequestView,
} from './registrationRequestView.ts'

type Trx = Parameters<AgentStore['insert']>[0]

export type ApproveRegistrationRequestDeps = {
  db: Pick<Db, 'transaction'>
  requests: Pick<RegistrationRequestStore, 'byId' | 'approve' | 'setAgent'>
  users: Pick<UserStore, 'byId' | 'addressesOf'>
  records: Pick<AuditRecordStore, 'append'>
  /** @throws ApiError PASSKEY_REJECTED. */
  verifyAssertion(input: VerifyAssertionInput): Promise<{ credentialId: string }>
  registration: {
    register(trx: Trx, input: RegisterForAccountInput): Promise<AgentRow>
    /** Called after the commit. */
    onRegistered(svcId: string): Promise<void>
  }
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array }
}

export type ApproveRegistrationRequestInput = RegistrationRequestInput & {
  response: AssertionResponse
  /** Fields of the agent that its owner sets; only for an outreach. */
  added: Pick<Partial<RequestedRegistration>, 'description' | 'pdlss'>
}

/**
 * Approves a registration by a passkey assertion made for it; the same transaction registers the agent and orders its
 * identity.
 *
 * One conditional UPDATE changes the state, so that of simultaneous approvals, denials and expiry exactly one wins. The
 * assertion becomes part of the record, so that the owner's own signature proves the consent. What the owner adds to an
 * outreach is not under the assertion but under the session; the record commits to it.
 *
 * @throws ApiError VALIDATION_ERROR for fields added to a request by API key, NOT_FOUND for a request to another owner,
 * FORBIDDEN without write access, PASSKEY_REJECTED, INVALID_STATE, and the errors of registering, as its parent may have
 * been retired meanwhile. Source: `Spec: States and transitions`; `Spec: Authentication` 8.
 */
export async function approveRegistrationRequest(
  deps: ApproveRegistrationRequestDeps,
  { principal, requestId, response, added, now }: ApproveRegistrationRequestInput,
): Promise<RegistrationRequest> {
  const { requests, ambient } = deps
  const { request, ownerId } = await findOwnRequest(deps, principal, requestId)
  if (!mayWriteFor(principal, ownerId)) throw apiError('FORBIDDEN')
  if (resolveRequestStatus(request, now) !== 'pending') throw apiError('INVALID_STATE')
  const registration = addToRequest(request, added)
  const { userId } = principal
  const expectedChallenge = deriveRegistrationChallenge(request, ownerId)
  const { credentialId } = await deps.verifyAssertion({ userId, response, expectedChallenge, now })
  const { clientDataJSON, authenticatorData, signature } = response.response
  const assertion = { credentialId, clientDataJSON, authenticatorData, signature }
  const evidence = { challengeSalt: request.challengeSalt, ownerId, assertion, ...added }
  const wallets = (await deps.users.addressesOf(userId)) as `0x${string}`[]
  const approved = await deps.db.transaction(async (trx) => {
    const decidedAt = ambient.clock()
    if (!(await requests.approve(trx, { id: requestId, ownerId, userId, now: decidedAt }))) {
      throw apiError('INVALID_STATE')
    }
    const agent = await deps.registration.register(trx, { ownerId, wallets, registration, now: decidedAt })
    await requests.setAgent(trx, requestId, { agentId: agent.id, svcId: agent.svcId })
    const outcome = {
      eventType: 'registration.approved',
      ownerId,
      agentId: agent.svcId,
      eventData: { decidedBy: userId },
      evidence,
      now: decidedAt,
    } as const
    await deps.records.append(trx, buildRegistrationRequestRecord(request, outcome, ambient.randomBytes))
    const stored = (await requests.byId(requestId, trx)) ?? request
    return { svcId: agent.svcId, view: toRegistrationRequestView(stored, decidedAt) }
  })
  await deps.registration.onRegistered(approved.svcId)
  return approved.view
}

function addToRequest(
  request: StoredRegistrationRequest,
  added: ApproveRegistrationRequestInput['added'],
): RequestedRegistration {
  const fields = Object.keys(added)
  if (request.kind !== 'outreach' && fields.length > 0) {
    const message = 'the agent is registered as its API key asked'
    throw validationError(fields.map((field) => ({ pointer: `/${field}`, code: 'not_applicable', message })))
  }
  return { ...parseRequestedRegistration(request), ...added }
}

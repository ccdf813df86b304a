import type { RegistrationRequest } from '@svc/core/contract/registrationRequests.ts'
import { networkOf } from '@svc/core/url/ipAddress.ts'
import { apiError } from '../../errors.ts'
import type { AssertionResponse } from '../../external/passkeyCeremonies.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import type { RegistrationRequestStore } from '../../store/approvals/registrationRequestStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import type { RegistrationBudgets } from '../agents/registration/registerAgent.ts'
import type { RegisterForAccountInput } from '../agents/registration/registerForAccount.ts'
import type { VerifyAssertionInput } from '../passkeys/checkAssertion.ts'
import { buildRegistrationRequestRecord } from './buildRegistrationRequestRecord.ts'
import { type OwnerFields, prepareApproval } from './prepareApproval.ts'
import type { RegistrationRequestInput } from './readRegistrationRequest.ts'
import { toRegistrationRequestView } from './registrationRequestView.ts'

type Trx = Parameters<AgentStore['insert']>[0]

export type ApproveRegistrationRequestDeps = {
  requests: Pick<RegistrationRequestStore, 'byId' | 'approve' | 'setAgent'>
  users: Pick<UserStore, 'byId' | 'addressesOf'>
  owners: Pick<OwnerFactsStore, 'personBehind'>
  records: Pick<AuditRecordStore, 'append'>
  /** @throws ApiError PASSKEY_REJECTED. */
  verifyAssertion(input: VerifyAssertionInput): Promise<{ credentialId: string }>
  budgets: RegistrationBudgets
  registration: {
    register(trx: Trx, input: RegisterForAccountInput): Promise<AgentRow>
    /** Called after the commit. */
    onRegistered(svcId: string): Promise<void>
  }
  writeAs: WriteAs
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array }
}

export type ApproveRegistrationRequestInput = RegistrationRequestInput & {
  /** Made over the options of `createApprovalOptions` for the same fields. */
  response: AssertionResponse
  added: OwnerFields
  /** Address of the caller. */
  ip: string
}

/**
 * Approves a registration by a passkey assertion made for it; the same transaction registers the agent and orders its
 * identity.
 *
 * One conditional UPDATE changes the state, so that of simultaneous approvals, denials and expiry exactly one wins. The
 * assertion covers what the owner adds to an outreach, too, and becomes part of the record, so that the owner's own
 * signature proves the consent.
 *
 * @throws ApiError as `prepareApproval`, PASSKEY_REJECTED, RATE_LIMITED, and the errors of registering, as its parent may
 * have been retired meanwhile. Source: `Spec: States and transitions`; `Spec: Authentication` 8.
 */
export async function approveRegistrationRequest(
  deps: ApproveRegistrationRequestDeps,
  { principal, requestId, response, added, ip, now }: ApproveRegistrationRequestInput,
): Promise<RegistrationRequest> {
  const { requests, ambient } = deps
  const prepared = await prepareApproval(deps, { principal, requestId, added, now })
  const { completed, registration, ownerId, challenge: expectedChallenge } = prepared
  const { userId } = principal
  const { credentialId } = await deps.verifyAssertion({ userId, response, expectedChallenge, now })
  await deps.budgets.ofNetwork.take(ip, now)
  await deps.budgets.ofAccount.take((await deps.owners.personBehind(ownerId)) ?? userId, now)
  const { clientDataJSON, authenticatorData, signature } = response.response
  const assertion = { credentialId, clientDataJSON, authenticatorData, signature }
  const evidence = { challengeSalt: completed.challengeSalt, ownerId, assertion, ...added }
  const wallets = (await deps.users.addressesOf(userId)) as `0x${string}`[]
  const approved = await deps.writeAs({ principal, ownerId, credentialId }, 'alone', async (trx) => {
    const decidedAt = ambient.clock()
    if (!(await requests.approve(trx, { id: requestId, ownerId, userId, now: decidedAt }))) {
      throw apiError('INVALID_STATE')
    }
    const agent = await deps.registration.register(trx, {
      ...{ ownerId, wallets, registration },
      ...{ network: networkOf(ip), now: decidedAt },
    })
    await requests.setAgent(trx, requestId, { agentId: agent.id, svcId: agent.svcId })
    const outcome = {
      eventType: 'registration.approved',
      ownerId,
      agentId: agent.svcId,
      eventData: { decidedBy: userId },
      evidence,
      now: decidedAt,
    } as const
    await deps.records.append(trx, buildRegistrationRequestRecord(completed, outcome, ambient.randomBytes))
    const stored = (await requests.byId(requestId, trx)) ?? completed
    return { svcId: agent.svcId, view: toRegistrationRequestView(stored, decidedAt) }
  })
  await deps.registration.onRegistered(approved.svcId)
  return approved.view
}

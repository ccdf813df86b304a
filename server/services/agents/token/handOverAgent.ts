import { isSameHex } from '@svc/core/isSameHex.ts'
import { apiError, validationError } from '../../../errors.ts'
import type { OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { UserStore } from '../../../store/accounts/userStore.ts'
import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import type { TokenStore } from '../../../store/agents/tokenStore.ts'
import type { AuditRecordStore } from '../../../store/audit/auditRecordStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import { listManagedOrganizations } from '../../accounts/organizations/listOrganizations.ts'
import { type RefuseSuspendedDeps, refuseSuspended } from '../../accounts/refuseSuspended.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { INTENT_PAYLOADS, intentKey } from '../../relayer/intents.ts'
import { refuseSuspendedOrganization } from '../../requireWriter.ts'
import { buildAgentRecord } from '../buildAgentRecord.ts'

type Trx = Parameters<AgentStore['insert']>[0]

export type HandOverAgentDeps = RefuseSuspendedDeps & {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'byAnyId'>
  tokens: Pick<TokenStore, 'bySvcId'>
  outbox: Pick<OutboxStore, 'byKey' | 'addAgain'>
  records: Pick<AuditRecordStore, 'append'>
  owners: Pick<OwnerFactsStore, 'payerBehind'>
  accounts: {
    byWallet: UserStore['byWallet']
    membershipsOf: OrganizationStore['membershipsOf']
  }
  settings: { randomBytes: (length: number) => Uint8Array }
}

export type HandOverAgentInput = {
  id: string
  principal: SessionPrincipal
  address: `0x${string}`
  now: number
}

/**
 * Orders the transfer of a token in custody to a wallet of its owner. This is permanent: from then on only that wallet can
 * move it.
 *
 * The caller's account must have proven that it holds the wallet. Only owners and admins can hand over an organisation's
 * token. Repeating an order, pending or done, changes nothing.
 *
 * @returns The agent's identifier.
 * @throws ApiError NOT_FOUND, FORBIDDEN, ORGANIZATION_SUSPENDED, ACCOUNT_SUSPENDED, VALIDATION_ERROR for a wallet that is
 * not linked, INVALID_STATE if the token is not minted, not in custody, or on its way to another wallet. Source:
 * docs/decisions/0012, docs/decisions/0070.
 */
export async function handOverAgent(deps: HandOverAgentDeps, input: HandOverAgentInput): Promise<string> {
  const agent = await deps.agents.byAnyId(input.id)
  if (!agent) throw apiError('NOT_FOUND')
  refuseSuspendedOrganization(input.principal, agent.ownerId)
  await deps.db.transaction(async (trx) => {
    await refuseUnentitled(deps, trx, agent, input)
    const { svcId, chainAgentId, blockchainStatus } = agent
    const token = await deps.tokens.bySvcId(svcId, trx)
    if (token?.custody === 'owner' && isSameHex(token.holder, input.address)) return
    if (blockchainStatus !== 'verified' || chainAgentId === null || token?.custody !== 'registry') {
      throw apiError('INVALID_STATE', {
        message: 'The token of this agent is not in custody of the registry.',
      })
    }
    if (await isOnItsWay(deps, trx, svcId, input.address)) return
    await deps.outbox.addAgain(trx, {
      idempotencyKey: intentKey.handOver(svcId),
      kind: 'identity.handOver',
      payload: { svcId, agentId: String(chainAgentId), to: input.address },
      ...(await deps.owners.payerBehind(trx, agent.ownerId)),
      now: input.now,
    })
    await deps.records.append(trx, buildOrderedRecord(deps, agent, input))
  })
  return agent.svcId
}

async function refuseUnentitled(
  deps: HandOverAgentDeps,
  trx: Trx,
  { ownerId }: AgentRow,
  { principal, address }: HandOverAgentInput,
): Promise<void> {
  const { accounts, interventions } = deps
  const { developerId, userId } = principal
  const managed = listManagedOrganizations(await accounts.membershipsOf(userId, trx))
  if (ownerId !== developerId && !managed.includes(ownerId)) throw apiError('FORBIDDEN')
  // The caller's facts may be older than a suspension, and the transfer cannot be undone.
  await refuseSuspended(deps, trx, principal)
  if (await interventions.find(ownerId, trx)) throw apiError('ORGANIZATION_SUSPENDED')
  if ((await accounts.byWallet(trx, address))?.id === userId) return
  const message = 'is not a wallet that is linked to the account'
  throw validationError([{ pointer: '/address', code: 'not_linked', message }])
}

async function isOnItsWay({ outbox }: HandOverAgentDeps, trx: Trx, svcId: string, address: string) {
  const intent = await outbox.byKey(intentKey.handOver(svcId), trx)
  if (intent === null || intent.isSettled) return false
  const { to } = INTENT_PAYLOADS['identity.handOver'].parse(intent.payload)
  if (isSameHex(to, address)) return true
  throw apiError('INVALID_STATE', { message: 'The token is already being transferred to another wallet.' })
}

function buildOrderedRecord(
  { settings }: HandOverAgentDeps,
  agent: AgentRow,
  { principal, address, now }: HandOverAgentInput,
) {
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.hand_over_ordered',
      eventData: { address },
      inputs: { orderedBy: principal.userId, address },
    },
    { now, randomBytes: settings.randomBytes },
  )
}

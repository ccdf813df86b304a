import type { BlockchainDelay } from '@svc/core/contract/agents.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { BUDGET_SPENT, TOO_DEAR_TODAY } from '../relayer/budget.ts'
import { intentKey } from '../relayer/intents.ts'

export type ReadBlockchainDelayDeps = { outbox: Pick<OutboxStore, 'byKey' | 'isAnyDeferred'> }

const DELAYS = {
  day: {
    code: 'daily_gas_spent',
    message:
      'The gas that this service pays for in 24 hours is used up. The identity on chain follows later.',
  },
  strangers: {
    code: 'unverified_gas_spent',
    message:
      'The gas that this service pays for in 24 hours for owners without a verified identity is used up. The identity on chain follows later, or soon after the owner’s identity is verified.',
  },
  account: {
    code: 'account_gas_spent',
    message:
      'The gas that this service pays for in 24 hours for one account is used up. The identity on chain follows later.',
  },
  network: {
    code: 'network_gas_spent',
    message:
      'The gas that this service pays for in 24 hours for registrations from one network is used up. The identity on chain follows later.',
  },
} as const satisfies Record<keyof typeof BUDGET_SPENT, BlockchainDelay>

/**
 * Tells why a registered agent waits for its identity on chain, if the gas budget is the reason; null otherwise.
 *
 * Such an agent lacks nothing else: its registration is stored, and the relayer continues with the oldest ones as the budget
 * of the last 24 hours allows.
 */
export async function readBlockchainDelay(
  { outbox }: ReadBlockchainDelayDeps,
  { svcId, blockchainStatus }: Pick<AgentRow, 'svcId' | 'blockchainStatus'>,
): Promise<BlockchainDelay | null> {
  if (blockchainStatus !== 'pending') return null
  const mint = await outbox.byKey(intentKey.mint(svcId))
  const next = mint?.status === 'queued' ? mint : await outbox.byKey(intentKey.transfer(svcId))
  if (next?.status !== 'queued') return null
  const isDelayed = (part: keyof typeof BUDGET_SPENT) => outbox.isAnyDeferred(BUDGET_SPENT[part])
  if (next.lastError === TOO_DEAR_TODAY || (await isDelayed('day'))) return DELAYS.day
  const { accountId, network } = next
  const delays = (part: 'account' | 'network', payer: object) =>
    outbox.isAnyDeferred(BUDGET_SPENT[part], 0, payer)
  if (accountId !== null && (await delays('account', { account_id: accountId }))) return DELAYS.account
  if (network !== null && (await delays('network', { network }))) return DELAYS.network
  return next.strangerId !== null && (await isDelayed('strangers')) ? DELAYS.strangers : null
}

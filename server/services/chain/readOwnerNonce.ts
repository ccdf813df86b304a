import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import { apiError } from '../../errors.ts'
import type { DeploymentStore } from '../../store/relayer/deploymentStore.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import type { TransactionStore } from '../../store/relayer/transactionStore.ts'
import { listPendingConsents } from '../relayer/listPendingConsents.ts'

export type OwnerNonceDeps = {
  chain: Pick<ChainClient, 'identity' | 'readReceipt'>
  deployments: Pick<DeploymentStore, 'remembered'>
  outbox: Pick<OutboxStore, 'open'>
  transactions: Pick<TransactionStore, 'ofIntent'>
}

/** Maximum reads to catch up with registrations that arrive one by one; more do not arrive in that time. */
const READS_MAX = 8

/**
 * Returns the nonce for an owner's next signed registration, so that a client without a node can sign: the registry's nonce
 * plus the registrations still pending.
 *
 * A registry of another deployment may not support signed registration. Clients still sign, the signature is unused, and
 * the relayer mints and hands over, so they need not know.
 *
 * @throws `CHAIN_UNAVAILABLE` if the chain is unreachable. Source: docs/agents.md.
 */
export async function readOwnerNonce(deps: OwnerNonceDeps, input: { owner: Hex }): Promise<bigint> {
  const deployment = await deps.deployments.remembered()
  if (deployment === null) throw apiError('CHAIN_UNAVAILABLE', { headers: { 'Retry-After': '5' } })
  const read = async () =>
    (await deps.chain.identity.readNonce(deployment.identityRegistry, input.owner)) ?? 0n
  let nonce = await read()
  for (let reads = 1; ; reads += 1) {
    const onTheirWay = await countOnTheirWay(deps, input.owner)
    const now = await read()
    // A registration that arrived between the two reads may be counted in neither or in both.
    if (now === nonce || reads === READS_MAX) return now + onTheirWay
    nonce = now
  }
}

async function countOnTheirWay(deps: OwnerNonceDeps, owner: Hex): Promise<bigint> {
  let onTheirWay = 0n
  for (const intent of await listPendingConsents(deps.outbox, owner)) {
    if (!(await isMined(deps, intent))) onTheirWay += 1n
  }
  return onTheirWay
}

/** The chain is ahead of the outbox by up to one round of the relayer. */
async function isMined({ chain, transactions }: OwnerNonceDeps, { id, nonce }: Intent): Promise<boolean> {
  if (nonce === null) return false
  for (const { hash } of await transactions.ofIntent(id, nonce)) {
    if (await chain.readReceipt(hash as Hex)) return true
  }
  return false
}

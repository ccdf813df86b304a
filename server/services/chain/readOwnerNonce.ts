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

/** An owner's registrations that arrive one by one are caught up with; more than these do not arrive meanwhile. */
const READS_MAX = 8

/**
 * The nonce an owner's next signed registration has to cover, so that a client without a node of its own can sign:
 * the registry's, and one more for each registration that is still on its way there.
 *
 * A registry of somebody else may have no signed registration. Clients sign all the same, nobody uses the signature,
 * and the relayer mints and hands over; so they need not know.
 *
 * @throws `CHAIN_UNAVAILABLE` when the chain does not answer. Source: onchain.md "Additions" (`registerFor`).
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
    // One that arrived between the two looks may be counted in neither of them, or in both.
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

/** The chain is ahead of the outbox, by a round of the relayer. */
async function isMined({ chain, transactions }: OwnerNonceDeps, { id, nonce }: Intent): Promise<boolean> {
  if (nonce === null) return false
  for (const { hash } of await transactions.ofIntent(id, nonce)) {
    if (await chain.readReceipt(hash as Hex)) return true
  }
  return false
}

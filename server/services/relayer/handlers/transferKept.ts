import { isSameHex } from '@svc/core/isSameHex.ts'
import type { ChainClient } from '../../../chain/chainClient.ts'
import type { Hex } from '../../../chain/chainTypes.ts'
import type { Preparation } from '../intentHandler.ts'

/** A token, who holds it now, and to whom it is to go. */
type Token = { registry: Hex; agentId: bigint; holder: Hex; to: Hex }

/**
 * Prepares the transfer of a token that an account of the relayer holds, by that account, or finds that the transfer has
 * been made; null if neither.
 */
export async function transferKept(
  chain: ChainClient,
  { registry, agentId, holder, to }: Token,
  blocks: { first: number; last: number },
): Promise<Preparation | null> {
  const from = chain.relayers.find((account) => isSameHex(account, holder) && !isSameHex(account, to))
  if (from !== undefined) {
    const data = chain.identity.encodeTransfer(from, to, agentId)
    const simulated = await chain.simulate({ to: registry, data }, from)
    if ('refusal' in simulated) return { next: 'fail', why: simulated.refusal.message }
    return { next: 'send', call: { to: registry, data }, gas: simulated.gas, from }
  }
  for (const account of chain.relayers) {
    const place = await chain.identity.findTransfer(registry, { agentId, from: account, to }, blocks)
    if (place) return { next: 'adopt', place, result: null }
  }
  return null
}

import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { storeAgentKey } from './storeAgentKey.ts'
import { type TakeOverKeyDeps, takeOverKey } from './takeOverKey.ts'

export type StoreFirstKeysInput = {
  agent: { svcId: string; ownerId: string }
  keys: readonly AgentKey[]
  /** Thumbprints of those that its owner has proven to hold, which move from agents of other owners. */
  provenKids: ReadonlySet<string>
  now: number
}

/**
 * Stores the keys with which an agent is registered or adopted, in the transaction of that.
 *
 * @returns The agents of other owners that lost a key, whose caches the caller renews after the commit.
 * @throws ApiError KEY_TAKEN.
 */
export async function storeFirstKeys(
  deps: TakeOverKeyDeps,
  trx: Parameters<typeof storeAgentKey>[1],
  { agent, keys, provenKids, now }: StoreFirstKeysInput,
): Promise<string[]> {
  const lost: string[] = []
  for (const key of keys) {
    const kid = computeKeyThumbprint(key)
    const isProven = provenKids.has(kid)
    if (isProven) lost.push(...(await takeOverKey(deps, trx, { kid, ownerId: agent.ownerId, now })))
    await storeAgentKey(deps, trx, { agent, key, name: null, isProven, now })
  }
  return lost
}

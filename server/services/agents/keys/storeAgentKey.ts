import { AGENT_KEYS_MAX } from '@svc/core/contract/agentKeys.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { apiError } from '../../../errors.ts'
import type { AgentKeyRow, AgentKeyStore } from '../../../store/agents/agentKeyStore.ts'

/**
 * How many revoked keys of an agent are kept besides those that are listed. Revoking is never refused, but adding a key to
 * an agent that has had so many is.
 */
const FORMER_KEYS_MAX = 10_000

export type StoreAgentKeyDeps = {
  agentKeys: Pick<AgentKeyStore, 'ofAgent' | 'formerOf' | 'isTaken' | 'insert'>
  settings: { randomBytes: (length: number) => Uint8Array }
}

export type StoreAgentKeyInput = {
  agent: { svcId: string; ownerId: string }
  /** A key that the agent does not have yet. */
  key: AgentKey
  name: string | null
  /** Whether its holder has proven to be that. */
  isProven: boolean
  now: number
}

/** What is said of a key that was revoked at this agent. */
export const REVOKED_KEY = 'This key was revoked; generate another.'

const TOO_MANY_FORMER = 'The agent has had more keys than can be remembered; register another agent.'

/**
 * Stores a new key of an agent, in the transaction of a use case.
 *
 * A key may belong to several agents of one owner, but not to agents of two: then its signatures would not show who answers
 * for them.
 *
 * @throws ApiError KEY_TAKEN, INVALID_STATE for one key too many, or one that was revoked long ago.
 */
export async function storeAgentKey(
  deps: StoreAgentKeyDeps,
  trx: Parameters<AgentKeyStore['insert']>[0],
  { agent, key, name, isProven, now }: StoreAgentKeyInput,
): Promise<AgentKeyRow> {
  const { svcId: agentId, ownerId } = agent
  const kid = computeKeyThumbprint(key)
  const stored = await deps.agentKeys.ofAgent(agentId, trx)
  if (stored.filter(({ revokedAt }) => revokedAt === null).length >= AGENT_KEYS_MAX) {
    throw apiError('INVALID_STATE', { message: `An agent has at most ${AGENT_KEYS_MAX} active keys.` })
  }
  const { isFormer, count } = await deps.agentKeys.formerOf(trx, { agentId, kid })
  if (isFormer) throw apiError('INVALID_STATE', { message: REVOKED_KEY })
  if (count >= FORMER_KEYS_MAX) throw apiError('INVALID_STATE', { message: TOO_MANY_FORMER })
  if (await deps.agentKeys.isTaken(trx, { kid, ownerId })) throw apiError('KEY_TAKEN')
  const id = generateUuidV7(now, deps.settings.randomBytes(10))
  const provenAt = isProven ? now : null
  const row = { id, agentId, kid, jwk: key, name, createdAt: now, revokedAt: null, provenAt }
  await deps.agentKeys.insert(trx, row)
  return row
}

import type { StoredAgentKey } from '@svc/core/contract/agentKeys.ts'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { apiError, validationError } from '../../../errors.ts'
import type { KeyProofInput } from '../../../external/proofs/verifyKeyProof.ts'
import { buildAlert } from '../../alerts/createRaiseAlert.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'
import { buildAgentKeyRecord } from './buildAgentKeyRecord.ts'
import { changeKeysOfAgent, type KeyOwner } from './changeKeysOfAgent.ts'
import { REVOKED_KEY, storeAgentKey } from './storeAgentKey.ts'
import { takeOverKey } from './takeOverKey.ts'
import { toAgentKeyView } from './toAgentKeyView.ts'

export type AddAgentKeyInput = {
  id: string
  principal: KeyOwner
  key: AgentKey
  name: string | null
  /** Compact JWS by which the key itself shows that the caller holds it; null without one. */
  proof: string | null
  now: number
}

/**
 * Adds a public key to an agent, which can sign with it from the response on, and alerts the owner.
 *
 * Adding an active key again returns it as stored, and at most adds the proof. A revoked key cannot come back: whoever stole
 * it would come back with it. With a proof, the key is taken from agents of another owner, unless that owner has proven it.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, KEY_TAKEN, VALIDATION_ERROR for a proof that does not hold, INVALID_STATE for a
 * retired agent, a revoked key or one key too many.
 */
export async function addAgentKey(
  deps: AgentKeyDeps,
  { id, principal, key, name, proof, now }: AddAgentKeyInput,
): Promise<StoredAgentKey> {
  const kid = computeKeyThumbprint(key)
  const { randomBytes } = deps.settings
  let lost: string[] = []
  const added = await changeKeysOfAgent(deps, { id, principal, kid }, async (trx, agent) => {
    const { svcId: agentId, ownerId } = agent
    if (agent.status === 'retired') throw apiError('INVALID_STATE', { message: 'The agent is retired.' })
    const isProven = proof !== null
    if (isProven) await requireProof(deps, { key, proof, agentId, now })
    const known = (await deps.agentKeys.ofAgent(agentId, trx)).find((stored) => stored.kid === kid)
    if (known?.revokedAt === null) {
      if (!isProven || known.provenAt !== null) return toAgentKeyView(known)
      await deps.agentKeys.markProven(trx, { agentId, kid, at: now })
      return toAgentKeyView({ ...known, provenAt: now })
    }
    if (known) throw apiError('INVALID_STATE', { message: REVOKED_KEY })
    lost = isProven ? await takeOverKey(deps, trx, { kid, ownerId, now }) : []
    const row = await storeAgentKey(deps, trx, { agent, key, name, isProven, now })
    const change = { agent, key: row, principal }
    await deps.records.append(trx, buildAgentKeyRecord('agent.key_added', change, { now, randomBytes }))
    const data = { agentId, kid }
    const alert = { ownerId, code: 'agent.key_added', severity: 'warning', subject: kid, data } as const
    await deps.alerts.raise(buildAlert(alert, { now, randomBytes }), trx)
    return toAgentKeyView(row)
  })
  for (const svcId of lost) deps.onAgentChanged(svcId)
  return added
}

async function requireProof(
  { settings, verifyKeyProof }: AgentKeyDeps,
  proven: Omit<KeyProofInput, 'audience'>,
): Promise<void> {
  if (await verifyKeyProof({ ...proven, audience: settings.publicUrl })) return
  const message =
    'is not a proof that the key itself has signed for this agent and service, or it has expired'
  throw validationError([{ pointer: '/proof', code: 'invalid_proof', message }])
}

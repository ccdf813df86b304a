import { apiError } from '../../../errors.ts'
import { buildAlert } from '../../alerts/createRaiseAlert.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'
import { storeRevocation } from './storeRevocation.ts'

export type TakeOverKeyDeps = Pick<
  AgentKeyDeps,
  'agentKeys' | 'usedProofs' | 'records' | 'alerts' | 'settings'
> & { agents: Pick<AgentKeyDeps['agents'], 'bySvcId'> }

/**
 * Revokes a key that agents of another owner have, in the transaction in which its holder, who has proven to be that, adds
 * it to an agent. The former owner is alerted.
 *
 * @returns The agents that lost the key.
 * @throws ApiError KEY_TAKEN if the other owner has proven to hold it, too. Source: docs/decisions/0143.
 */
export async function takeOverKey(
  deps: TakeOverKeyDeps,
  trx: Parameters<AgentKeyDeps['agentKeys']['revoke']>[0],
  { kid, ownerId, now }: { kid: string; ownerId: string; now: number },
): Promise<string[]> {
  const lost: string[] = []
  for (const key of await deps.agentKeys.heldByOthers(trx, { kid, ownerId })) {
    const agent = await deps.agents.bySvcId(key.agentId, trx)
    if (key.provenAt !== null || agent === null) throw apiError('KEY_TAKEN')
    await storeRevocation(deps, trx, { agent, key, principal: null, now })
    const data = { agentId: agent.svcId, kid }
    const { randomBytes } = deps.settings
    const alert = {
      ownerId: agent.ownerId,
      code: 'agent.key_lost',
      severity: 'warning',
      subject: kid,
      data,
    } as const
    await deps.alerts.raise(buildAlert(alert, { now, randomBytes }), trx)
    lost.push(agent.svcId)
  }
  return lost
}

import type { SigningAccount, StoredAgentKey } from '@svc/core/contract/agentKeys.ts'
import { apiError } from '../../../errors.ts'
import type { AgentKeyStore } from '../../../store/agents/agentKeyStore.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import { actsForOf } from '../../actsForOf.ts'
import type { Principal } from '../../principal.ts'
import { type ListSigningAccountsDeps, listSigningAccounts } from './listSigningAccounts.ts'
import { toAgentKeyView } from './toAgentKeyView.ts'

export type ListAgentKeysDeps = {
  agents: Pick<AgentStore, 'byAnyId'>
  agentKeys: Pick<AgentKeyStore, 'ofAgent'>
}

/**
 * Lists the keys of an agent, oldest first, in one page, and the Ethereum accounts that sign for it: all of them for the
 * owner, for anyone else the active keys without the names that the owner gave them, and no account.
 *
 * @throws ApiError NOT_FOUND.
 */
export async function listAgentKeys(
  deps: ListAgentKeysDeps & ListSigningAccountsDeps,
  { id, principal }: { id: string; principal: Principal },
): Promise<{ items: StoredAgentKey[]; accounts: SigningAccount[] }> {
  const agent = await deps.agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  const keys = (await deps.agentKeys.ofAgent(agent.svcId)).map(toAgentKeyView)
  if (actsForOf(principal).has(agent.ownerId)) {
    return { items: keys, accounts: (await listSigningAccounts(deps, agent)).sources }
  }
  const active = keys.filter(({ status }) => status === 'active')
  return { items: active.map((key) => ({ ...key, name: null })), accounts: [] }
}

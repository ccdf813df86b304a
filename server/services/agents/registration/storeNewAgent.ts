import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { Db } from '../../../store/database/database.ts'
import { type AddAgentDeps, addAgent } from './addAgent.ts'
import type { AgentRegistration } from './agentRegistration.ts'

type Trx = Parameters<AgentStore['insert']>[0]

export type StoreNewAgentDeps = AddAgentDeps & {
  db: Pick<Db, 'transaction'>
  /** Finds or makes the account of a signing key. */
  ensureOwner(input: { trx: Trx; address: `0x${string}`; now: number }): Promise<{ developerId: string }>
}

export type StoreNewAgentInput = {
  svcId: string
  registration: AgentRegistration
  address: `0x${string}`
  now: number
}

/**
 * Makes a signed registration true in one transaction: the signer's account, and the agent, whose token is the signer's.
 *
 * @throws ApiError nonce_reused as `addAgent`. Source: api.md "Agents".
 */
export async function storeNewAgent(
  deps: StoreNewAgentDeps,
  { address, ...input }: StoreNewAgentInput,
): Promise<AgentRow> {
  return deps.db.transaction(async (trx) => {
    const { developerId } = await deps.ensureOwner({ trx, address, now: input.now })
    const signerAddress = address.toLowerCase() as `0x${string}`
    return addAgent(deps, trx, { ...input, ownerId: developerId, signerAddress, tokenOwner: address })
  })
}

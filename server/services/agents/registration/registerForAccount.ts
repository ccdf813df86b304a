import { encodeAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import { type AddAgentDeps, addAgent } from './addAgent.ts'
import type { AgentRegistration } from './agentRegistration.ts'

export type RegisterForAccountInput = {
  /** `SVCD-` or `SVCO-`. */
  ownerId: string
  /** Linked to the account that registers it, the first linked first; for an organisation they do not count. */
  wallets: readonly `0x${string}`[]
  registration: Omit<AgentRegistration, 'onChain'> & {
    /** Lower-case address of the agent's own key, which signed the request; an agent without one gets no tokens. */
    signerAddress?: `0x${string}` | null
  }
  now: number
}

/**
 * Registers an agent for an account, which need not have a signing key, in the transaction of a use case that knows it may.
 *
 * The token goes to the wallet that the developer linked first. Without one, and for an organisation, the relayer keeps
 * it until it is handed over. Its owner has approved it, which a parent may ask for. After the commit the caller tells `onAgentChanged` and publishes the file.
 *
 * Source: onchain.md "Relayer"; docs/decisions/0012.
 */
export async function registerForAccount(
  deps: AddAgentDeps,
  trx: Parameters<AgentStore['insert']>[0],
  { ownerId, wallets, registration, now }: RegisterForAccountInput,
): Promise<AgentRow> {
  const { signerAddress = null, ...described } = registration
  const [wallet = null] = ownerId.startsWith('SVCD-') ? wallets : []
  return addAgent(deps, trx, {
    svcId: encodeAgentIdentifier(deps.settings.randomBytes(16)),
    registration: { ...described, onChain: null },
    ownerId,
    signerAddress,
    tokenOwner: wallet,
    isApproved: true,
    now,
  })
}

import { encodeAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import { type AddAgentDeps, addAgent } from './addAgent.ts'
import type { AgentRegistration } from './agentRegistration.ts'

export type RegisterForAccountInput = {
  /** `SVCD-` or `SVCO-`. */
  ownerId: string
  /** Wallets of the registering account, first linked first; ignored for an organisation. */
  wallets: readonly `0x${string}`[]
  registration: Omit<AgentRegistration, 'onChain'> & {
    /** Lower-case address of the agent's own key, which signed the request; without one, the agent cannot get tokens. */
    signerAddress?: `0x${string}` | null
  }
  /** The network from which the owner approved it; null if it is unknown. */
  network?: string | null
  now: number
}

/**
 * Registers an agent for an account without a signing key, within the transaction of a use case that has checked the
 * permission.
 *
 * The token goes to the wallet that the developer linked first. Without a wallet, and for an organisation, the relayer
 * keeps the token until it is handed over. The owner has approved the registration, which a parent may require. After the
 * commit, the caller calls `onAgentChanged` and publishes the file.
 *
 * Source: docs/decisions/0012.
 */
export async function registerForAccount(
  deps: AddAgentDeps,
  trx: Parameters<AgentStore['insert']>[0],
  { ownerId, wallets, registration, network = null, now }: RegisterForAccountInput,
): Promise<AgentRow> {
  const { signerAddress = null, ...described } = registration
  const [wallet = null] = ownerId.startsWith('SVCD-') ? wallets : []
  const { agent } = await addAgent(deps, trx, {
    svcId: encodeAgentIdentifier(deps.settings.randomBytes(16)),
    registration: { ...described, onChain: null },
    ownerId,
    signerAddress,
    tokenOwner: wallet,
    isApproved: true,
    network,
    now,
  })
  return agent
}

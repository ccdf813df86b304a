import { apiError } from '../../../errors.ts'
import type { UserStore } from '../../../store/accounts/userStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'
import { buildAgentKeyRecord } from './buildAgentKeyRecord.ts'
import { changeKeysOfAgent, type KeyOwner } from './changeKeysOfAgent.ts'
import { type ListSigningAccountsDeps, listSigningAccounts } from './listSigningAccounts.ts'

export type RevokeSigningAccountDeps = AgentKeyDeps &
  ListSigningAccountsDeps & {
    accounts: Pick<UserStore, 'noteUnlinked' | 'revokeForOrganization'>
    owners: Pick<OwnerFactsStore, 'personBehind'>
    /** Called when the accounts that sign for the agents of an account have changed. */
    onAccountChanged(userId: string): Promise<void>
  }

export type RevokeSigningAccountInput = { id: string; address: string; principal: KeyOwner; now: number }

/**
 * Ends that an Ethereum account signs for an agent that it registered, or whose token names it, as if it had been a wallet
 * of the owner's that is unlinked: it signs for none of the owner's agents until the owner links it; for an organisation,
 * until somebody links it who may add keys to its agents.
 *
 * @param input.address In upper or lower case.
 * @returns The address in lower case.
 * @throws ApiError NOT_FOUND for an account that does not sign for the agent, INVALID_STATE for a wallet that the owner has
 *   linked, FORBIDDEN. Source: docs/decisions/0119.
 */
export async function revokeSigningAccount(
  deps: RevokeSigningAccountDeps,
  { id, address: given, principal, now }: RevokeSigningAccountInput,
): Promise<string> {
  const address = given.toLowerCase()
  const person = await changeKeysOfAgent(deps, { id, principal, kid: address }, async (trx, agent) => {
    const { sources } = await listSigningAccounts(deps, agent, trx)
    const account = sources.find((one) => one.address === address)
    if (account === undefined) throw apiError('NOT_FOUND')
    if (account.source === 'linked_wallet') {
      throw apiError('INVALID_STATE', { message: 'Unlink this wallet from your account instead.' })
    }
    const { ownerId } = agent
    const userId = await deps.owners.personBehind(ownerId, trx)
    if (ownerId.startsWith('SVCO-')) await deps.accounts.revokeForOrganization(trx, ownerId, { address, now })
    else if (userId !== null) await deps.accounts.noteUnlinked(trx, userId, { address, now })
    const change = { agent, key: { kid: address, jwk: null, name: null }, principal }
    const { randomBytes } = deps.settings
    await deps.records.append(trx, buildAgentKeyRecord('agent.key_revoked', change, { now, randomBytes }))
    return userId
  })
  if (person !== null) await deps.onAccountChanged(person)
  return address
}

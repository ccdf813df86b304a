import { apiError } from '../../../errors.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { LockName } from '../../../store/database/locks/lockName.ts'
import { refuseSuspended } from '../../accounts/refuseSuspended.ts'
import type { SessionPrincipal, SignaturePrincipal } from '../../principal.ts'
import { requireWriter } from '../../requireWriter.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'

type Trx = Parameters<AgentKeyDeps['agentKeys']['insert']>[0]

/** The caller: the table of routes requires a fresh passkey of a session. */
export type KeyOwner = SessionPrincipal | SignaturePrincipal

/**
 * Changes the keys of an agent in one transaction, in which the caller is found to be its owner.
 *
 * A request signed by a key proves the owner only if that key is a wallet of the account that owns the agent: the key that
 * an agent signs with must not add others. Agents of organisations are changed with a session.
 *
 * @param input.id `SVC-` identifier or UUID. `kid` is the key that changes, which no other owner may take meanwhile.
 * @param change Returns what the caller gets; under an Idempotency-Key it is stored with the change.
 * @throws ApiError NOT_FOUND, FORBIDDEN, ORGANIZATION_SUSPENDED, ACCOUNT_SUSPENDED.
 */
export async function changeKeysOfAgent<Result>(
  deps: AgentKeyDeps,
  { id, principal, kid }: { id: string; principal: KeyOwner; kid: string },
  change: (trx: Trx, agent: AgentRow) => Promise<Result>,
): Promise<Result> {
  const found = await deps.agents.byAnyId(id)
  if (!found) throw apiError('NOT_FOUND')
  const { ownerId } = found
  const locks: LockName[] = [`agent ${found.svcId}`, `key ${kid}`]
  const work = async (trx: Trx) => {
    const agent = (await deps.agents.bySvcId(found.svcId, trx)) ?? found
    await requireOwner(deps, trx, principal, agent)
    return change(trx, agent)
  }
  if (principal.kind === 'session') requireWriter(principal, ownerId)
  const result = await (principal.kind === 'session'
    ? deps.writeAs({ principal, ownerId }, locks, work)
    : deps.db.transaction(work, [...locks, `organization ${ownerId}`]))
  deps.onAgentChanged(found.svcId)
  return result
}

async function requireOwner(
  deps: AgentKeyDeps,
  trx: Trx,
  principal: KeyOwner,
  { ownerId }: AgentRow,
): Promise<void> {
  if (principal.kind === 'session') return requireWriter(principal, ownerId)
  const account = await deps.accounts.byWallet(trx, principal.address)
  if (account?.developerId !== ownerId) throw apiError('FORBIDDEN')
  await refuseSuspended(deps, trx, account)
}

import { apiError } from '../../errors.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { MovedAgent, WalletMergeStore } from '../../store/accounts/walletMergeStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import { type RefuseSuspendedDeps, refuseSuspended } from '../accounts/refuseSuspended.ts'
import { buildAgentRecord } from '../agents/buildAgentRecord.ts'

type Account = { developerId: string }

export type MergeWalletAccountDeps = RefuseSuspendedDeps & {
  users: Pick<UserStore, 'moveWallet'>
  sessions: Pick<SessionStore, 'endOfUser'>
  merges: WalletMergeStore
  records: Pick<AuditRecordStore, 'append'>
  randomBytes: (length: number) => Uint8Array
}

export type MergeWalletAccountInput = {
  address: string
  from: Account & { id: string }
  /** `isElevated`: by a fresh passkey assertion, as for adding keys to agents of organisations. */
  to: Account & { userId: string; isElevated: boolean }
  now: number
}

/** What the caches must drop after the commit. */
export type MergedAccount = {
  userId: string
  movedAgents: string[]
  endedSessions: string[]
  /** The users whose organisations’ agents the wallet may sign for again. */
  regained: string[]
}

/**
 * Moves a wallet and its agents to another account and ends the sessions of the emptied account, which nobody can open
 * again.
 *
 * Each agent's change of owner is recorded; earlier records keep naming the owner of their time.
 *
 * @throws ApiError ACCOUNT_SUSPENDED: agents do not escape a suspension; INVALID_STATE if the wallet's account holds
 * anything else, which other ways to sign in would lose.
 */
export async function mergeWalletAccount(
  deps: MergeWalletAccountDeps,
  trx: Parameters<WalletMergeStore['moveAgents']>[0],
  { address, from, to, now }: MergeWalletAccountInput,
): Promise<MergedAccount> {
  await refuseSuspended(deps, trx, from)
  if (!(await deps.merges.isWalletOnly(trx, { userId: from.id, developerId: from.developerId }))) {
    throw apiError('INVALID_STATE', {
      message: 'The wallet belongs to an account that has more than this wallet and its agents.',
    })
  }
  const owners = { from: from.developerId, to: to.developerId }
  const moved = await deps.merges.moveAgents(trx, owners, now)
  for (const agent of moved) {
    await deps.records.append(trx, buildOwnerChangedRecord(agent, owners, now, deps.randomBytes))
  }
  const wallet = { address, forOrganizations: to.isElevated }
  const regained = await deps.users.moveWallet(trx, to.userId, wallet)
  await deps.merges.markMerged(trx, { from: from.id, to: to.userId }, now)
  const endedSessions = await deps.sessions.endOfUser(trx, from.id, { at: now, reason: 'accounts_merged' })
  return { userId: from.id, movedAgents: moved.map(({ svcId }) => svcId), endedSessions, regained }
}

function buildOwnerChangedRecord(
  { svcId, name, pdlssHash }: MovedAgent,
  owners: { from: string; to: string },
  now: number,
  randomBytes: (length: number) => Uint8Array,
) {
  return buildAgentRecord(
    { svcId, name, pdlssHash, ownerId: owners.to },
    {
      eventType: 'agent.owner_changed',
      eventData: { previousOwnerIdentifier: owners.from },
      inputs: { ownerIdentifier: owners.to, previousOwnerIdentifier: owners.from },
    },
    { now, randomBytes },
  )
}

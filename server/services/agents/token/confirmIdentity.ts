import type { Db } from '../../../store/database/database.ts'
import {
  type CommitRegistrationFileDeps,
  commitRegistrationFile,
} from '../registrationFile/commitRegistrationFile.ts'

export type ConfirmIdentityDeps = CommitRegistrationFileDeps & {
  db: Pick<Db, 'transaction'>
  publishFile(svcId: string): Promise<void>
  onAgentChanged(svcId: string): void
}

/**
 * What follows when an agent's identity is on chain: its registration file is complete, so it is committed to in the
 * audit log and written.
 *
 * The agent's row names its token already. Safe to run twice: an unchanged file is committed to once.
 *
 * Source: onchain.md "Registration file".
 */
export async function confirmIdentity(deps: ConfirmIdentityDeps, svcId: string): Promise<void> {
  const now = deps.settings.clock()
  await deps.db.transaction(async (trx) => {
    const agent = await deps.agents.bySvcId(svcId, trx)
    if (agent) await commitRegistrationFile(deps, trx, agent, now)
  })
  deps.onAgentChanged(svcId)
  await deps.publishFile(svcId)
}

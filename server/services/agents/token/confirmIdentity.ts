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
 * Completes an agent whose identity was confirmed on chain: commits to its registration file, now complete, in the audit
 * log and writes the file.
 *
 * The agent's row already names its token. Safe to repeat: an unchanged file is committed to once.
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

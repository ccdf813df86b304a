import type { Db } from '../../../store/database/database.ts'
import type { DeploymentStore } from '../../../store/relayer/deploymentStore.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import {
  type CommitRegistrationFileDeps,
  commitRegistrationFile,
} from '../registrationFile/commitRegistrationFile.ts'

/** Agents of one round. */
const PAGE_MAX = 200
/** With more than this in the outbox the move waits: registrations and batches come first. */
const BACKLOG_MAX = 400

export type MoveHostDeps = CommitRegistrationFileDeps & {
  db: Pick<Db, 'transaction'>
  outbox: Pick<OutboxStore, 'backlog'>
  deployments: Pick<DeploymentStore, 'servedUrl' | 'setServedUrl'>
  publishFile(svcId: string): Promise<void>
}

export type MoveHost = {
  /** Lets only the process that is the relayer move. */
  isRelayer(): Promise<boolean>
  /** Leads a token here, if that can be done. */
  syncTokenUri(svcId: string): Promise<void>
}

/**
 * Brings every agent to the address that the service has now, when that is not the one it had: registration files, which
 * hold it, and the URIs of tokens.
 *
 * It goes through the agents once, a page a round, and waits while the outbox is full. Killed half-way it starts over,
 * which finds done what is done. An address that was brought to its end is remembered, so that other starts cost nothing.
 *
 * @returns Rounds; each answers how many agents it looked at, 0 when it is done or has to wait.
 */
export function createMoveHost(deps: MoveHostDeps, { isRelayer, syncTokenUri }: MoveHost) {
  const { publicUrl, clock } = deps.settings
  let after = 0
  let isDone = false

  return async (): Promise<number> => {
    if (isDone || !(await isRelayer())) return 0
    isDone = after === 0 && (await deps.deployments.servedUrl()) === publicUrl
    if (isDone || (await deps.outbox.backlog()) > BACKLOG_MAX) return 0
    const page = await deps.agents.page(after, PAGE_MAX)
    for (const { svcId } of page) {
      await rewriteFile(deps, svcId, clock())
      await syncTokenUri(svcId)
    }
    const last = page.at(-1)
    if (last) after = last.position
    else {
      await deps.db.transaction((trx) => deps.deployments.setServedUrl(trx, publicUrl))
      isDone = true
    }
    return page.length
  }
}

/** Agents of platforms have no file. */
async function rewriteFile(deps: MoveHostDeps, svcId: string, now: number): Promise<void> {
  const isWritten = await deps.db.transaction(async (trx) => {
    const agent = await deps.agents.bySvcId(svcId, trx)
    if (!agent || agent.registrationFileHash === null) return false
    await commitRegistrationFile(deps, trx, agent, now)
    return true
  })
  if (isWritten) await deps.publishFile(svcId)
}

import type { Db } from '../../../store/database/database.ts'
import type { DeploymentStore } from '../../../store/relayer/deploymentStore.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import {
  type CommitRegistrationFileDeps,
  commitRegistrationFile,
} from '../registrationFile/commitRegistrationFile.ts'

/** Maximum agents per round. */
const PAGE_MAX = 200
/** With more intents than this in the outbox, the move waits: registrations and batches come first. */
const BACKLOG_MAX = 400

export type MoveHostDeps = CommitRegistrationFileDeps & {
  db: Pick<Db, 'transaction'>
  outbox: Pick<OutboxStore, 'backlog'>
  deployments: Pick<DeploymentStore, 'servedUrl' | 'setServedUrl'>
  publishFile(svcId: string): Promise<void>
}

export type MoveHost = {
  /** Whether this process is the relayer; only it moves agents. */
  isRelayer(): Promise<boolean>
  /** Points a token at its registration file, where possible. */
  syncTokenUri(svcId: string): Promise<void>
}

/** Increase it with every change of the text that `registrationFileOf` writes for an unchanged agent. */
const FILE_FORMAT = 2

/**
 * Moves every agent to a changed public URL: its registration file, which contains the URL, and the URI of its token. A
 * changed format of the files has the same effect.
 *
 * It visits each agent once, a page per round, and waits while the outbox is full. After a crash it starts over and skips
 * what is done. A completed URL is remembered, so that later starts cost nothing.
 *
 * @returns A function that runs one round and returns the number of agents it visited; 0 when done or waiting.
 */
export function createMoveHost(deps: MoveHostDeps, { isRelayer, syncTokenUri }: MoveHost) {
  const { publicUrl, clock } = deps.settings
  const served = `${publicUrl}#${FILE_FORMAT}`
  let after = 0
  let isDone = false

  return async (): Promise<number> => {
    if (isDone || !(await isRelayer())) return 0
    isDone = after === 0 && (await deps.deployments.servedUrl()) === served
    if (isDone || (await deps.outbox.backlog()) > BACKLOG_MAX) return 0
    const page = await deps.agents.page(after, PAGE_MAX)
    for (const { svcId } of page) {
      await rewriteFile(deps, svcId, clock())
      await syncTokenUri(svcId)
    }
    const last = page.at(-1)
    if (last) after = last.position
    else {
      await deps.db.transaction((trx) => deps.deployments.setServedUrl(trx, served))
      isDone = true
    }
    return page.length
  }
}

/** Provisional agents of platforms have no file. */
async function rewriteFile(deps: MoveHostDeps, svcId: string, now: number): Promise<void> {
  const isWritten = await deps.db.transaction(async (trx) => {
    const agent = await deps.agents.bySvcId(svcId, trx)
    if (!agent || agent.registrationFileHash === null) return false
    await commitRegistrationFile(deps, trx, agent, now)
    return true
  })
  if (isWritten) await deps.publishFile(svcId)
}

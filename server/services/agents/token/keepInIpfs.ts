import { computeFileCid } from '@svc/core/registrationFile/computeFileCid.ts'
import type { IpfsFiles } from '../../../external/outbound/ipfsFiles.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { IpfsFileStore } from '../../../store/agents/ipfsFileStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import { registrationFileOf } from '../registrationFile/registrationFileOf.ts'
import type { MoveHost } from './moveHost.ts'

/** Maximum agents per round. */
const PAGE_MAX = 50
/**
 * With more intents than this in the outbox, files wait, because each needs a transaction and registrations and batches
 * come first.
 */
const BACKLOG_MAX = 400

export type KeepInIpfsDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'bySvcId'>
  kept: IpfsFileStore
  ipfs: IpfsFiles
  outbox: Pick<OutboxStore, 'backlog'>
  publicUrl: string
}

/**
 * Publishes registration files to IPFS and then points their tokens at them.
 *
 * The database records what is pending, so an unreachable node or a killed process only causes a delay. A file is published
 * only as it was committed to; one that is being changed waits for the next round.
 *
 * @returns A function that runs one round and returns the number of files it published; 0 if none is pending or all have to
 * wait.
 * @throws Error if the node is unreachable, or returns an identifier that does not match the bytes.
 */
export function createKeepInIpfs(deps: KeepInIpfsDeps, { isRelayer, syncTokenUri }: MoveHost) {
  let after = ''
  return async (): Promise<number> => {
    if (!(await isRelayer()) || (await deps.outbox.backlog()) > BACKLOG_MAX) return 0
    const missing = await deps.kept.missing({ after, limit: PAGE_MAX })
    let brought = 0
    for (const svcId of missing) {
      // A file that waits for its commitment, or fails, must not block the others.
      after = svcId
      const sha256 = await keep(deps, svcId)
      if (sha256 === null) continue
      await syncTokenUri(svcId)
      await deps.db.transaction((trx) => deps.kept.setLed(trx, svcId, sha256))
      brought += 1
    }
    if (missing.length < PAGE_MAX) after = ''
    return brought
  }
}

/** @returns The hash of the file that is now in IPFS; null if the agent has none to publish. */
async function keep(deps: KeepInIpfsDeps, svcId: string): Promise<string | null> {
  const agent = await deps.agents.bySvcId(svcId)
  if (!agent) return null
  const { text, sha256 } = registrationFileOf(agent, deps.publicUrl)
  if (sha256 !== agent.registrationFileHash) return null
  const expected = computeFileCid(sha256)
  const answered = await deps.ipfs.add(text)
  if (answered !== expected) {
    throw new Error(
      `the IPFS node answers ${answered} for the file of ${svcId}, whose identifier is ${expected}`,
    )
  }
  await deps.db.transaction((trx) => deps.kept.put(trx, svcId, sha256))
  return sha256
}

import { computeFileCid } from '@svc/core/registrationFile/computeFileCid.ts'
import type { IpfsFiles } from '../../../external/ipfsFiles.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { IpfsFileStore } from '../../../store/agents/ipfsFileStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import { registrationFileOf } from '../registrationFile/registrationFileOf.ts'
import type { MoveHost } from './moveHost.ts'

/** Agents of one round. */
const PAGE_MAX = 50
/** With more than this in the outbox files wait, because each asks for a transaction: registrations and batches come first. */
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
 * Brings registration files that are not in IPFS yet there, and then their tokens to them.
 *
 * What waits is what the database says, so a node that is away, or a process that is killed, only delays it. A file goes
 * to the node only as it was committed to; one that is being changed waits for the next round.
 *
 * @returns Rounds; each answers how many files it brought, 0 when none waits or all have to.
 * @throws Error when the node cannot be reached, or answers an identifier that is not that of the bytes.
 * Source: onchain.md "Registration file".
 */
export function createKeepInIpfs(deps: KeepInIpfsDeps, { isRelayer, syncTokenUri }: MoveHost) {
  let after = ''
  return async (): Promise<number> => {
    if (!(await isRelayer()) || (await deps.outbox.backlog()) > BACKLOG_MAX) return 0
    const missing = await deps.kept.missing({ after, limit: PAGE_MAX })
    let brought = 0
    for (const svcId of missing) {
      // One that waits for its commitment, or fails, must not keep those behind it from being looked at.
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

/** @returns The hash of the file that is in IPFS now; null when the agent has none to be kept. */
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

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

export type AuditedLog = Awaited<ReturnType<typeof openAuditedLog>>

/** Opens a log of twelve records in two batches, with the arguments that name it to the auditor’s tool. */
export async function openAuditedLog() {
  const folder = createTemporaryFolder()
  const log = await openAnchoredLog()
  await log.anchorRecords(7)
  await log.anchorRecords(5)
  return {
    log,
    logArgs: ['--rpc', log.rpcUrl, '--log', log.logId, '--contract', log.contract],
    /** Writes a document to a file, and returns its path. */
    written(content: unknown): string {
      const file = join(folder.path, `${Math.random()}.json`)
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
      return file
    },
    async close() {
      await log.close()
      folder.remove()
    },
  }
}

import type { ServerResponse } from 'node:http'
import type { createNoteSigner } from '../../../server/external/keys/noteSigner.ts'
import { exportRecords } from '../../../server/services/audit/exportRecords.ts'
import { proveConsistency } from '../../../server/services/audit/proveConsistency.ts'
import { listBatches } from '../../../server/services/audit/readBatch.ts'
import { readCheckpoint, readLogKey } from '../../../server/services/audit/readCheckpoint.ts'
import { readProof } from '../../../server/services/audit/readProof.ts'
import { AGENT_OWNER } from '../../builders/buildNumberedRecord.ts'
import type { AuditPipeline } from '../database/openAuditPipeline.ts'
import { DEPLOYMENT } from '../database/openAuditPipeline.ts'
import { listen } from '../peers/listen.ts'

type Signer = ReturnType<typeof createNoteSigner>
/** Changes a response on its way, as a service that lies would. */
type Tamper = (path: string, body: string) => string
/** Responds in place of the service; false if it does not. */
type Lie = (path: string, res: ServerResponse) => boolean
type Log = AuditPipeline & { logId?: string }

/**
 * Serves the audit operations of a log over HTTP, without the rest of the service. The log can be replaced behind the same
 * address, other logs can be added, and its responses can be changed.
 */
export async function serveAuditLog(first: Log, signer: Signer) {
  const publicUrl = 'https://registry.example'
  const served = {
    log: first,
    /** Logs with the numbers from 1 on. */
    otherLogs: [] as Log[],
    signer,
    /** Signature lines of witnesses, for the text of a checkpoint. */
    cosignatures: async (_text: string): Promise<string[]> => [],
    tamper: ((_path, body) => body) as Tamper,
    lie: (() => false) as Lie,
    /** While true, every request gets 503. */
    isDown: false,
    requests: [] as string[],
  }
  const answer = async (path: string, query: URLSearchParams): Promise<string | object> => {
    const logs = [served.log, ...served.otherLogs]
    const log = logs[Number(query.get('log'))] ?? served.log
    const proofs = { ...log, batchSeconds: 5 }
    const checkpoints = { signer: served.signer, publicUrl, cosignatures: served.cosignatures }
    const number = (name: string) => Number(query.get(name))
    const record = /^\/api\/audit\/records\/(.+)\/proof$/.exec(path)?.[1]
    if (record !== undefined) return await findProof(logs, record)
    switch (path) {
      case '/api/audit/checkpoint':
        return readCheckpoint({ anchors: proofs, checkpoints })
      case '/api/audit/key':
        return readLogKey({ ...checkpoints, logId: async () => idOf(log) })
      case '/api/chain':
        return { logId: idOf(served.log), logIds: logs.map(idOf) }
      case '/api/audit/consistency':
        return proveConsistency(proofs, { from: number('from'), to: number('to') })
      case '/api/audit/batches':
        return {
          items: (await listBatches(log, { limit: 100, before: null })).items,
          nextCursor: null,
          hasMore: false,
        }
      default: {
        const range = { from: number('from'), to: number('to') }
        const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), ...range })
        return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      }
    }
  }
  const server = await listen(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost')
    served.requests.push(req.url ?? '')
    if (served.isDown) return res.writeHead(503).end()
    if (served.lie(req.url ?? '', res)) return
    try {
      const body = await answer(pathname, searchParams)
      const text = typeof body === 'string' ? body : JSON.stringify({ success: true, ...body })
      res.end(served.tamper(req.url ?? '', text))
    } catch (error) {
      const { code = 'INTERNAL_ERROR', status = 500 } = error as { code?: string; status?: number }
      res.writeHead(status).end(JSON.stringify({ success: false, code, message: code }))
    }
  })
  return Object.assign(served, { url: server.url, stop: server.stop })
}

const idOf = ({ logId = DEPLOYMENT.logId }: Log) => logId

/** Reads the proof of a record from the log that has it. */
async function findProof(logs: readonly Log[], recordId: string) {
  for (const log of logs.slice(1)) {
    const isThere = (await log.records.byRecordId(recordId)) !== null
    if (isThere) return readProof({ ...log, batchSeconds: 5 }, { recordId })
  }
  return readProof({ ...(logs[0] as Log), batchSeconds: 5 }, { recordId })
}

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAuditEntry, writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import type { AlertMail } from '../../../cli/monitor/deliverAlert.ts'
import type { MonitorState } from '../../../cli/monitor/monitorState.ts'
import { type MonitorHost, runMonitorCommand } from '../../../cli/monitor/runMonitorCommand.ts'
import { createNoteSigner } from '../../../server/external/keys/noteSigner.ts'
import { readEd25519Key } from '../../../server/external/keys/readEd25519Key.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { createRpc } from '../../harness/chain/createRpc.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { DEPLOYMENT } from '../../harness/database/openAuditPipeline.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { serveAuditLog } from '../../harness/service/serveAuditLog.ts'

/** The secret of the webhook. */
export const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='

/** Distinguishes copies from other records. */
const COPY = 900

type Alert = { level: string; finding: string; log: string | null; message: string; evidence: string[] }

export type MonitorScene = Awaited<ReturnType<typeof openMonitorScene>>

/** Opens a log of seven records that a service serves, one of nine with the same key that contradicts it, and a monitor. */
export async function openMonitorScene() {
  const folder = createTemporaryFolder()
  const file = (name: string) => join(folder.path, name)
  const signer = createNoteSigner(readEd25519Key(file('audit-log-key.json')))
  const stateFile = file('state.json')
  const log = await openAnchoredLog()
  await log.anchorRecords(3)
  await log.anchorRecords(4)
  // The same key and log, another database, and another first record.
  const forked: AnchoredLog = await openAnchoredLog()
  await forked.append([buildNumberedRecord(500)])
  await forked.anchorRecords(8)
  const service = await serveAuditLog(log, signer)
  const scene = {
    ...{ log, forked, service, signer, stateFile, file },
    origin: `registry.example/audit/${DEPLOYMENT.logId}`,
    now: 0,
    mails: [] as AlertMail[],
    /** Forgets what the monitor remembers. */
    forget: () => rmSync(stateFile, { force: true }),
    /** Forgets everything, and makes the service honest. */
    reset() {
      scene.forget()
      Object.assign(service, { log, signer, isDown: false, requests: [], otherLogs: [], lie: () => false })
      service.tamper = (_, body) => body
      service.cosignatures = async () => []
      Object.assign(scene, { now: Date.now(), mails: [] })
    },
    /** Looks once, and returns the exit code and what was printed. */
    async look(...args: string[]) {
      return await scene.run(['--once', ...args])
    },
    async run(args: string[], host: Partial<MonitorHost> = {}) {
      const lines: Alert[] = []
      const notes: string[] = []
      const code = await runMonitorCommand(['--service', service.url, '--state', stateFile, ...args], {
        out: (line) => void lines.push(JSON.parse(line)),
        err: (line) => void notes.push(line),
        read: (name) => readFileSync(name, 'utf8'),
        credentialsFile: file('none.json'),
        now: () => scene.now,
        signal: new AbortController().signal,
        limit: () => new AbortController().signal,
        env: { MONITOR_API_KEY: 'key', MONITOR_WEBHOOK_SECRET: SECRET },
        pause: async () => undefined,
        sendMail: async (mail) => void scene.mails.push(mail),
        ...host,
      })
      const alerts = lines.filter(({ level }) => level === 'alert')
      return { code, lines, notes: notes.join('\n'), found: alerts.map(({ finding }) => finding) }
    },
    chainArgs: () => ['--rpc', log.rpcUrl, '--contract', log.contract],
    /** When the newest block of the log's chain was mined, in epoch milliseconds. */
    async newestBlockTime(): Promise<number> {
      const block = await createRpc(log.rpcUrl)('eth_getBlockByNumber', ['latest', false])
      return Number((block as { timestamp: string }).timestamp) * 1000
    },
    receivedArgs(...ids: string[]) {
      writeFileSync(file('received.txt'), ids.join('\n'))
      return ['--received', file('received.txt')]
    },
    readState: (): MonitorState => JSON.parse(readFileSync(stateFile, 'utf8')),
    /** What is remembered of the first log. */
    logState: () => scene.readState().logs[DEPLOYMENT.logId],
    /**
     * Anchors a record whose entry has the identifier of an earlier one, with another verdict.
     *
     * @returns The identifier under which the service finds it.
     */
    async appendCopy(to: AnchoredLog, nth: number): Promise<string> {
      const copy = buildNumberedRecord(COPY + nth, { eventData: { recommendation: 'deny' } })
      const entry = parseAuditEntry(copy.entry)
      if (!entry.ok) throw new Error(entry.reason)
      const { recordId } = buildNumberedRecord(nth)
      await to.append([{ ...copy, entry: writeAuditEntry({ ...entry.entry, recordId, decision: 'deny' }) }])
      await to.anchorRecords(0)
      return copy.recordId
    },
    async close() {
      await service.stop()
      await forked.close()
      await log.close()
      folder.remove()
    },
  }
  scene.reset()
  return scene
}

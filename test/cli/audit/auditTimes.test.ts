import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAuditEntry, writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { expect } from 'chai'
import { createJsonReport } from '../../../cli/audit/createJsonReport.ts'
import { parseAuditArguments } from '../../../cli/audit/parseAuditArguments.ts'
import { runAudit } from '../../../cli/audit/runAudit.ts'
import { exportRecords } from '../../../server/services/audit/exportRecords.ts'
import { AGENT_OWNER, buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Report = {
  outcome: string
  facts: Record<string, Record<string, unknown>>
  warnings: string[]
  failures: string[]
}
/** A line of the export, without its event. */
type Line = { recordId: string; index: number }

/** A log whose operator wrote what suited it. Each batch ends with a record of the harness, which no test looks at. */
describe('npm run verify-audit on the records of a lying operator', () => {
  const folder = createTemporaryFolder()
  let log: AnchoredLog
  let lines: Line[]
  let now: number

  before(async () => {
    log = await openAnchoredLog()
    now = Date.now()
    const dated = (nth: number, recordedAt: number) => buildNumberedRecord(nth, { recordedAt })
    const repeated = dated(105, now)
    const parsed = parseAuditEntry(repeated.entry)
    if (!parsed.ok) throw new Error(parsed.reason)
    const { recordId } = buildNumberedRecord(101)
    const batches = [
      [dated(100, now), dated(101, now), dated(102, now + 10 * MINUTE)],
      [
        dated(103, now),
        dated(104, now - 2 * HOUR),
        { ...repeated, entry: writeAuditEntry({ ...parsed.entry, recordId, decision: 'deny' }) },
      ],
    ]
    for (const records of batches) {
      await log.append(records)
      await log.anchorRecords(1)
    }
    const { lines: exported } = await exportRecords(log, {
      actsFor: new Set([AGENT_OWNER]),
      from: 0,
      to: 100,
    })
    lines = exported.map(({ event: _, ...line }) => line)
  })
  after(async () => {
    await log.close()
    folder.remove()
  })

  const audit = async (what: '--record' | '--export', ...content: object[]): Promise<Report> => {
    const file = join(folder.path, `${Math.random()}`)
    writeFileSync(file, content.map((line) => JSON.stringify(line)).join('\n'))
    const logArgs = ['--rpc', log.rpcUrl, '--log', log.logId, '--contract', log.contract, '--json']
    const parsed = parseAuditArguments([...logArgs, what, file])
    if (parsed.kind !== 'arguments') throw new Error('not a command')
    let text = ''
    await runAudit(
      parsed.arguments,
      createJsonReport((written) => {
        text = written
      }),
    )
    return JSON.parse(text)
  }
  const lineOf = (index: number): Line => {
    const line = lines.find((one) => one.index === index)
    if (line === undefined) throw new Error(`there is no number ${index}`)
    return line
  }

  it('shows the time of the block that first anchored a record beside the time of its entry', async () => {
    const { outcome, facts, warnings } = await audit('--record', lineOf(1))
    expect(outcome).to.equal('proven')
    expect(facts.dated).to.equal(new Date(now).toISOString())
    expect(facts.anchored).to.include({ batch: 1 })
    expect(Date.parse(String(facts.anchored?.time))).to.be.within(now - MINUTE, now + 10 * MINUTE)
    expect(warnings).to.deep.equal([])
  })

  it('refutes a record that is dated after the block that first anchored it', async () => {
    const one = await audit('--record', lineOf(2))
    expect(one.failures.join()).to.match(/NOT proven: the entry is dated .*, after batch 1 in block \d+ of /)
    expect(one.outcome).to.equal('refuted')
    const all = await audit('--export', ...[0, 1, 2, 4].map(lineOf))
    expect(all.failures.join()).to.match(/record number 2: the entry is dated .*, after batch 1 in block /)
    expect(all.outcome).to.equal('refuted')
  })

  it('warns of a record that is dated long before those that precede it', async () => {
    const one = await audit('--record', lineOf(5))
    expect(one.warnings.join()).to.match(/dated back, or it waited that long for its anchor/)
    const all = await audit('--export', ...[0, 1, 4, 5].map(lineOf))
    expect(all.warnings.join()).to.match(/^record number 5 is dated .*, more than an hour before/)
    expect([one.outcome, all.outcome]).to.deep.equal(['proven', 'proven'])
  })

  it('refutes a record that has two numbers, with opposite verdicts', async () => {
    const { recordId } = lineOf(1)
    const { outcome, failures } = await audit('--export', lineOf(1), { ...lineOf(6), recordId })
    expect(failures.join()).to.include(`line 2: record ${recordId} is at number 6, and also at number 1`)
    expect(outcome).to.equal('refuted')
  })
})

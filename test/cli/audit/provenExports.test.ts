import { expect } from 'chai'
import { exportRecords } from '../../../server/services/audit/exportRecords.ts'
import { AGENT_OWNER } from '../../builders/buildNumberedRecord.ts'
import type { AnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { type AuditedLog, openAuditedLog } from './openAuditedLog.ts'
import { runAuditTool } from './runAuditTool.ts'

describe('npm run verify-audit on the records of an export', () => {
  let audited: AuditedLog
  let log: AnchoredLog
  let logArgs: string[]
  let written: AuditedLog['written']

  before(async () => {
    audited = await openAuditedLog()
    ;({ log, logArgs, written } = audited)
  })
  after(() => audited.close())

  it('proves an export, and says whether it is the whole log', async () => {
    const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), from: 0, to: 100 })
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const whole = await runAuditTool(...logArgs, '--export', written(text))
    expect(whole.output).to.include('12 records').and.include('all records of the log')
    expect(whole.code).to.equal(0)
    const gap = await runAuditTool(
      ...logArgs,
      '--export',
      written(text.split('\n').toSpliced(4, 1).join('\n')),
    )
    expect(gap.output).to.include('not checked: 1 number of the log is not in it, in 1 gap')
    expect(gap.code).to.equal(0)
    const swapped = lines.map((line, i) => ({ ...line, seq: lines[i === 3 ? 4 : i === 4 ? 3 : i]?.seq }))
    const forged = await runAuditTool(
      ...logArgs,
      '--export',
      written(swapped.map((line) => JSON.stringify(line)).join('\n')),
    )
    expect(forged.output)
      .to.include('line 4: it proves record number 3, not 4')
      .and.include('2 faults in 12 records')
    expect(forged.code).to.equal(1)
  })

  it('rejects an event that belongs to another entry or differs from its own', async () => {
    const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), from: 0, to: 2 })
    const [first, second] = lines
    if (!first || !second) throw new Error('nothing was exported')
    for (const [event, sentence] of [
      [second.event, 'its record is'],
      [
        { ...first.event, eventType: 'agent.registered' },
        'its kind is verification.completed, and agent.registered',
      ],
      [
        { ...first.event, eventData: { recommendation: 'deny' } },
        'its recommendation is grant, and deny is shown',
      ],
    ] as const) {
      const { code, output } = await runAuditTool(...logArgs, '--export', written({ ...first, event }))
      expect(output).to.include('line 1: the event does not match its entry').and.include(sentence)
      expect(code).to.equal(1)
    }
  })

  it('reports every number of the range that is not in an export, also at its end', async () => {
    const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), from: 0, to: 100 })
    const text = lines.map((line) => JSON.stringify(line))
    const whole = await runAuditTool(...logArgs, '--export', written(text.join('\n')), '--range', '0-')
    expect(whole.output).to.include('yes: no number in the range is missing')
    expect(whole.code).to.equal(0)
    for (const [kept, range, sentence] of [
      [text.slice(0, -2), '0-', 'numbers 10 to 11 are missing'],
      [text.slice(1), '0-11', 'number 0 is missing'],
      [text.toSpliced(4, 3), '2-9', 'numbers 4 to 6 are missing'],
      [text, '0-12', 'number 12 is not anchored'],
      [text, '20-', 'number 20 is not anchored'],
    ] as const) {
      const cut = await runAuditTool(...logArgs, '--export', written(kept.join('\n')), '--range', range)
      expect(cut.output).to.include(sentence).and.include('Not complete.')
      expect(cut.code).to.equal(1)
    }
    const part = await runAuditTool(
      ...logArgs,
      '--export',
      written(text.toSpliced(0, 2).join('\n')),
      '--range',
      '2-11',
    )
    expect(part.code).to.equal(0)
  })
})

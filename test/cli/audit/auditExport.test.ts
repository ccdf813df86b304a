import { execFileSync } from 'node:child_process'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTextReport } from '../../../cli/audit/createTextReport.ts'
import { parseAuditArguments } from '../../../cli/audit/parseAuditArguments.ts'
import { runAudit } from '../../../cli/audit/runAudit.ts'
import { exportRecords } from '../../../server/services/audit/exportRecords.ts'
import { AGENT_OWNER } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { openNodeProxy } from '../../harness/chain/openNodeProxy.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

async function run(...args: string[]): Promise<{ outcome: string; output: string }> {
  const lines: string[] = []
  const parsed = parseAuditArguments(args)
  if (parsed.kind !== 'arguments') throw new Error(`not a command: ${args.join(' ')}`)
  const report = createTextReport((line) => lines.push(line), false)
  const outcome = await runAudit(parsed.arguments, report)
  return { outcome, output: lines.join('\n') }
}

/** A key of any log. */
const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'

describe('npm run verify-audit on an export', () => {
  const folder = createTemporaryFolder()
  let log: AnchoredLog
  let node: Awaited<ReturnType<typeof openNodeProxy>>
  let requests: string[]
  let text: string

  before(async () => {
    log = await openAnchoredLog()
    await log.anchorRecords(12)
    node = await openNodeProxy(log.rpcUrl)
    const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), from: 0, to: 100 })
    text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  })
  beforeEach(() => {
    requests = []
    node.intercept(({ method }) => {
      requests.push(method)
      return 'pass'
    })
  })
  after(async () => {
    node.close()
    await log.close()
    folder.remove()
  })

  const audit = (file: string, ...words: string[]) =>
    run('--rpc', node.url, '--log', log.logId, '--export', file, ...words)
  const written = (content: string): string => {
    const file = join(folder.path, `${Math.random()}.jsonl`)
    writeFileSync(file, content)
    return file
  }

  it('sends the node the same few requests, however many records there are', async () => {
    expect(await audit(written(text))).to.include({ outcome: 'proven' })
    expect(requests.filter((method) => method === 'eth_call')).to.have.length(2)
    expect(requests.length).to.be.below(9)
  })

  it('reads it from a pipe, which can be read only once', async () => {
    const pipe = join(folder.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    const stream = createWriteStream(pipe)
    stream.end(text)
    const { outcome, output } = await audit(pipe, '--range', '0-')
    expect(output).to.include('12 records, numbers 0 to 11 of 12 on chain')
    expect(outcome).to.equal('proven')
  })

  it('finds the contract after invalid lines, which count as faults', async () => {
    const { outcome, output } = await audit(written(`nonsense\n\n{}\n${text}`))
    expect(output)
      .to.include('line 1: it is not a JSON object')
      .and.include('line 3: it is not a proof document')
    expect(output).to.include('NOT proven: 2 faults in 14 records')
    expect(outcome).to.equal('refuted')
  })

  it('reads files from Windows, with a byte order mark and CRLF line ends', async () => {
    const windows = `\ufeff${text.replaceAll('\n', '\r\n')}`
    expect(await audit(written(windows), '--range', '0-11')).to.include({ outcome: 'proven' })
    const [first = ''] = windows.split('\r\n')
    const record = ['--rpc', node.url, '--log', log.logId, '--record', written(first)]
    expect(await run(...record)).to.include({ outcome: 'proven' })
  })

  it('distinguishes missing numbers from those not anchored yet, and names a duplicate', async () => {
    const lines = text.split('\n').filter((line) => line !== '')
    const { output } = await audit(written(lines.slice(0, 9).join('\n')), '--range', '0-20')
    expect(output)
      .to.include('numbers 9 to 11 are missing.')
      .and.include('numbers 12 to 20 are not anchored.')
    const twice = await audit(written([...lines.slice(0, 3), lines[2]].join('\n')))
    expect(twice.output).to.include('line 4: record number 2 is a duplicate')
    const again = await audit(written([...lines.slice(0, 3), lines[1]].join('\n')))
    expect(again.output).to.include('line 4: record number 1 is a duplicate')
  })

  it('does not call an export complete that nobody asked to be, and that lacks numbers', async () => {
    const lines = text.split('\n').filter((line) => line !== '')
    for (const [kept, sentence] of [
      [lines.slice(0, 9), 'numbers 9 to 11 are not in it, which'],
      [lines.slice(2), 'numbers 0 to 1 are not in it, which'],
      [lines.toSpliced(4, 1).slice(0, 9), 'number 4 is not in it, and others, which'],
    ] as const) {
      const { outcome, output } = await audit(written(kept.join('\n')))
      expect(output).to.include(`not checked: whether the export is complete: ${sentence}`)
      expect(output)
        .to.match(/complete +not checked: /)
        .and.not.include('PROVEN.')
      expect(outcome).to.equal('proven')
    }
    expect((await audit(written(text))).output).to.match(/complete +yes: these are all records of the log/)
  })

  it('reports the records that were received and are not in it', async () => {
    const lines = text.split('\n').filter((line) => line !== '')
    const received = written(lines.map((line) => JSON.parse(line).recordId).join('\n'))
    const whole = await audit(written(text), '--received', received)
    expect(whole.outcome).to.equal('proven')
    expect(whole.output).to.include('all 12 records that you received are in the export')
    const cut = await audit(written(lines.slice(0, 11).join('\n')), '--received', received)
    const { recordId } = JSON.parse(lines[11] ?? '')
    expect(cut.output).to.include(`record ${recordId}, which you received, is not in the export.`)
    expect(cut.outcome).to.equal('refuted')
  })

  it('names what only the author of the export states, and a key that verified nothing', async () => {
    const forged = text.replaceAll('"eventData":{', '"eventData":{"purpose":"shopping:buy",')
    const { output } = await audit(written(forged), '--contract', log.contract, '--log-key', KEY)
    expect(output)
      .to.match(
        /\? not checked: what no entry states, and only the document does: .*event\.eventData\.purpose/,
      )
      .and.include('? not checked: a signature with --log-key: the proofs of an export have none.')
      .and.include('✓ PROVEN, except for what was not checked: 2 points above.')
  })

  it('says so if no line is a proof document', async () => {
    for (const content of ['', '\n', 'a,b,c\n'.repeat(5_000)]) {
      const { outcome, output } = await audit(written(content))
      expect(output).to.match(/^✗ NOT proven: .* contains no proof document( in its first 1000 lines)?\.$/)
      expect(outcome).to.equal('refuted')
    }
  })
})

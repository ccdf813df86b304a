import { execFileSync } from 'node:child_process'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTextReport } from '../../../scripts/audit/createTextReport.ts'
import { parseAuditArguments } from '../../../scripts/audit/parseAuditArguments.ts'
import { runAudit } from '../../../scripts/audit/runAudit.ts'
import { exportRecords } from '../../../server/services/audit/exportRecords.ts'
import { AGENT_OWNER } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { openNodeProxy } from '../../harness/chain/openNodeProxy.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

async function run(...words: string[]): Promise<{ outcome: string; output: string }> {
  const lines: string[] = []
  const parsed = parseAuditArguments(words)
  if (parsed.kind !== 'arguments') throw new Error(`not a command: ${words.join(' ')}`)
  const report = createTextReport((line) => lines.push(line), false)
  const outcome = await runAudit(parsed.arguments, report)
  return { outcome, output: lines.join('\n') }
}

describe('npm run verify-audit on an export', () => {
  const folder = createTemporaryFolder()
  let log: AnchoredLog
  let node: Awaited<ReturnType<typeof openNodeProxy>>
  let asked: string[]
  let text: string

  before(async () => {
    log = await openAnchoredLog()
    await log.anchorRecords(12)
    node = await openNodeProxy(log.rpcUrl)
    const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), from: 0, to: 100 })
    text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  })
  beforeEach(() => {
    asked = []
    node.intercept(({ method }) => {
      asked.push(method)
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

  it('asks the node for what it has to know once, however many records there are', async () => {
    expect(await audit(written(text))).to.include({ outcome: 'proven' })
    expect(asked.filter((method) => method === 'eth_call')).to.have.length(2)
    expect(asked.length).to.be.below(8)
  })

  it('reads it from a pipe, which can be read but once', async () => {
    const pipe = join(folder.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    const stream = createWriteStream(pipe)
    stream.end(text)
    const { outcome, output } = await audit(pipe, '--range', '0-')
    expect(output).to.include('12 records, numbers 0 to 11 of 12 on chain')
    expect(outcome).to.equal('proven')
  })

  it('finds the contract behind lines that are none, and counts them', async () => {
    const { outcome, output } = await audit(written(`nonsense\n\n{}\n${text}`))
    expect(output)
      .to.include('line 1: it is not a JSON object')
      .and.include('line 3: it is not a proof document')
    expect(output).to.include('NOT proven: 2 of 14 records')
    expect(outcome).to.equal('refuted')
  })

  it('reads what Windows writes: a mark of the byte order, and two signs at the end of a line', async () => {
    const windows = `\ufeff${text.replaceAll('\n', '\r\n')}`
    expect(await audit(written(windows), '--range', '0-11')).to.include({ outcome: 'proven' })
    const [first = ''] = windows.split('\r\n')
    const record = ['--rpc', node.url, '--log', log.logId, '--record', written(first)]
    expect(await run(...record)).to.include({ outcome: 'proven' })
  })

  it('tells what is missing apart from what is not anchored yet, and says of a number that it is there twice', async () => {
    const lines = text.split('\n').filter((line) => line !== '')
    const { output } = await audit(written(lines.slice(0, 9).join('\n')), '--range', '0-20')
    expect(output)
      .to.include('numbers 9 to 11 are missing.')
      .and.include('numbers 12 to 20 are not anchored.')
    const twice = await audit(written([...lines.slice(0, 3), lines[2]].join('\n')))
    expect(twice.output).to.include('line 4: record number 2 is there already')
  })

  it('holds no proof document when no line is one', async () => {
    for (const content of ['', '\n', 'a,b,c\n'.repeat(5_000)]) {
      const { outcome, output } = await audit(written(content))
      expect(output).to.match(/^✗ NOT proven: .* holds no proof document( in its first 1000 lines)?\.$/)
      expect(outcome).to.equal('refuted')
    }
  })
})

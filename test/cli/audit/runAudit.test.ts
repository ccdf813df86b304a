import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import { createTextReport } from '../../../cli/audit/createTextReport.ts'
import { parseAuditArguments } from '../../../cli/audit/parseAuditArguments.ts'
import { runAudit } from '../../../cli/audit/runAudit.ts'
import { exportRecords } from '../../../server/services/audit/exportRecords.ts'
import { readProof } from '../../../server/services/audit/readProof.ts'
import { AGENT_OWNER, buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { listen } from '../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const TOOL = join(import.meta.dirname, '../../../scripts/verifyAudit.ts')

/** Runs the tool as its entry point does, in this process. */
async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const parsed = parseAuditArguments(args)
  if (parsed.kind !== 'arguments') throw new Error(`not a command: ${args.join(' ')}`)
  const report = createTextReport((line) => lines.push(line), false)
  const code = { proven: 0, refuted: 1, unchecked: 2 }[await runAudit(parsed.arguments, report)]
  return { code, output: lines.join('\n') }
}

function spawnTool(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [TOOL, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
    })
  })
}

/** The arguments that name a log. */
const LOG_ARGS = ['--rpc', 'http://a', '--log', `0x${'1'.repeat(64)}`, '--contract', `0x${'2'.repeat(40)}`]

describe('npm run verify-audit', () => {
  const folder = createTemporaryFolder()
  let log: AnchoredLog
  let logArgs: string[]

  before(async () => {
    log = await openAnchoredLog()
    await log.anchorRecords(7)
    await log.anchorRecords(5)
    logArgs = ['--rpc', log.rpcUrl, '--log', log.logId, '--contract', log.contract]
  })

  after(async () => {
    await log.close()
    folder.remove()
  })

  const proofOf = (nth: number) =>
    readProof({ ...log, batchSeconds: 5 }, { recordId: buildNumberedRecord(nth).recordId })
  const written = (content: unknown): string => {
    const file = join(folder.path, `${Math.random()}.json`)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  const runOn = (content: unknown, ...args: string[]) =>
    run(...logArgs, '--record', written(content), ...args)

  it('proves a record and names its block and transaction', async () => {
    const proof = await proofOf(3)
    const { code, output } = await spawnTool(...logArgs, '--record', written({ success: true, ...proof }))
    expect(output)
      .to.include(proof.transactionHash)
      .and.match(new RegExp(`block +${proof.blockNumber}, the newest, 20`))
    expect(output).to.include('the contract itself').and.include('PROVEN.').and.not.include('NOT')
    expect(output, 'no colours in a pipe').to.not.include('\u001b')
    expect(code).to.equal(0)
  })

  it('warns if the contract’s address comes only from the proof', async () => {
    const { code, output } = await run(...logArgs.slice(0, 4), '--record', written(await proofOf(0)))
    expect(output).to.match(/\? not checked: the contract’s address comes from the proof itself/)
    expect(output).to.include('PROVEN, except for what was not checked: one point above.')
    expect(code).to.equal(0)
  })

  it('fetches a proof from a URL, which must return the proof of the record that it names', async () => {
    const proof = await proofOf(2)
    const site = await listen((_req, res) => res.end(JSON.stringify(proof)))
    const right = await run(
      ...logArgs,
      '--record',
      `${site.url}/api/audit/records/${buildNumberedRecord(2).recordId}/proof`,
    )
    expect(right).to.include({ code: 0 })
    const wrong = await run(...logArgs, '--record', `${site.url}/api/audit/records/another/proof`)
    expect(wrong.output).to.match(/NOT proven: it proves record .*, not another/)
    expect(wrong.code).to.equal(1)
    const encoded = buildNumberedRecord(2).recordId.replaceAll('-', '%2D')
    expect(await run(...logArgs, '--record', `${site.url}/api/audit/records/${encoded}/proof`)).to.include({
      code: 0,
    })
    const malformed = await run(...logArgs, '--record', `${site.url}/api/audit/records/%ff/proof`)
    expect(malformed.output)
      .to.include('NOT checked: ')
      .and.include('its identifier is not percent-encoded UTF-8')
    await site.stop()
  })

  it('proves an export, and says whether it is the whole log', async () => {
    const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), from: 0, to: 100 })
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const whole = await run(...logArgs, '--export', written(text))
    expect(whole.output).to.include('12 records').and.include('all records of the log')
    expect(whole.code).to.equal(0)
    const gap = await run(...logArgs, '--export', written(text.split('\n').toSpliced(4, 1).join('\n')))
    expect(gap.output).to.include('not checked: 1 number of the log is not in it, in 1 gap')
    expect(gap.code).to.equal(0)
    const swapped = lines.map((line, i) => ({ ...line, seq: lines[i === 3 ? 4 : i === 4 ? 3 : i]?.seq }))
    const forged = await run(
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
      const { code, output } = await run(...logArgs, '--export', written({ ...first, event }))
      expect(output).to.include('line 1: the event does not match its entry').and.include(sentence)
      expect(code).to.equal(1)
    }
  })

  it('reports every number of the range that is not in an export, also at its end', async () => {
    const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), from: 0, to: 100 })
    const text = lines.map((line) => JSON.stringify(line))
    const whole = await run(...logArgs, '--export', written(text.join('\n')), '--range', '0-')
    expect(whole.output).to.include('yes: no number in the range is missing')
    expect(whole.code).to.equal(0)
    for (const [kept, range, sentence] of [
      [text.slice(0, -2), '0-', 'numbers 10 to 11 are missing'],
      [text.slice(1), '0-11', 'number 0 is missing'],
      [text.toSpliced(4, 3), '2-9', 'numbers 4 to 6 are missing'],
      [text, '0-12', 'number 12 is not anchored'],
      [text, '20-', 'number 20 is not anchored'],
    ] as const) {
      const cut = await run(...logArgs, '--export', written(kept.join('\n')), '--range', range)
      expect(cut.output).to.include(sentence).and.include('Not complete.')
      expect(cut.code).to.equal(1)
    }
    const part = await run(
      ...logArgs,
      '--export',
      written(text.toSpliced(0, 2).join('\n')),
      '--range',
      '2-11',
    )
    expect(part.code).to.equal(0)
  })

  it('reports the same in JSON', async () => {
    const { code, output } = await spawnTool(...logArgs, '--record', written(await proofOf(3)), '--json')
    const report = JSON.parse(output)
    expect(report).to.include({ outcome: 'proven' })
    expect(report.facts).to.have.nested.property('record.seq', 3)
    expect(report.facts.head).to.include({ batch: 2, size: 12 })
    expect(code).to.equal(0)
    const forged = await spawnTool(
      ...logArgs,
      '--json',
      '--record',
      written({ ...(await proofOf(3)), index: 4 }),
    )
    expect(JSON.parse(forged.output)).to.have.property('outcome', 'refuted')
    expect(forged.code).to.equal(1)
  })

  it('says that a proof in JSON has no signature that --log-key could verify', async () => {
    const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
    const { code, output } = await runOn(await proofOf(3), '--log-key', key)
    expect(output)
      .to.include('? not checked: a signature with --log-key: a proof in JSON has none.')
      .and.include('✓ PROVEN, except for what was not checked: one point above.')
    expect(code).to.equal(0)
    const { output: json } = await spawnTool(
      ...logArgs,
      '--record',
      written(await proofOf(3)),
      '--log-key',
      key,
      '--json',
    )
    expect(JSON.parse(json).notChecked).to.have.length(1)
  })

  it('says that a named issuer issued nothing in a document without a receipt', async () => {
    const keys = written({ keys: [] })
    const { output } = await runOn(
      await proofOf(3),
      '--issuer',
      'https://registry.example',
      '--issuer-keys',
      keys,
    )
    expect(output).to.include(
      '? not checked: an issuer with --issuer or --issuer-keys: the document has no receipt.',
    )
  })

  it('names members next to a proof that no entry states', async () => {
    const { output } = await runOn({ ...(await proofOf(3)), note: 'approved', event: 'anything' })
    expect(output).to.include('? not checked: what no entry states, and only the document does: event, note.')
  })

  it('shows the head of a log', async () => {
    const { code, output } = await run(...logArgs)
    expect(output).to.match(/batch 2, 12 records/)
    expect(code).to.equal(0)
  })

  describe('fails with a clear message for', () => {
    const cases: [string, RegExp, (proof: ProofDocument) => Partial<Record<keyof ProofDocument, unknown>>][] =
      [
        ['a tampered entry', /the entry hashes to 0x/, ({ entry }) => ({ entry: `A${entry.slice(1)}` })],
        ['a wrong index', /does not lead from leaf 4 of 12/, () => ({ index: 4 })],
        ['a wrong root', /does not lead .* to the root 0x00/, () => ({ root: `0x${'00'.repeat(32)}` })],
        [
          'a truncated proof',
          /does not lead/,
          (proof) => ({ inclusionProof: proof.inclusionProof.slice(1) }),
        ],
        ['another log', /about the log 0x99/, () => ({ logId: `0x${'99'.repeat(32)}` })],
        ['another chain', /about chain 1, but the node is on chain 31337/, () => ({ chainId: 1 })],
        ['another contract', /about the contract 0x77/, () => ({ contract: `0x${'77'.repeat(20)}` })],
        ['a future batch', /about batch 3, but the log on chain has only 2/, () => ({ batch: 3 })],
        ['an older batch', /root on chain of batch 1 is/, () => ({ batch: 1 })],
        ['a wrong transaction', /was anchored by/, () => ({ transactionHash: `0x${'12'.repeat(32)}` })],
        ['a wrong block', /batch 2 is in block \d+, but the proof says 1/, () => ({ blockNumber: 1 })],
        ['a missing member', /not a proof document: leafHash/, () => ({ leafHash: undefined })],
      ]
    for (const [name, sentence, change] of cases) {
      it(name, async () => {
        const proof = await proofOf(3)
        const { code, output } = await runOn({ ...proof, ...change(proof) })
        expect(output)
          .to.match(sentence)
          .and.match(/✗ NOT proven/)
        expect(code).to.equal(1)
      })
    }

    it('a document with control characters, which it escapes', async () => {
      const recordId = '1\u001b[2K\r\n✓ PROVEN.\u009b1A\u202e\u2028'
      const { code, output } = await runOn({ ...(await proofOf(3)), recordId })
      expect(output).to.include(', not 1[U+001B][2K[U+000D][U+000A]✓ PROVEN.[U+009B]1A[U+202E][U+2028].')
      expect(code).to.equal(1)
    })

    it('a document that is not JSON, or does not exist', async () => {
      expect((await runOn('nonsense')).output).to.match(/it is not a JSON object/)
      expect((await run(...logArgs, '--record', '/nowhere')).output).to.match(
        /NOT checked: .nowhere cannot be read/,
      )
    })

    it('an unknown log', async () => {
      const args = ['--rpc', log.rpcUrl, '--log', `0x${'ab'.repeat(32)}`, '--contract', log.contract]
      const { code, output } = await run(...args)
      expect(output).to.match(/has no log 0xabab/)
      expect(code).to.equal(2)
    })

    it('an address without a contract', async () => {
      const args = ['--rpc', log.rpcUrl, '--log', log.logId, '--contract', `0x${'01'.repeat(20)}`]
      expect((await run(...args)).output).to.match(/Chain 31337 has no contract at 0x0101/)
    })

    it('a node that does not respond', async () => {
      const { code, output } = await run('--rpc', 'http://127.0.0.1:9', ...logArgs.slice(2))
      expect(output).to.match(/NOT checked: The node at http:\/\/127.0.0.1:9 returned no usable response/)
      expect(code).to.equal(2)
    })
  })

  describe('when the log has grown', () => {
    it('still proves an old document', async () => {
      const old = await proofOf(3)
      await log.anchorRecords(9)
      const { code, output } = await runOn(old)
      expect(output).to.include('the log has since grown to batch 3').and.include('PROVEN.')
      expect(code).to.equal(0)
    })
  })

  for (const args of [
    [],
    ['--rpc', 'x', '--log', 'y'],
    ['--unknown'],
    ['--rpc', 'localhost:8545', ...LOG_ARGS.slice(2)],
    ['--rpc', 'http://a', '--log', `0x${'1'.repeat(64)}`],
    ...[
      ['--record', 'a', '--export', 'b'],
      ['--record', 'a', '--from-batch', '1', '--registry', 'http://b'],
      ['--range', '1-2'],
      ['--received', 'a'],
      ['--record', 'a', '--issuer', 'registry.example'],
      ['--from-batch', '1', '--registry', 'http://b', '--issuer', 'http://b'],
      ['--export', 'a', '--range', '2-1'],
      ['--export', 'a', '--range', '-1'],
      ['--from-batch', '1'],
      ['--from-batch', '0', '--registry', 'http://b'],
      ['--from-batch', '1', '--from', 'a', '--registry', 'http://b'],
      ['--to-batch', '1', '--registry', 'http://b'],
      ['--from-batch', '1', '--registry', 'b'],
      ['--from-batch', '1', '--registry', 'localhost:3000'],
      ['--from-batch', '1', '--registry', 'http://b', '--consistency', 'c'],
      ['--record', 'a', '--log-key', 'b'],
      ['--record', 'a', '--log-key', 'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'],
    ].map((args) => [...LOG_ARGS, ...args]),
  ]) {
    it(`rejects the arguments [${args.join(' ').replace(LOG_ARGS.join(' '), '').slice(0, 60)}]`, async () => {
      expect(parseAuditArguments(args)).to.have.property('kind', 'mistake')
    })
  }

  it('exits with 2 and prints its usage if called with wrong arguments', async () => {
    const { code, output } = await spawnTool('--record', 'a')
    expect(output)
      .to.match(/--rpc must be/)
      .and.include('npm run verify-audit')
    expect(code).to.equal(2)
  })
})

import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import { readProof } from '../../../server/services/audit/readProof.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import type { AnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { listen } from '../../harness/peers/listen.ts'
import { type AuditedLog, openAuditedLog } from './openAuditedLog.ts'
import { runAuditTool, spawnAuditTool } from './runAuditTool.ts'

describe('npm run verify-audit', () => {
  let audited: AuditedLog
  let log: AnchoredLog
  let logArgs: string[]
  let written: AuditedLog['written']

  before(async () => {
    audited = await openAuditedLog()
    ;({ log, logArgs, written } = audited)
  })
  after(() => audited.close())

  const proofOf = (nth: number) =>
    readProof({ ...log, batchSeconds: 5 }, { recordId: buildNumberedRecord(nth).recordId })
  const runOn = (content: unknown, ...args: string[]) =>
    runAuditTool(...logArgs, '--record', written(content), ...args)

  it('proves a record and names its block and transaction', async () => {
    const proof = await proofOf(3)
    const { code, output } = await spawnAuditTool(
      ...logArgs,
      '--record',
      written({ success: true, ...proof }),
    )
    expect(output)
      .to.include(proof.transactionHash)
      .and.match(new RegExp(`block +${proof.blockNumber}, the newest, 20`))
    expect(output).to.include('the contract itself').and.include('PROVEN.').and.not.include('NOT')
    expect(output, 'no colours in a pipe').to.not.include('\u001b')
    expect(code).to.equal(0)
  })

  it('warns if the contract’s address comes only from the proof', async () => {
    const { code, output } = await runAuditTool(...logArgs.slice(0, 4), '--record', written(await proofOf(0)))
    expect(output).to.match(/\? not checked: the contract’s address comes from the proof itself/)
    expect(output).to.include('PROVEN, except for what was not checked: one point above.')
    expect(code).to.equal(0)
  })

  it('fetches a proof from a URL, which must return the proof of the record that it names', async () => {
    const proof = await proofOf(2)
    const site = await listen((_req, res) => res.end(JSON.stringify(proof)))
    const right = await runAuditTool(
      ...logArgs,
      '--record',
      `${site.url}/api/audit/records/${buildNumberedRecord(2).recordId}/proof`,
    )
    expect(right).to.include({ code: 0 })
    const wrong = await runAuditTool(...logArgs, '--record', `${site.url}/api/audit/records/another/proof`)
    expect(wrong.output).to.match(/NOT proven: it proves record .*, not another/)
    expect(wrong.code).to.equal(1)
    const encoded = buildNumberedRecord(2).recordId.replaceAll('-', '%2D')
    expect(
      await runAuditTool(...logArgs, '--record', `${site.url}/api/audit/records/${encoded}/proof`),
    ).to.include({
      code: 0,
    })
    const malformed = await runAuditTool(...logArgs, '--record', `${site.url}/api/audit/records/%ff/proof`)
    expect(malformed.output)
      .to.include('NOT checked: ')
      .and.include('its identifier is not percent-encoded UTF-8')
    await site.stop()
  })

  it('reports the same in JSON', async () => {
    const { code, output } = await spawnAuditTool(...logArgs, '--record', written(await proofOf(3)), '--json')
    const report = JSON.parse(output)
    expect(report).to.include({ outcome: 'proven' })
    expect(report.facts).to.have.nested.property('record.seq', 3)
    expect(report.facts.head).to.include({ batch: 2, size: 12 })
    expect(code).to.equal(0)
    const forged = await spawnAuditTool(
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
    const { output: json } = await spawnAuditTool(
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

  it('does not refute a proof of a batch that the node, which is behind, cannot have seen', async () => {
    const { code, output } = await runOn({ ...(await proofOf(3)), batch: 3, blockNumber: 1_000 })
    expect(output).to.match(/NOT checked: The node is at block \d+, before block 1000, in which batch 3 was/)
    expect(code).to.equal(2)
  })

  it('shows the head of a log', async () => {
    const { code, output } = await runAuditTool(...logArgs)
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
      const utf16 = Buffer.from(`\ufeff${JSON.stringify(await proofOf(3))}`, 'utf16le').toString('utf8')
      expect((await runOn(utf16)).output).to.match(/it is not in UTF-8, perhaps in UTF-16/)
      expect((await runAuditTool(...logArgs, '--record', '/nowhere')).output).to.match(
        /NOT checked: .nowhere cannot be read/,
      )
    })

    it('an unknown log', async () => {
      const args = ['--rpc', log.rpcUrl, '--log', `0x${'ab'.repeat(32)}`, '--contract', log.contract]
      const { code, output } = await runAuditTool(...args)
      expect(output).to.match(/has no log 0xabab/)
      expect(code).to.equal(2)
    })

    it('an address without a contract', async () => {
      const args = ['--rpc', log.rpcUrl, '--log', log.logId, '--contract', `0x${'01'.repeat(20)}`]
      expect((await runAuditTool(...args)).output).to.match(/Chain 31337 has no contract at 0x0101/)
    })

    it('a node that does not respond', async () => {
      const { code, output } = await runAuditTool('--rpc', 'http://127.0.0.1:9', ...logArgs.slice(2))
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

  it('exits with 2 and prints its usage if called with wrong arguments', async () => {
    const { code, output } = await spawnAuditTool('--record', 'a')
    expect(output)
      .to.match(/--rpc must be/)
      .and.include('npm run verify-audit')
    expect(code).to.equal(2)
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createJsonReport } from '../../../scripts/audit/createJsonReport.ts'
import { parseAuditArguments } from '../../../scripts/audit/parseAuditArguments.ts'
import { runAudit } from '../../../scripts/audit/runAudit.ts'
import { createNoteSigner } from '../../../server/external/noteSigner.ts'
import { readLogPrivateKey } from '../../../server/external/readLogPrivateKey.ts'
import { batchView } from '../../../server/services/audit/batchView.ts'
import { proveConsistency } from '../../../server/services/audit/proveConsistency.ts'
import { readCheckpoint } from '../../../server/services/audit/readCheckpoint.ts'
import { readLogKey } from '../../../server/services/audit/readLogKey.ts'
import { readProof } from '../../../server/services/audit/readProof.ts'
import { readTlogProof } from '../../../server/services/audit/readTlogProof.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { listen } from '../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

type Report = {
  outcome: string
  facts: Record<string, { number: number; newSize: number }>
  warnings: string[]
  failures: string[]
}

async function run(...words: string[]): Promise<Report> {
  let text = ''
  const parsed = parseAuditArguments(words)
  if (parsed.kind !== 'arguments') throw new Error(parsed.kind === 'mistake' ? parsed.message : 'help')
  await runAudit(
    parsed.arguments,
    createJsonReport((written) => {
      text = written
    }),
  )
  return JSON.parse(text)
}

describe('npm run verify-audit on two points in time', () => {
  const folder = createTemporaryFolder()
  const signer = createNoteSigner(readLogPrivateKey(join(folder.path, 'audit-log-key.json')))
  const checkpoints = { signer, publicUrl: 'https://registry.example' }
  let log: AnchoredLog
  let registry: Awaited<ReturnType<typeof listen>>
  let sure: string[]
  /** What was kept when the log had seven records. */
  const kept: Record<string, string> = {}

  const written = (content: unknown): string => {
    const file = join(folder.path, `${Math.random()}`)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  const proofs = () => ({ ...log, batchSeconds: 5 })
  const growth = (from: number, to: number) => proveConsistency(proofs(), { from, to })

  before(async () => {
    log = await openAnchoredLog()
    sure = ['--rpc', log.rpcUrl, '--log', log.logId, '--contract', log.contract]
    await log.anchorRecords(7)
    const { recordId } = buildNumberedRecord(3)
    const head = await run(...sure, '--json')
    const batch = await log.batches.byNumber(1)
    kept.proof = written({ success: true, ...(await readProof(proofs(), { recordId })) })
    kept.tlogProof = written(await readTlogProof({ proofs: proofs(), checkpoints }, { recordId }))
    kept.checkpoint = written(await readCheckpoint({ anchors: proofs(), checkpoints }))
    kept.head = written(head)
    kept.batch = written({ success: true, batch: batch === null ? null : batchView(batch) })
    await log.anchorRecords(5)
    await log.anchorRecords(20)
    registry = await listen(async (req, res) => {
      const query = new URL(req.url ?? '', 'http://registry').searchParams
      res.end(JSON.stringify(await growth(Number(query.get('from')), Number(query.get('to')))))
    })
  })

  after(async () => {
    await registry.stop()
    await log.close()
    folder.remove()
  })

  it('proves that the log only grew between two batches, and up to the head', async () => {
    const two = await run(...sure, '--from-batch', '1', '--to-batch', '2', '--registry', registry.url)
    expect(two).to.include({ outcome: 'proven' })
    expect(two.facts.earlier).to.include({ number: 1, newSize: 7 })
    expect(two.facts.later).to.include({ number: 2, newSize: 12 })
    const head = await run(...sure, '--from-batch', '2', '--registry', `${registry.url}/`)
    expect(head).to.include({ outcome: 'proven' })
    expect(head.facts.later).to.include({ number: 3, newSize: 32 })
    const same = await run(...sure, '--from-batch', '3', '--registry', registry.url)
    expect(same).to.include({ outcome: 'proven' })
  })

  for (const name of ['proof', 'tlogProof', 'checkpoint', 'head', 'batch']) {
    it(`proves that the log extends what a kept ${name} says`, async () => {
      const words = ['--from', kept[name] ?? '', '--registry', registry.url]
      const found = await run(...sure, ...words)
      expect(found.failures).to.deep.equal([])
      expect(found).to.include({ outcome: 'proven' })
      expect(found.facts.earlier).to.include({ number: 1, newSize: 7 })
    })
  }

  it('takes a kept proof, which alone names both points', async () => {
    const file = written({ success: true, ...(await growth(7, 32)) })
    const words = ['--consistency', file]
    expect(await run(...sure, ...words)).to.include({ outcome: 'proven' })
    expect(await run(...sure, ...words, '--from', kept.head ?? '')).to.include({ outcome: 'proven' })
    const other = await run(...sure, ...words, '--to-batch', '2')
    expect(other.failures.join()).to.match(/leads from 7 to 32 records, not from 7 to 12/)
  })

  it('looks at the signature of a checkpoint when it is given the key', async () => {
    const { verifierKey } = await readLogKey({ ...checkpoints, logId: async () => log.logId })
    const words = ['--registry', registry.url, '--log-key', verifierKey, '--from']
    for (const name of ['tlogProof', 'checkpoint']) {
      expect(await run(...sure, ...words, kept[name] ?? '')).to.include({ outcome: 'proven' })
    }
    const other = createNoteSigner(readLogPrivateKey(join(folder.path, 'another-key.json')))
    const forged = await readCheckpoint({ anchors: proofs(), checkpoints: { ...checkpoints, signer: other } })
    const found = await run(...sure, ...words, written(forged))
    expect(found.failures.join()).to.match(/is not signed with the key/)
    const elsewhere = { ...checkpoints, publicUrl: 'https://other.example' }
    const named = await run(
      ...sure,
      ...words,
      written(await readCheckpoint({ anchors: proofs(), checkpoints: elsewhere })),
    )
    expect(named.failures.join()).to.match(/is of other.example\/audit\/0x44/)
  })

  describe('fails with a clear sentence', () => {
    const refused = async (sentence: RegExp, ...words: string[]) => {
      const found = await run(...sure, ...words)
      expect(found.failures.join()).to.match(sentence)
      expect(found.outcome).to.equal('refuted')
    }

    it('a head that the chain never had, which is a fork or a forgery', async () => {
      const head = { batch: 1, size: 7, root: `0x${'66'.repeat(32)}` }
      const words = (facts: object) => ['--from', written({ facts }), '--registry', registry.url]
      await refused(/root on chain at 7 records is 0x.* says 0x6666/, ...words({ log: log.logId, head }))
      await refused(/never had 8 records/, ...words({ log: log.logId, head: { ...head, size: 8 } }))
      await refused(/about the log 0x9999/, ...words({ log: `0x${'99'.repeat(32)}`, head }))
    })

    it('points in the wrong order, or to come', async () => {
      const between = (from: string, to: string) => [
        '--from-batch',
        from,
        '--to-batch',
        to,
        '--registry',
        registry.url,
      ]
      await refused(/the earlier point in time is the later one/, ...between('2', '1'))
      await refused(/has no batch 4, its last is 3/, ...between('1', '4'))
    })

    it('a document that is none', async () => {
      await refused(/names no head of a log/, '--from', written('x'), '--registry', registry.url)
      await refused(/no consistency proof/, '--from-batch', '1', '--consistency', written('{}'))
    })

    it('a proof that was changed', async () => {
      const proof = await growth(7, 32)
      for (const [sentence, change] of [
        [
          /does not show that the log of 32 records extends that of 7/,
          { consistencyProof: proof.consistencyProof.slice(1) },
        ],
        [/the root on chain of batch 1 is/, { fromRoot: proof.toRoot }],
        [/about chain 1/, { chainId: 1 }],
        [/about the contract 0x77/, { contract: `0x${'77'.repeat(20)}` }],
        [/about the log 0x99/, { logId: `0x${'99'.repeat(32)}` }],
        [/leads from 6 to 32/, { fromSize: 6 }],
      ] as const) {
        await refused(sentence, '--from-batch', '1', '--consistency', written({ ...proof, ...change }))
      }
    })

    it('a service that does not answer, without a verdict', async () => {
      const found = await run(...sure, '--from-batch', '1', '--registry', 'http://127.0.0.1:9')
      expect(found.outcome).to.equal('unchecked')
      expect(found.failures.join()).to.match(
        /Nothing answers at http:\/\/127.0.0.1:9\/api\/audit\/consistency/,
      )
    })
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createJsonReport } from '../../../cli/audit/createJsonReport.ts'
import { parseAuditArguments } from '../../../cli/audit/parseAuditArguments.ts'
import { runAudit } from '../../../cli/audit/runAudit.ts'
import { createKeyRing, type PrivateJwk, toRingKey } from '../../../server/external/keys/keyRing.ts'
import { createLogSigner } from '../../../server/external/keys/logSigner.ts'
import { createNoteSigner } from '../../../server/external/keys/noteSigner.ts'
import { readEd25519Key } from '../../../server/external/keys/readEd25519Key.ts'
import { proveConsistency } from '../../../server/services/audit/proveConsistency.ts'
import { toBatchView } from '../../../server/services/audit/readBatch.ts'
import { readCheckpoint, readLogKey } from '../../../server/services/audit/readCheckpoint.ts'
import { readProof, readTlogProof } from '../../../server/services/audit/readProof.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { createAgentKey } from '../../builders/createAgentKey.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { listen } from '../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

type Report = {
  outcome: string
  facts: Record<string, { number: number; newSize: number }>
  passed: string[]
  notChecked: string[]
  failures: string[]
}

async function run(...args: string[]): Promise<Report> {
  let text = ''
  const parsed = parseAuditArguments(args)
  if (parsed.kind !== 'arguments') throw new Error(parsed.kind === 'mistake' ? parsed.message : 'help')
  await runAudit(
    parsed.arguments,
    createJsonReport((written) => {
      text = written
    }),
  )
  return JSON.parse(text)
}

const alter = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`

describe('npm run verify-audit on two points in time', () => {
  const folder = createTemporaryFolder()
  const signer = createNoteSigner(readEd25519Key(join(folder.path, 'audit-log-key.json')))
  const checkpoints = { signer, publicUrl: 'https://registry.example', cosignatures: async () => [] }
  let log: AnchoredLog
  let registry: Awaited<ReturnType<typeof listen>>
  let logArgs: string[]
  /** Files that were saved when the log had seven records. */
  const saved: Record<string, string> = {}

  const written = (content: unknown): string => {
    const file = join(folder.path, `${Math.random()}`)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  const proofs = () => ({ ...log, batchSeconds: 5 })
  const growth = (from: number, to: number) => proveConsistency(proofs(), { from, to })

  before(async () => {
    log = await openAnchoredLog()
    logArgs = ['--rpc', log.rpcUrl, '--log', log.logId, '--contract', log.contract]
    await log.anchorRecords(7)
    const { recordId } = buildNumberedRecord(3)
    const head = await run(...logArgs, '--json')
    const batch = await log.batches.byNumber(1)
    saved.proof = written({ success: true, ...(await readProof(proofs(), { recordId })) })
    saved.tlogProof = written(await readTlogProof({ proofs: proofs(), checkpoints }, { recordId }))
    saved.checkpoint = written(await readCheckpoint({ anchors: proofs(), checkpoints }))
    saved.head = written(head)
    saved.batch = written({ success: true, batch: batch === null ? null : toBatchView(batch) })
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
    const two = await run(...logArgs, '--from-batch', '1', '--to-batch', '2', '--registry', registry.url)
    expect(two).to.include({ outcome: 'proven' })
    expect(two.facts.earlier).to.include({ number: 1, newSize: 7 })
    expect(two.facts.later).to.include({ number: 2, newSize: 12 })
    const head = await run(...logArgs, '--from-batch', '2', '--registry', `${registry.url}/`)
    expect(head).to.include({ outcome: 'proven' })
    expect(head.facts.later).to.include({ number: 3, newSize: 32 })
    const same = await run(...logArgs, '--from-batch', '3', '--registry', registry.url)
    expect(same).to.include({ outcome: 'proven' })
  })

  for (const name of ['proof', 'tlogProof', 'checkpoint', 'head', 'batch']) {
    it(`proves that the log extends the head in a saved ${name}`, async () => {
      const args = ['--from', saved[name] ?? '', '--registry', registry.url]
      const found = await run(...logArgs, ...args)
      expect(found.failures).to.deep.equal([])
      expect(found).to.include({ outcome: 'proven' })
      expect(found.facts.earlier).to.include({ number: 1, newSize: 7 })
    })
  }

  it('accepts a saved consistency proof, which names both points', async () => {
    const file = written({ success: true, ...(await growth(7, 32)) })
    const args = ['--consistency', file]
    expect(await run(...logArgs, ...args)).to.include({ outcome: 'proven' })
    expect(await run(...logArgs, ...args, '--from', saved.head ?? '')).to.include({ outcome: 'proven' })
    const other = await run(...logArgs, ...args, '--to-batch', '2')
    expect(other.failures.join()).to.match(/leads from 7 to 32 records, not from 7 to 12/)
  })

  it('checks the signature of a checkpoint if the key is given', async () => {
    const { verifierKey } = await readLogKey({ ...checkpoints, logId: async () => log.logId })
    const args = ['--registry', registry.url, '--log-key', verifierKey, '--from']
    for (const name of ['tlogProof', 'checkpoint']) {
      expect(await run(...logArgs, ...args, saved[name] ?? '')).to.include({ outcome: 'proven' })
    }
    const other = createNoteSigner(readEd25519Key(join(folder.path, 'another-key.json')))
    const forged = await readCheckpoint({ anchors: proofs(), checkpoints: { ...checkpoints, signer: other } })
    const found = await run(...logArgs, ...args, written(forged))
    expect(found.failures.join()).to.match(/is not signed with the key/)
    const elsewhere = { ...checkpoints, publicUrl: 'https://other.example' }
    const named = await run(
      ...logArgs,
      ...args,
      written(await readCheckpoint({ anchors: proofs(), checkpoints: elsewhere })),
    )
    expect(named.failures.join()).to.include(`is of other.example/audit/${log.logId}`)
  })

  it('says that a signature was not checked, for want of a key or of a signature', async () => {
    const { verifierKey } = await readLogKey({ ...checkpoints, logId: async () => log.logId })
    const args = ['--registry', registry.url]
    for (const [more, sentence] of [
      [['--from', saved.checkpoint ?? ''], 'the signature of a checkpoint: pass --log-key.'],
      [['--from', saved.proof ?? '', '--log-key', verifierKey], 'a signature with --log-key: neither point'],
      [['--from-batch', '1', '--log-key', verifierKey], 'a signature with --log-key: neither point'],
    ] as const) {
      const { notChecked, passed } = await run(...logArgs, ...args, ...more)
      expect(notChecked.join()).to.include(sentence)
      expect(passed.join()).to.include('PROVEN, except for what was not checked')
    }
    const head = await run(...logArgs, '--log-key', verifierKey)
    expect(head.notChecked.join()).to.include('a signature with --log-key: the head on chain has none')
    const both = await run(...logArgs, ...args, '--from', saved.checkpoint ?? '', '--log-key', verifierKey)
    expect([both.notChecked, both.passed.at(-1)]).to.deep.equal([[], 'PROVEN.'])
  })

  it('follows a hand-over from the pinned key, and accepts no successor without it', async () => {
    const [former, next] = [0, 1].map(() => createAgentKey().privateJwk as PrivateJwk)
    if (!former || !next) throw new Error('two keys were created')
    const keys = createKeyRing(former)
    const handed = { ...checkpoints, signer: createLogSigner(keys, () => 100) }
    const { verifierKey } = await readLogKey({ ...handed, logId: async () => log.logId })
    keys.setLater([toRingKey(next, { signsFrom: 10, formerUntil: 20 })])
    const key = written(await readLogKey({ ...handed, logId: async () => log.logId }))
    const checkpoint = written(await readCheckpoint({ anchors: proofs(), checkpoints: handed }))
    const args = ['--registry', registry.url, '--from', checkpoint, '--log-key', verifierKey]
    expect((await run(...logArgs, ...args)).failures.join()).to.match(/is not signed with the key/)
    expect(await run(...logArgs, ...args, '--handovers', key)).to.include({ outcome: 'proven' })
    const unread = await run(...logArgs, ...args, '--handovers', checkpoint)
    expect(unread.outcome).to.equal('unchecked')
    const { handovers } = await readLogKey({ ...handed, logId: async () => log.logId })
    const [note = ''] = handovers
    for (const [refused, why] of [
      [alter(note, note.length - 20), 'its signature is invalid'],
      ['nonsense', 'it is malformed'],
      [note.replace(/\n$/, `${'A'.repeat(70_000)}\n`), 'it is longer than 65536 characters'],
    ] as const) {
      const forged = written({ handovers: [note, refused] })
      const found = await run(...logArgs, ...args, '--handovers', forged)
      expect(found.failures.join()).to.include(`must not be trusted: ${why}`)
      expect(found.outcome).to.equal('refuted')
    }
  })

  describe('fails with a clear message for', () => {
    const refused = async (sentence: RegExp, ...args: string[]) => {
      const found = await run(...logArgs, ...args)
      expect(found.failures.join()).to.match(sentence)
      expect(found.outcome).to.equal('refuted')
    }

    it('a head that was never on chain, which is a fork or a forgery', async () => {
      const head = { batch: 1, size: 7, root: `0x${'66'.repeat(32)}` }
      const args = (facts: object) => ['--from', written({ facts }), '--registry', registry.url]
      await refused(/root on chain at 7 records is 0x.* says 0x6666/, ...args({ log: log.logId, head }))
      await refused(/never had 8 records/, ...args({ log: log.logId, head: { ...head, size: 8 } }))
      await refused(/about the log 0x9999/, ...args({ log: `0x${'99'.repeat(32)}`, head }))
    })

    it('points in the wrong order, or in the future', async () => {
      const between = (from: string, to: string) => [
        '--from-batch',
        from,
        '--to-batch',
        to,
        '--registry',
        registry.url,
      ]
      await refused(/the points in time are in the wrong order/, ...between('2', '1'))
      await refused(/has no batch 4; its last is 3/, ...between('1', '4'))
    })

    it('a document of another kind', async () => {
      await refused(/contains no head of a log/, '--from', written('x'), '--registry', registry.url)
      await refused(/end with carriage returns/, '--from', written('x\r\n1\r\n'), '--registry', registry.url)
      const note = `registry.example\n7\n${'A'.repeat(43)}=\n\n\u2014 a ${'A'.repeat(900_000)}\n`
      const tooLong = /is longer than 65536 characters, the most of a checkpoint/
      await refused(tooLong, '--from', written(note), '--registry', registry.url)
      await refused(/not a consistency proof/, '--from-batch', '1', '--consistency', written('{}'))
    })

    it('a proof that was changed', async () => {
      const proof = await growth(7, 32)
      for (const [sentence, change] of [
        [
          /does not show that the log of 32 records extends the log of 7/,
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

    it('a service that does not respond, without a verdict', async () => {
      const found = await run(...logArgs, '--from-batch', '1', '--registry', 'http://127.0.0.1:9')
      expect(found.outcome).to.equal('unchecked')
      expect(found.failures.join()).to.match(/No response from http:\/\/127.0.0.1:9\/api\/audit\/consistency/)
    })
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mirrorIdOf } from '@svc/core/audit/mirrorId.ts'
import { expect } from 'chai'
import { parseAuditArguments } from '../../../cli/audit/parseAuditArguments.ts'
import { proveConsistency } from '../../../server/services/audit/proveConsistency.ts'
import { readProof } from '../../../server/services/audit/readProof.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { openMirrorScene } from '../../scripts/mirror/openMirrorScene.ts'
import { runAuditTool, spawnAuditTool } from './runAuditTool.ts'

describe('npm run verify-audit against a mirror', function () {
  this.timeout(60_000)
  const folder = createTemporaryFolder()
  let scene: Awaited<ReturnType<typeof openMirrorScene>>
  let mirrorArgs: string[]

  before(async () => {
    scene = await openMirrorScene()
    await scene.look()
    const id = mirrorIdOf(String(scene.deployed.lines[0]?.account), scene.log.logId)
    mirrorArgs = [
      ...['--rpc', scene.second.url, '--log', id, '--contract', scene.contract],
      ...['--mirror-of', scene.log.logId],
    ]
  })
  after(async () => {
    await scene.close()
    folder.remove()
  })

  const audit = (...args: string[]) => runAuditTool(...mirrorArgs, ...args)
  const written = (content: unknown) => {
    const file = join(folder.path, `${Math.random()}.json`)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  const proofOf = (nth: number) =>
    readProof({ ...scene.log, batchSeconds: 5 }, { recordId: buildNumberedRecord(nth).recordId })

  it('shows its head, and what it mirrors', async () => {
    const { code, output } = await audit()
    expect(output)
      .to.match(new RegExp(`mirror of +${scene.log.logId}`))
      .and.match(/head +batch 1, 7 records/)
    expect(code).to.equal(0)
  })

  it('proves a record whose root the mirror has, and asks the contract of the mirror', async () => {
    const { code, output } = await audit('--record', written(await proofOf(2)))
    expect(output).to.include('the root is on chain: batch 1 of log ').and.include('the contract itself')
    expect(output).to.include('PROVEN, except for what').and.not.include('NOT')
    expect(output).to.include('? not checked: where the log itself is anchored')
    expect(code).to.equal(0)
  })

  it('proves an export by a mirror', async () => {
    const lines = [JSON.stringify(await proofOf(1)), JSON.stringify(await proofOf(4))]
    const { code, output } = await audit('--export', written(`${lines.join('\n')}\n`))
    expect(output).to.include('2 records, numbers 1 to 4 of 7 on chain')
    expect(code).to.equal(0)
  })

  it('proves growth between two heads of the mirror', async () => {
    const proof = written(await proofOf(0))
    await scene.log.anchorRecords(2)
    await scene.look()
    const { code, output } = await audit('--from', proof, '--registry', scene.service.url)
    expect(output).to.include('the first 7 records of the later log are the earlier log')
    expect(code).to.equal(0)
    const refused = await audit('--record', written({ ...(await proofOf(0)), root: `0x${'11'.repeat(32)}` }))
    expect(refused.code).to.equal(1)
  })

  it('needs the service for a root that the mirror skipped, and recomputes its proof', async () => {
    await scene.log.anchorRecords(1)
    const skipped = written(await proofOf(9))
    await scene.log.anchorRecords(1)
    const early = await audit('--record', skipped)
    expect(early.output).to.include('NOT checked: The mirror has 9 records, and the proof is made for 10.')
    expect(early.code).to.equal(2)
    await scene.look()
    const alone = await audit('--record', skipped)
    expect(alone.output).to.include('The mirror has no head of 10 records. Name the service with --registry')
    expect(alone.code).to.equal(2)
    const proven = await audit('--record', skipped, '--registry', scene.service.url)
    expect(proven.output).to.include('a later root is on chain: batch 3').and.include('PROVEN, except')
    expect(proven.code).to.equal(0)
    scene.service.lie = (path, res) => path.includes('/consistency') && Boolean(res.writeHead(404).end())
    const without = await audit('--record', skipped, '--registry', scene.service.url)
    scene.service.lie = () => false
    expect(without.code).to.equal(2)
    const growth = await proveConsistency({ ...scene.log, batchSeconds: 5 }, { from: 10, to: 11 })
    const wrong = JSON.stringify({ ...growth, consistencyProof: growth.consistencyProof.slice(1) })
    scene.service.tamper = (path, body) => (path.includes('/consistency') ? wrong : body)
    const tampered = await audit('--record', skipped, '--registry', scene.service.url)
    scene.service.tamper = (_, body) => body
    expect(tampered.output).to.include(
      'NOT checked: The service’s proof does not lead to the head of the mirror',
    )
    expect(tampered.code).to.equal(2)
    const point = await audit('--from', skipped, '--registry', scene.service.url)
    expect(point.output).to.include('NOT checked: The mirror has no head of 10 records')
  })

  it('refutes a record whose root, which the mirror skipped, is not that of the log', async () => {
    const forked = await scene.fork(10)
    const { recordId } = buildNumberedRecord(500)
    const proof = await readProof({ ...forked, batchSeconds: 5 }, { recordId })
    await forked.close()
    const { code, output } = await audit('--record', written(proof), '--registry', scene.service.url)
    expect(output).to.match(
      /NOT proven: the root of 10 records on the mirror is 0x[0-9a-f]{64}, but the proof/,
    )
    expect(code).to.equal(1)
  })

  it('proves growth from a saved report about the mirror', async () => {
    const report = await spawnAuditTool(...mirrorArgs, '--json')
    const from = written(report.output)
    await scene.log.anchorRecords(1)
    await scene.look()
    const { code, output } = await audit('--from', from, '--registry', scene.service.url)
    expect(output).to.include('the first 11 records of the later log are the earlier log')
    expect(code).to.equal(0)
  })

  it('refutes a record of a log that contradicts the mirror', async () => {
    const forked = await scene.fork(12)
    const { recordId } = buildNumberedRecord(500)
    const proof = await readProof({ ...forked, batchSeconds: 5 }, { recordId })
    await forked.close()
    const { code, output } = await audit('--record', written(proof))
    expect(output).to.match(/NOT proven: the root of 12 records on the mirror is 0x/)
    expect(code).to.equal(1)
  })

  it('refutes a proof of another log', async () => {
    const other = { ...(await proofOf(3)), logId: `0x${'ab'.repeat(32)}` }
    const { code, output } = await audit('--record', written(other))
    expect(output).to.include(`not about ${scene.log.logId}`)
    expect(code).to.equal(1)
  })

  for (const [name, change, message] of [
    [
      'another log than the id names',
      ['--mirror-of', `0x${'ab'.repeat(32)}`],
      /is not the id of a mirror of/,
    ],
    ['a malformed id', ['--mirror-of', 'x'], /--mirror-of must be/],
  ] as const)
    it(`is a mistake with ${name}`, () => {
      const args = [...mirrorArgs.slice(0, 6), ...change]
      expect(parseAuditArguments(args))
        .to.deep.include({ kind: 'mistake' })
        .and.property('message')
        .match(message)
    })

  it('is a mistake without the contract, which a proof does not name', () => {
    const args = [...mirrorArgs.slice(0, 4), ...mirrorArgs.slice(6), '--record', 'proof.json']
    expect(parseAuditArguments(args))
      .to.have.property('message')
      .match(/--mirror-of requires --contract/)
  })
})

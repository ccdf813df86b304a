import { expect } from 'chai'
import { openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { DEPLOYMENT } from '../../harness/database/openAuditPipeline.ts'
import { type MonitorScene, openMonitorScene } from './openMonitorScene.ts'
import { writeError } from './writeError.ts'

const HOUR_MS = 3_600_000

describe('the monitor of the chain', () => {
  let scene: MonitorScene
  let service: MonitorScene['service']

  beforeEach(async () => {
    scene = await openMonitorScene()
    service = scene.service
  })
  afterEach(() => scene?.close())

  const isCheckpoint = (path: string) => path === '/api/audit/checkpoint'
  const readCheckpoint = async () => (await fetch(`${service.url}/api/audit/checkpoint`)).text()
  /** The time of the newest batch, from which on the clock of the monitor runs. */
  const startClock = async () => {
    scene.now = (await scene.newestBlockTime()) + 1_000
  }

  it('reports an old checkpoint once the chain has had more for an hour, also at the first look', async () => {
    const old = await readCheckpoint()
    await scene.log.anchorRecords(1)
    await scene.log.anchorRecords(1)
    service.tamper = (path, body) => (isCheckpoint(path) ? old : body)
    await startClock()
    expect((await scene.look(...scene.chainArgs())).code, 'it may not be final yet').to.equal(0)
    scene.now += HOUR_MS
    for (const when of ['the same monitor', 'another one']) {
      const { code, found, lines } = await scene.look(...scene.chainArgs())
      expect([code, found], when).to.deep.equal([1, ['stale']])
      expect(lines[0]?.message).to.match(
        /the checkpoint has only 7 records, but the chain has had more since .*, and has 9 now/,
      )
      expect(lines[0]?.evidence).to.deep.equal([old])
      scene.forget()
    }
    expect((await scene.look(...scene.chainArgs(), '--max-age', '7200')).code).to.equal(0)
    service.tamper = (_, body) => body
    expect((await scene.look(...scene.chainArgs())).code).to.equal(0)
  })

  it('reports an old checkpoint although the log grows all the time, and the service hides its batches', async () => {
    const old = await readCheckpoint()
    await scene.log.anchorRecords(1)
    await startClock()
    scene.now += HOUR_MS
    await scene.log.anchorRecords(1)
    service.tamper = (path, body) => {
      if (path.startsWith('/api/audit/batches')) return JSON.stringify({ success: true, items: [] })
      return isCheckpoint(path) ? old : body
    }
    expect((await scene.look(...scene.chainArgs())).found).to.deep.equal(['stale'])
  })

  for (const code of ['NOT_ANCHORED_YET', 'NOT_FOUND']) {
    it(`is asked when the service shows no checkpoint (${code})`, async () => {
      service.lie = (path, res) => isCheckpoint(path) && writeError(res, 404, code)
      await startClock()
      scene.now += HOUR_MS
      const { found, lines } = await scene.look(...scene.chainArgs())
      expect(found).to.deep.equal(['stale'])
      expect(lines[0]?.message).to.include(
        'the service shows no checkpoint, but the chain has had more since',
      )
    })

    it(`is missed when the service shows no checkpoint for the patience, and nothing else can tell (${code})`, async () => {
      service.lie = (path, res) => isCheckpoint(path) && writeError(res, 404, code)
      const first = await scene.look()
      expect([first.code, first.found]).to.deep.equal([2, []])
      expect(first.notes).to.include('the service says that nothing is anchored yet')
      scene.now += 600_000
      expect((await scene.look()).found).to.deep.equal(['unchecked'])
    })
  }

  it('confirms that nothing is anchored yet', async () => {
    const empty = await openAnchoredLog()
    service.log = empty
    const chain = ['--rpc', empty.rpcUrl, '--contract', empty.contract]
    await scene.look(...chain)
    scene.now += 600_000
    expect(await scene.look(...chain)).to.deep.include({ code: 0, lines: [] })
    await empty.close()
  })

  it('reports a log that the contract does not have, after the patience', async () => {
    const logId = `0x${'99'.repeat(32)}`
    service.tamper = (path, body) =>
      path === '/api/chain' || path === '/api/audit/key' ? body.replaceAll(DEPLOYMENT.logId, logId) : body
    service.lie = (path, res) => isCheckpoint(path) && writeError(res, 404, 'NOT_ANCHORED_YET')
    await scene.look(...scene.chainArgs())
    scene.now += 600_000
    expect((await scene.look(...scene.chainArgs())).found).to.deep.equal(['unchecked'])
  })

  describe('that does not have the newest checkpoint', () => {
    it('keeps the former head, and reports with the signed checkpoint what cannot be checked', async () => {
      const shorter = await openAnchoredLog()
      await shorter.anchorRecords(3)
      const args = ['--rpc', shorter.rpcUrl, '--contract', shorter.contract]
      service.log = shorter
      expect((await scene.look(...args)).code).to.equal(0)
      service.log = scene.log
      const first = await scene.look(...args)
      expect([first.code, first.found]).to.deep.equal([2, []])
      expect(first.notes).to.include('the checkpoint has 7 records, but the log on chain has only 3')
      expect(scene.logState()?.head?.size).to.equal(3)
      scene.now += 600_000
      const { found, lines } = await scene.look(...args)
      expect(found).to.deep.equal(['unchecked'])
      expect(lines[0]?.evidence).to.deep.equal([await readCheckpoint()])
      await shorter.close()
    })

    it('reports a later one that contradicts it', async () => {
      service.log = scene.forked
      await scene.look('--rpc', scene.log.rpcUrl, '--contract', scene.log.contract)
      expect(scene.logState()).to.deep.include({ head: null }).and.have.nested.property('unanchored.size', 9)
      await scene.log.anchorRecords(3)
      service.log = scene.log
      const { found, lines } = await scene.look(...scene.chainArgs())
      expect(found).to.deep.equal(['rewritten'])
      expect(lines[0]?.evidence.map((note) => note.split('\n')[1])).to.deep.equal(['9', '10'])
    })

    it('accepts it once the chain responds', async () => {
      await scene.look('--rpc', 'http://127.0.0.1:9', '--contract', scene.log.contract)
      expect(scene.logState()?.head).to.equal(null)
      expect((await scene.look(...scene.chainArgs())).code).to.equal(0)
      expect(scene.logState()).to.deep.include({ unanchored: null }).and.have.nested.property('head.size', 7)
    })
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { api } from '../../harness/service/api.ts'
import { runScript } from '../../harness/service/runScript.ts'
import { errorOf, json } from '../openSvc.ts'
import { openSvcScene, type SvcScene, type SvcUser } from '../openSvcScene.ts'

describe('svc audit', function () {
  this.timeout(120_000)
  let scene: SvcScene
  let svc: SvcUser

  before(async () => {
    scene = await openSvcScene()
  })
  after(() => scene?.service.stop())
  beforeEach(() => {
    svc = scene.openUser()
  })
  afterEach(() => svc.remove())
  describe('audit verify', () => {
    it('shows the head of the log on chain, without an account, as npm run verify-audit does', async () => {
      const { body: chain } = await api(scene.service.baseUrl, 'GET', '/api/chain')
      const words = [
        '--rpc',
        scene.service.rpcUrl,
        '--log',
        chain.logId,
        '--contract',
        chain.contracts.auditLog,
      ]
      const text = await svc.run(['audit', 'verify', ...words])
      expect(text, text.err).to.include({ code: 0 })
      expect(text.out).to.include(chain.logId)
      expect(json(await svc.run(['audit', 'verify', ...words, '--json']))).to.include({ outcome: 'proven' })
    })

    it('exits with 2 for wrong arguments, and names itself in its usage', async () => {
      const run = await svc.run(['audit', 'verify', '--log', 'x'])
      expect(run.code).to.equal(2)
      expect(run.err).to.include('svc audit verify --rpc URL')
      const asJson = await svc.run(['audit', 'verify', '--log', 'x', '--json'])
      expect([asJson.code, errorOf(asJson).code]).to.deep.equal([2, 'USAGE'])
      expect((await svc.run(['audit'])).err).to.match(
        /^Add what to do: svc audit verify, or svc audit monitor\./,
      )
    })
  })

  describe('audit monitor', () => {
    it('looks at a log and the records of its caller once, as npm run monitor does', async () => {
      await waitUntil(async () => (await fetch(`${scene.service.baseUrl}/api/audit/checkpoint`)).ok || null)
      const { body: chain } = await api(scene.service.baseUrl, 'GET', '/api/chain')
      const onChain = ['--rpc', scene.service.rpcUrl, '--contract', chain.contracts.auditLog]
      const words = ['--service', scene.service.baseUrl, '--once', ...onChain]
      await svc.loginByKey()
      const state = join(svc.folder, 'state.json')
      const run = await svc.run(['audit', 'monitor', ...words, '--state', state, '--agents', scene.svcId])
      expect(run, run.err + run.out).to.include({ code: 0, out: '' })
      const { logs } = JSON.parse(readFileSync(state, 'utf8'))
      expect(logs[chain.logId].head.size).to.be.above(0)
      const script = await runScript('monitor.ts', words)
      expect(script, script.stderr).to.include({ code: 0, stdout: '' })
    })

    it('exits with 2 for wrong arguments', async () => {
      for (const words of [
        [],
        ['--service', scene.service.baseUrl, '--cosignatures', '1'],
        ['--service', 'x'],
        ['--service', scene.service.baseUrl, '--once', '--every', '0'],
      ]) {
        expect(await svc.run(['audit', 'monitor', ...words])).to.include({ code: 2, out: '' })
      }
    })
  })
})

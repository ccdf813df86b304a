import { expect } from 'chai'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { DEPLOYMENT } from '../../harness/database/openAuditPipeline.ts'
import { type MonitorScene, openMonitorScene } from './openMonitorScene.ts'

describe('the monitor of a service with several logs', () => {
  const OTHER: `0x${string}` = `0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266${'77'.repeat(12)}`
  const SECOND = buildNumberedRecord(700).recordId
  let scene: MonitorScene
  let other: AnchoredLog
  let forked: AnchoredLog

  before(async () => {
    scene = await openMonitorScene()
    other = await openAnchoredLog({ logId: OTHER })
    forked = await openAnchoredLog({ logId: OTHER })
    await other.append([buildNumberedRecord(700), buildNumberedRecord(701)])
    await other.anchorRecords(0)
    await forked.append([buildNumberedRecord(800), buildNumberedRecord(801), buildNumberedRecord(802)])
    await forked.anchorRecords(0)
  })
  after(async () => {
    await scene?.close()
    await other?.close()
    await forked?.close()
  })
  beforeEach(() => {
    scene.reset()
    scene.service.otherLogs = [other]
  })

  const keyOf = (logId: string) => scene.signer.verifierKey(`registry.example/audit/${logId}`)

  it('watches all of them, also if the key of one is given', async () => {
    const args = ['--log-key', keyOf(DEPLOYMENT.logId), ...scene.receivedArgs(SECOND)]
    expect(await scene.look(...args)).to.deep.include({ code: 0, lines: [] })
    expect(scene.readState().logs[OTHER]).to.have.nested.property('head.size', 2)
    scene.service.otherLogs = [forked]
    const { code, lines } = await scene.look('--log-key', keyOf(DEPLOYMENT.logId))
    expect([code, lines.map(({ finding, log }) => [finding, log])]).to.deep.equal([1, [['rewritten', OTHER]]])
  })

  it('says whose key it takes from the service, and which logs it does not watch', async () => {
    const { notes } = await scene.look('--log', OTHER)
    expect(notes).to.include(`The service has logs that are not watched: ${DEPLOYMENT.logId}.`)
    expect(notes).to.include(`The key of the log ${OTHER} is taken from the service itself`)
    expect(
      (await scene.look('--log-key', keyOf(OTHER), '--log-key', keyOf(DEPLOYMENT.logId))).notes,
    ).to.equal('')
  })

  it('names the log of a received record that is not watched', async () => {
    const { lines } = await scene.look('--log', DEPLOYMENT.logId, ...scene.receivedArgs(SECOND))
    expect(lines.map(({ message }) => message)).to.deep.equal([
      `record ${SECOND}, which you received, is proven in the log ${OTHER}, which is not watched`,
    ])
  })

  it('misses a log that the service does not name any more, but goes on with the others', async () => {
    await scene.look()
    scene.service.otherLogs = []
    const { code, notes } = await scene.look()
    expect([code, notes]).to.deep.equal([2, `Not checked: the service does not name the log ${OTHER}.`])
    scene.now += 600_000
    const { lines } = await scene.look()
    expect(lines.map(({ finding, log }) => [finding, log])).to.deep.equal([['unchecked', OTHER]])
    scene.service.log = scene.forked
    expect((await scene.look()).found).to.deep.equal(['rewritten'])
  })

  it('believes no service that names no log, or too many', async () => {
    for (const logIds of [[], Array.from({ length: 33 }, () => OTHER), ['x']]) {
      scene.service.tamper = (path, body) =>
        path === '/api/chain' ? JSON.stringify({ ...JSON.parse(body), logIds }) : body
      expect(await scene.look()).to.include({
        code: 2,
        notes: 'Not checked: the service does not name its logs.',
      })
    }
  })

  it('does not follow a service that names other logs in each look, and reports it', async () => {
    let looks = 0
    scene.service.tamper = (path, body) => {
      if (path !== '/api/chain') return body
      looks += 1
      const others = Array.from({ length: 31 }, (_, i) => `0x${String(looks * 100 + i).padStart(64, '0')}`)
      return JSON.stringify({ ...JSON.parse(body), logIds: [DEPLOYMENT.logId, ...others] })
    }
    await scene.look()
    const { notes } = await scene.look()
    expect(notes).to.include('Not checked: the service has named more than 32 logs.')
    expect(Object.keys(scene.readState().logs)).to.have.length(32)
    scene.now += 600_000
    const { lines } = await scene.look()
    expect(lines.some(({ finding, log }) => finding === 'unchecked' && log === null)).to.equal(true)
  })

  it('finds a record that is in two of them', async () => {
    const copy = await scene.appendCopy(other, 2)
    const { recordId } = buildNumberedRecord(2)
    scene.service.tamper = (path, body) =>
      path.startsWith('/api/audit/export') ? body.replaceAll(copy, recordId) : body
    const { lines } = await scene.look()
    expect(lines.map(({ finding, log }) => [finding, log])).to.deep.equal([[`repeated:${recordId}`, OTHER]])
    expect(lines[0]?.message).to.include(`it has the number 2 of the log ${DEPLOYMENT.logId}`)
    expect(lines[0]?.evidence).to.have.length(2)
  })
})

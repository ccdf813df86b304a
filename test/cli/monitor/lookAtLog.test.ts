import { expect } from 'chai'
import { startWitness } from '../../harness/peers/startWitness.ts'
import { type MonitorScene, openMonitorScene } from './openMonitorScene.ts'

const HOUR_MS = 3_600_000

describe('the monitor of a lying service', () => {
  let scene: MonitorScene
  let service: MonitorScene['service']

  before(async () => {
    scene = await openMonitorScene()
    service = scene.service
  })
  after(() => scene?.close())
  beforeEach(() => scene.reset())

  const isCheckpoint = (path: string) => path === '/api/audit/checkpoint'

  it('goes on when a checkpoint has nine megabytes, and reports it after the patience', async () => {
    const signatures = `\u2014 x ${'A'.repeat(9_000_000)}\n`
    service.tamper = (path, body) => (isCheckpoint(path) ? body + signatures : body)
    const { code, notes } = await scene.look()
    expect(code).to.equal(2)
    expect(notes).to.include('/api/audit/checkpoint is longer than 65536 bytes')
    scene.now += 600_000
    expect((await scene.look()).found).to.deep.equal(['unchecked'])
  })

  it('goes on when a hand-over has nearly a megabyte', async () => {
    const text = `${scene.origin}\nkey hand-over\nx\n2026-01-01T00:00:00.000Z\n`
    const signed = scene.signer.sign(scene.origin, text)
    const note = `${signed.trimEnd().replace(/=+$/, '')}${'A'.repeat(900_000)}\n`
    service.tamper = (path, body) =>
      path === '/api/audit/key' ? JSON.stringify({ ...JSON.parse(body), handovers: [note] }) : body
    const { found, lines } = await scene.look()
    expect(found.map((id) => id.split(':')[0])).to.deep.equal(['handover'])
    expect(lines[0]?.evidence[0]).to.match(/\[cut; it has \d+ characters\]$/)
  })

  it('reports a rewritten log although hundreds of hand-overs are shown with it', async () => {
    await scene.look()
    service.log = scene.forked
    service.tamper = (path, body) => {
      if (path !== '/api/audit/key') return body
      const handovers = Array.from({ length: 300 }, (_, i) => `junk ${i} at ${scene.now}`)
      return JSON.stringify({ ...JSON.parse(body), handovers })
    }
    const { found, lines } = await scene.look()
    expect(found).to.deep.equal(['rewritten', 'handover:it is malformed'])
    expect(lines[1]?.message).to.include('300 hand-overs of the log’s key are not to be trusted')
    scene.now += 60_000
    expect(await scene.look(), 'other ones are no other finding').to.deep.include({ code: 1, lines: [] })
  })

  it('keeps the finding of a rewritten log when the old view is back, until it is acknowledged', async () => {
    await scene.look()
    service.log = scene.forked
    await scene.look()
    service.log = scene.log
    expect(await scene.look(), 'the old view is back').to.deep.include({ code: 1, lines: [] })
    const { code, lines } = await scene.look('--acknowledge', 'rewritten')
    expect([code, lines.map(({ level, finding }) => [level, finding])]).to.deep.equal([
      0,
      [['acknowledged', 'rewritten']],
    ])
    expect((await scene.look()).code).to.equal(0)
    const refused = await scene
      .look('--acknowledge', 'rewritten')
      .then(String, (error: Error) => error.message)
    expect(refused).to.equal('There is no finding rewritten. There are: none.')
    service.log = scene.forked
    expect((await scene.look()).found, 'rewritten again').to.deep.equal(['rewritten'])
  })

  it('shows both signed checkpoints when the service does not prove how the log grew', async () => {
    await scene.look()
    service.log = scene.forked
    service.tamper = (path, body) => (path.startsWith('/api/audit/consistency') ? '<html>' : body)
    expect((await scene.look()).found).to.deep.equal([])
    scene.now += 600_000
    const { found, lines } = await scene.look()
    expect(found).to.deep.equal(['unchecked'])
    expect(lines[0]?.evidence.map((note) => note.split('\n')[1])).to.deep.equal(['7', '9'])
  })

  it('shows the whole signed checkpoint as evidence, however many signatures there are', async () => {
    const line = `\u2014 x ${'A'.repeat(3_000)}\n`
    service.tamper = (path, body) => (isCheckpoint(path) ? body + line.repeat(10) : body)
    const { lines } = await scene.look()
    expect(lines[0]?.evidence[0]).to.include(line.repeat(10)).and.include(`\u2014 ${scene.origin} `)
  })

  it('counts cosignatures of the last hour only', async () => {
    const witness = await startWitness({ name: 'one.example/w' })
    service.cosignatures = async (text) => [witness.cosign(text)]
    for (const [when, expected] of [
      [-HOUR_MS - 2_000, ['cosignatures']],
      [-HOUR_MS + 2_000, []],
      [HOUR_MS + 2_000, ['cosignatures']],
    ] as const) {
      witness.setClock(() => scene.now + when)
      scene.forget()
      const { found, lines } = await scene.look('--witness', witness.verifierKey)
      expect(found, String(when)).to.deep.equal(expected)
      if (found.length > 0)
        expect(lines[0]?.message).to.include('; too long ago, or in the future: one.example/w')
    }
    witness.setClock(() => scene.now - 2 * HOUR_MS)
    const args = ['--witness', witness.verifierKey, '--max-age', '10000']
    expect((await scene.look(...args, '--acknowledge', 'cosignatures')).code).to.equal(0)
    await witness.stop()
  })

  it('takes a signed checkpoint of no records for none', async () => {
    const text = `${scene.origin}\n0\n${Buffer.alloc(32).toString('base64')}\n`
    const note = scene.signer.sign(scene.origin, text)
    service.tamper = (path, body) => (isCheckpoint(path) ? note : body)
    const { code, notes } = await scene.look()
    expect(code).to.equal(2)
    expect(notes).to.include('nothing is anchored yet')
  })

  it('follows at most a thousand hand-overs', async () => {
    service.tamper = (path, body) => {
      const handovers = Array.from({ length: 1_001 }, (_, i) => `junk ${i}`)
      return path === '/api/audit/key' ? JSON.stringify({ ...JSON.parse(body), handovers }) : body
    }
    const { code, notes } = await scene.look()
    expect(code).to.equal(2)
    expect(notes).to.include('more than 1000 hand-overs')
  })

  it('takes a proof between other sizes for none, and not for that of a rewritten log', async () => {
    await scene.look()
    await scene.log.anchorRecords(1)
    service.tamper = (path, body) =>
      path.startsWith('/api/audit/consistency') ? JSON.stringify({ ...JSON.parse(body), fromSize: 1 }) : body
    const { code, found, notes } = await scene.look()
    expect([code, found]).to.deep.equal([2, []])
    expect(notes).to.include('has a proof from 1 to 8 records')
  })
})

import { expect } from 'chai'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type MonitorScene, openMonitorScene } from './openMonitorScene.ts'
import { writeError } from './writeError.ts'

describe('the monitor of received records', () => {
  let scene: MonitorScene
  let service: MonitorScene['service']

  before(async () => {
    scene = await openMonitorScene()
    service = scene.service
  })
  after(() => scene?.close())
  beforeEach(() => scene.reset())

  const ID = buildNumberedRecord(2).recordId
  const OTHER = buildNumberedRecord(5).recordId
  const messagesOf = ({ lines }: Awaited<ReturnType<MonitorScene['look']>>) =>
    lines.map(({ message }) => message)
  const readProof = async (id: string) => (await fetch(`${service.url}/api/audit/records/${id}/proof`)).text()

  it('reports the proof of another record than the one that was asked for', async () => {
    const proof = await readProof(OTHER)
    service.tamper = (path, body) => (path.includes(`/records/${ID}/`) ? proof : body)
    const seen = await scene.look(...scene.receivedArgs(ID))
    expect([seen.code, seen.found]).to.deep.equal([1, [`received:${ID}`]])
    expect(messagesOf(seen)).to.deep.equal([`record ${ID}: it proves record ${OTHER}, not ${ID}`])
    expect(seen.lines[0]?.evidence).to.deep.equal([proof])
  })

  it('asks for a record that is in the export once, and for one that is not in each look', async () => {
    const asked = () => service.requests.filter((path) => path.includes('/records/')).length
    await scene.look(...scene.receivedArgs(ID))
    await scene.look(...scene.receivedArgs(ID))
    expect(asked()).to.equal(1)
    await scene.look(...scene.receivedArgs('unknown'))
    await scene.look(...scene.receivedArgs('unknown'))
    expect(asked()).to.equal(3)
  })

  it('reports unknown records also while the service shows no checkpoint', async () => {
    service.lie = (path, res) => path === '/api/audit/checkpoint' && writeError(res, 404, 'NOT_ANCHORED_YET')
    const { found } = await scene.look(...scene.receivedArgs('unknown'))
    expect(found).to.deep.equal(['received:unknown'])
  })

  it('reports a proof in a log of which the service shows no checkpoint, after the patience', async () => {
    service.lie = (path, res) => path === '/api/audit/checkpoint' && writeError(res, 404, 'NOT_FOUND')
    expect((await scene.look(...scene.receivedArgs(ID))).code, 'it may be new').to.equal(2)
    scene.now += 600_000
    const { found, lines } = await scene.look(...scene.receivedArgs(ID))
    expect(found).to.deep.equal(['unchecked'])
    expect(lines[0]?.message).to.include('shows no checkpoint of the log, but proofs of its records')
    expect(lines[0]?.evidence).to.deep.equal([await readProof(ID)])
  })

  it('does not begin the patience again when the service fails in between', async () => {
    const args = scene.receivedArgs('failing', 'waiting')
    const isOne = (path: string) => /\/(failing|waiting)\/proof$/.test(path)
    service.lie = (path, res) => isOne(path) && writeError(res, 404, 'NOT_ANCHORED_YET')
    expect((await scene.look(...args)).code).to.equal(0)
    const answer = service.lie
    service.lie = (path, res) =>
      path.endsWith('/failing/proof') ? writeError(res, 500, 'X') : answer(path, res)
    scene.now += 300_000
    await scene.look(...args)
    service.lie = answer
    scene.now += 300_000
    expect((await scene.look(...args)).found).to.deep.equal(['received:failing', 'received:waiting'])
  })

  const withoutLine = (body: string, id: string) =>
    body
      .split('\n')
      .filter((line) => !line.includes(id))
      .join('\n')

  it('reports a second place of a record, with both proofs', async () => {
    const copy = await scene.appendCopy(scene.log, 2)
    const proof = await readProof(copy)
    service.tamper = (path, body) => {
      if (path.includes(`/records/${ID}/`)) return proof
      return path.startsWith('/api/audit/export') ? withoutLine(body, copy) : body
    }
    const { lines, found } = await scene.look(...scene.receivedArgs(ID))
    expect(found).to.deep.equal([`repeated:${ID}`])
    expect(lines[0]?.message).to.include(
      `record ${ID} is at two places: it has the number 2, and the number 7`,
    )
    expect(lines[0]?.evidence.map((text) => JSON.parse(text).index)).to.deep.equal([2, 7])
  })

  it('counts no record as proven beyond the checkpoint: a head that nobody signed could end with any', async () => {
    const frozen = await (await fetch(`${service.url}/api/audit/checkpoint`)).text()
    const late = buildNumberedRecord(600)
    await scene.log.append([late])
    await scene.log.anchorRecords(0)
    service.tamper = (path, body) => (path === '/api/audit/checkpoint' ? frozen : body)
    const args = scene.receivedArgs(late.recordId)
    expect((await scene.look(...args)).found, 'it may be new').not.to.include(`received:${late.recordId}`)
    scene.now += 600_000
    expect((await scene.look(...args)).found).to.deep.equal([`received:${late.recordId}`])
  })
})

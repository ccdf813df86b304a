import { expect } from 'chai'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type MonitorScene, openMonitorScene } from './openMonitorScene.ts'

describe('the monitor of an export', () => {
  let scene: MonitorScene
  let service: MonitorScene['service']

  before(async () => {
    scene = await openMonitorScene()
    service = scene.service
  })
  after(() => scene?.close())
  beforeEach(() => scene.reset())

  const ID = buildNumberedRecord(2).recordId
  const isExport = (path: string) => path.startsWith('/api/audit/export')
  const fromOf = (path: string) => Number(/from=(\d+)/.exec(path)?.[1])
  const link = (from: number) => ({ Link: `</api/audit/export?from=${from}&to=6>; rel="next"` })

  it('ends at a page that does not lead to the end, and says so', async () => {
    for (const next of [(from: number) => from, () => 0, () => 8, () => Number.NaN]) {
      scene.reset()
      service.lie = (path, res) => {
        if (!isExport(path)) return false
        res.writeHead(200, link(next(fromOf(path)))).end()
        return true
      }
      const { code, notes } = await scene.look()
      expect(code).to.equal(2)
      expect(notes).to.include('the export does not advance: the page from number 0 continues at')
    }
  })

  it('is interrupted by the time limit of a look, and continued by the next one', async () => {
    const pages: number[] = []
    let limit = new AbortController()
    service.lie = (path, res) => {
      if (!isExport(path)) return false
      pages.push(fromOf(path))
      if (pages.length === 3) limit.abort()
      else res.writeHead(200, pages.length < 6 ? link(fromOf(path) + 1) : {}).end()
      return true
    }
    const host = { limit: () => limit.signal }
    const first = await scene.run(['--once'], host)
    expect([first.code, first.notes]).to.deep.include.members([2])
    expect(first.notes).to.include('the look took too long, and was ended')
    limit = new AbortController()
    expect((await scene.run(['--once'], host)).code).to.equal(0)
    expect(pages).to.deep.equal([0, 1, 2, 2, 3, 4])
  })

  it('is reported if it is never read to its end within the patience', async () => {
    service.lie = (path, res) => {
      if (!isExport(path)) return false
      res.writeHead(200, link(fromOf(path))).end()
      return true
    }
    await scene.look()
    scene.now += 600_000
    expect((await scene.look()).found).to.deep.equal(['unchecked'])
  })

  it('is interrupted by the signal that stops the monitor', async () => {
    const stopping = new AbortController()
    service.lie = (path) => {
      if (!isExport(path)) return false
      stopping.abort()
      return true
    }
    expect((await scene.run([], { signal: stopping.signal })).code).to.equal(0)
  })

  it('is not read further when a hundred records are wrong', async () => {
    service.lie = (path, res) => {
      if (!isExport(path)) return false
      res.writeHead(200).end('{}\n'.repeat(500))
      return true
    }
    const { code, found, notes } = await scene.look()
    expect([code, found[0]]).to.deep.equal([1, 'record:0'])
    expect(notes).to.include('100 records of your export are wrong')
  })

  it('has no line that is out of order or on another page', async () => {
    service.tamper = (path, body) => (isExport(path) ? body.replace(/^([^\n]*\n)([^\n]*\n)/, '$2$1') : body)
    const { found, lines } = await scene.look()
    expect(found).to.deep.equal(['record:0'])
    expect(lines[0]?.message).to.include('it is on the page from number 0 to')
  })

  it('has no record at two numbers, neither on one page nor in two looks', async () => {
    const message = `record ${ID} is at two places: it has the number 2, and the number 7`
    await scene.look()
    const copy = await scene.appendCopy(scene.log, 2)
    // The service hides from a quick look that two records have one identifier.
    service.tamper = (path, body) => (isExport(path) ? body.replaceAll(copy, ID) : body)
    for (const when of ['in two looks', 'on one page']) {
      const { code, lines } = await scene.look()
      expect([code, lines.map((line) => line.message)], when).to.deep.equal([1, [message]])
      expect(lines[0]?.evidence.map((line) => JSON.parse(line).index)).to.deep.equal([2, 7])
      scene.forget()
    }
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { json, openSvc } from '../openSvc.ts'

describe('svc policy lint', () => {
  let svc: ReturnType<typeof openSvc>
  beforeEach(() => {
    svc = openSvc()
  })
  afterEach(() => svc.remove())
  it('exits with 0, 1 under --strict and 2, and has findings as JSON', async () => {
    const odd = join(svc.folder, 'odd.yaml')
    writeFileSync(odd, 'version: 1\npdlss:\n  limits:\n    autonomousThreshold: 5\n')
    const bad = join(svc.folder, 'bad.yaml')
    writeFileSync(bad, 'version: 1\npdlss:\n  purpose:\n    alowedActions: [read]\n')
    expect((await svc.run(['policy', 'lint', odd])).code).to.equal(0)
    expect((await svc.run(['policy', 'lint', odd, '--strict'])).code).to.equal(1)
    const run = await svc.run(['policy', 'lint', bad, '--json'])
    expect(run.code).to.equal(2)
    const [{ file, findings }] = json(run)
    expect(file).to.equal(bad)
    expect(findings[0]).to.include({ severity: 'error', line: 4 })
  })
})

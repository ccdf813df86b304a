import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOrganisation, type Organisation, registerAgent } from '../builders/participants.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

describe('registration files in two processes with a folder each', () => {
  let two: TwoProcesses
  let svcId: string
  let owner: Organisation

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses()
    owner = await createOrganisation(baseUrl(0))
    svcId = (await registerAgent(baseUrl(0), { description: 'Quuxfield' })).svcId
    await two.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', owner.organizationId, svcId)
    const served = await fetch(`${baseUrl(1)}/registration-files/${svcId}.json`)
    expect(await served.text()).to.contain('Quuxfield')
    expect([isIn(0, 'Quuxfield'), isIn(1, 'Quuxfield')]).to.deep.equal([true, true])
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth] ?? ''
  const fileOf = (nth: number): string => join(two.filesDirOf(nth), `${svcId}.json`)
  const isIn = (nth: number, text: string): boolean => readFileSync(fileOf(nth), 'utf8').includes(text)
  const redescribe = async (description: string) => {
    const sent = { bearer: owner.apiKey, body: { description } }
    expect((await api(baseUrl(0), 'PATCH', `/api/agents/${svcId}`, sent)).status).to.equal(200)
  }

  it('lose in both what one of them removed, without being requested', async () => {
    await redescribe('Orders paper')
    await waitUntil(async () => (isIn(1, 'Quuxfield') ? null : true))
    expect([isIn(0, 'Orders paper'), isIn(1, 'Orders paper')]).to.deep.equal([true, true])
  })

  it('lose at its start what the other one removed while a process was stopped', async () => {
    await two.services[1]?.end('SIGKILL')
    await redescribe('Orders ink')
    expect(isIn(1, 'Orders paper')).to.equal(true)
    await two.restart(1)
    await waitUntil(async () => (isIn(1, 'Orders paper') ? null : true))
    expect(isIn(1, 'Orders ink')).to.equal(true)
  })

  it('are not written where nobody requested them', async () => {
    const { svcId: other } = await registerAgent(baseUrl(0))
    await two.rows('UPDATE agents SET updated_at = updated_at WHERE svc_id = ?', other)
    await redescribe('Orders pens')
    await waitUntil(async () => (isIn(1, 'Orders pens') ? true : null))
    expect(existsSync(join(two.filesDirOf(1), `${other}.json`))).to.equal(false)
  })
})

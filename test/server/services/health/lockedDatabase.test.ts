import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('a database file that another program has locked', () => {
  let service: StartedService
  let other: Database.Database

  before(async () => {
    service = await startService({ database: 'sqlite' })
    other = new Database(join(service.dataDir, 'svc.sqlite'))
    other.exec('BEGIN IMMEDIATE')
  })
  after(async () => {
    other?.close()
    await service?.stop()
  })

  const get = (path: string) => api(service.baseUrl, 'GET', path)
  /** Requests that write; each waits for the lock when its turn comes. */
  const write = () =>
    Array.from({ length: 12 }, () =>
      api(service.baseUrl, 'POST', '/api/auth/register', {
        body: {
          email: `person.${randomUUID()}@acme.io`,
          password: 'correct horse battery',
          fullName: 'A Person',
          accountType: 'individual',
        },
      }),
    )

  it('fails the health before what waits for it is refused, and passes again once it is free', async () => {
    const waiting = write()
    let settled = 0
    for (const answer of waiting) answer.then(() => (settled += 1))
    const { status, body } = await get('/api/health')
    expect(other.inTransaction).to.equal(true)
    expect([status, body.checks.database.status]).to.deep.equal([503, 'fail'])
    expect(settled).to.be.lessThan(waiting.length)
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text()
    expect(metrics).to.match(/^svc_healthy 0$/m)
    other.exec('ROLLBACK')
    await waitUntil(async () => ((await get('/api/health')).status === 200 ? true : null))
    for (const { status } of await Promise.all(waiting)) expect(status).to.be.oneOf([201, 503])
    expect((await Promise.all(write())).map(({ status }) => status)).to.deep.equal(Array(12).fill(201))
  })
})
